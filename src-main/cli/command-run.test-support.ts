/** For tests: a command run as a script would, with what it printed and its exit code. */
import type { Environment } from '../engine/environment'
import type { Command } from './command'

export type CommandRun = { code: number; answer: string; errors: string[]; json(): unknown }

export async function runCommand(command: Command, env: Environment, ...argv: string[]): Promise<CommandRun> {
  const printed: string[] = []
  const errors: string[] = []
  const io = {
    env,
    cwd: env.home,
    print: (line: string) => printed.push(line),
    error: (line: string) => errors.push(line),
  }
  const code = await command.run(argv, io)
  const answer = printed.join('\n')
  return { code, answer, errors, json: () => JSON.parse(answer) }
}
