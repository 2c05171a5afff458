/** The commands of the CLI, in the order in which help shows them. */
import type { Command } from './command'
import { appendCommand } from './commands/append'
import { continueBranchCommand } from './commands/continue-branch'
import { draftCommand } from './commands/draft'
import { dropCommand } from './commands/drop'
import { filesCommand } from './commands/files'
import { forkCommand } from './commands/fork'
import { inspectCommand } from './commands/inspect'
import { labelCommand } from './commands/label'
import { listCommand } from './commands/list'
import { moveCommand } from './commands/move'
import { renameCommand } from './commands/rename'
import { rerootCommand } from './commands/reroot'
import { restoreCommand } from './commands/restore'
import { searchCommand } from './commands/search'
import { starCommand } from './commands/star'
import { usageCommand } from './commands/usage'

export const commands: readonly Command[] = [
  listCommand,
  inspectCommand,
  usageCommand,
  searchCommand,
  filesCommand,
  appendCommand,
  forkCommand,
  continueBranchCommand,
  moveCommand,
  renameCommand,
  labelCommand,
  starCommand,
  draftCommand,
  dropCommand,
  restoreCommand,
  rerootCommand,
]
