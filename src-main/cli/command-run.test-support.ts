/** For tests: a command run as a script would, with what it printed and its exit code. */
import type { Environment } from '../engine/environment'
import type { Command, CommandIo } from './command'
import { systemCheckWritable } from './writable'

export type CommandRun = {
  code: number
  answer: string
  errors: string[]
  /** The answer as the test knows it to be. */
  json<Answer = unknown>(): Answer
}

export function runCommand(command: Command, env: Environment, ...argv: string[]): Promise<CommandRun> {
  return runWithInput(command, env, [], ...argv)
}

/** As `runCommand`, with standard input that comes in these pieces. */
export async function runWithInput(
  command: Command,
  env: Environment,
  input: readonly (string | Uint8Array)[],
  ...argv: string[]
): Promise<CommandRun> {
  const printed: string[] = []
  const errors: string[] = []
  const io: CommandIo = {
    env,
    cwd: env.home,
    print: (line: string) => printed.push(line),
    error: (line: string) => errors.push(line),
    async *input() {
      for (const piece of input) yield Buffer.from(piece)
    },
    checkWritable: systemCheckWritable,
  }
  const code = await command.run(argv, io)
  const answer = printed.join('\n')
  return { code, answer, errors, json: () => JSON.parse(answer) }
}
