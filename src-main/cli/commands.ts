/** The commands of the CLI, in the order in which help shows them. */
import type { Command } from './command'
import { inspectCommand } from './commands/inspect'
import { listCommand } from './commands/list'

export const commands: readonly Command[] = [listCommand, inspectCommand]
