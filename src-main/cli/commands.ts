/** The commands of the CLI, in the order in which help shows them. */
import type { Command } from './command'
import { dropCommand } from './commands/drop'
import { inspectCommand } from './commands/inspect'
import { listCommand } from './commands/list'
import { rerootCommand } from './commands/reroot'
import { restoreCommand } from './commands/restore'

export const commands: readonly Command[] = [
  listCommand,
  inspectCommand,
  dropCommand,
  restoreCommand,
  rerootCommand,
]
