/** What a command of the CLI is. Standard output holds nothing but the answer; complaints go to `io.error`. */
import type { Environment } from '../engine/environment'

export interface CommandIo {
  env: Environment
  /** Directory that relative paths are relative to. */
  cwd: string
  /** Writes one line of the answer. */
  print(line: string): void
  /** Writes one line to standard error. */
  error(line: string): void
  /** Standard input, as it comes. */
  input(): AsyncIterable<Uint8Array>
  /** Throws the system's error when this user may not write to the file or folder at `place`. Looks only. */
  checkWritable(place: string): void
}

export type Command = {
  name: string
  /** One line per form, without the program's name. */
  usage: string
  summary: string
  /** Answers the exit code: 0 done, 1 failed, 2 wrong usage. */
  run(argv: string[], io: CommandIo): Promise<number>
}

/** Thrown by argument checks; the entry prints it with the command's usage and exits with 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
