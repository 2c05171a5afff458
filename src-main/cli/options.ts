/** Options that several commands share, and how wrong ones are told. */
import path from 'node:path'
import { attempt } from '../engine/storage/errors'
import { type CommandIo, UsageError } from './command'

/** Runs `parseArgs`; what it complains about is wrong usage. */
export function parsed<T>(parse: () => T): T {
  try {
    return parse()
  } catch (thrown) {
    throw new UsageError(thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : String(thrown))
  }
}

export function noPositionals(positionals: readonly string[]): void {
  if (positionals.length > 0) throw new UsageError(`Unexpected argument ${positionals[0]}.`)
}

/** `--agent-dir` as an absolute path, or null when it is not given. */
export function agentDirOption(value: string | undefined, io: CommandIo): string | null {
  if (value === undefined) return null
  if (value === '') throw new UsageError('--agent-dir needs a folder.')
  return path.resolve(io.cwd, value)
}

/**
 * Why a folder cannot serve as an agent directory, or null when it can. One that holds no sessions can.
 */
export function agentDirProblem(directory: string, io: CommandIo): string | null {
  const looked = attempt('read the agent directory', directory, () => io.env.fs.stat(directory).kind)
  if (!looked.ok) return looked.error.message
  return looked.value === 'directory'
    ? null
    : `Cannot read the agent directory ${directory}: it is not a folder.`
}

/** A file argument as an absolute path. */
export function fileArgument(value: string, io: CommandIo): string {
  return path.resolve(io.cwd, value)
}

export function isoOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
