/** Options that several commands share, and how wrong ones are told. */
import path from 'node:path'
import { archivedSessionsDir, plainLayout } from '../engine/layout/agent-directories'
import { isPathInside } from '../engine/layout/path-inside'
import { attempt } from '../engine/storage/errors'
import { type CommandIo, UsageError } from './command'

/** Runs `parseArgs`; what it complains about is wrong usage. */
export function parsed<T>(parse: () => T): T {
  try {
    return parse()
  } catch (thrown) {
    throw new UsageError(complaint(thrown instanceof Error ? thrown.message : String(thrown)))
  }
}

/** The first sentence of what `parseArgs` says; the rest is advice in several lines or with quotes left open. */
function complaint(message: string): string {
  const [sentence = ''] = message.split(/\. |\n/)
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}

/** For `parseArgs`: what every command takes that changes a session. */
export const CHANGE_OPTIONS = {
  'agent-dir': { type: 'string' },
  'include-maybe': { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

type ChangeValues = { 'agent-dir'?: string | undefined; 'include-maybe': boolean; 'dry-run': boolean }

/** The values of `CHANGE_OPTIONS`. `only`: `--agent-dir`, absolute. */
export function changeOptions(
  values: ChangeValues,
  io: CommandIo,
): { only: string | null; includeMaybe: boolean; dryRun: boolean } {
  return {
    only: agentDirOption(values['agent-dir'], io),
    includeMaybe: values['include-maybe'],
    dryRun: values['dry-run'],
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
 * Why a folder cannot serve as an agent directory, or null when it can, or none is named. One that holds no sessions can.
 */
export function agentDirProblem(directory: string | null, io: CommandIo): string | null {
  if (directory === null) return null
  const looked = attempt('read the agent directory', directory, () => io.env.fs.stat(directory).kind)
  if (!looked.ok) return looked.error.message
  return looked.value === 'directory'
    ? null
    : `Cannot read the agent directory ${directory}: it is not a folder.`
}

/**
 * Why a command that changes files must not begin: `--agent-dir` cannot serve as one, or a file lies elsewhere. A
 * session moved out of its library would leave the store that its pictures lie in. Null when it may, or without the option.
 */
export function agentDirRefusal(only: string | null, files: readonly string[], io: CommandIo): string | null {
  if (only === null) return null
  const problem = agentDirProblem(only, io)
  if (problem !== null) return problem
  const layout = plainLayout(only)
  const { sessionsDir } = layout
  const places = [sessionsDir, archivedSessionsDir(layout)]
  const stranger = files.find(
    file =>
      !places.some(place => isPathInside(place, file) || isPathInside(real(place, io), realPlace(file, io))),
  )
  return stranger === undefined ? null : `${stranger} does not lie in ${sessionsDir}.`
}

function real(place: string, io: CommandIo): string {
  const looked = attempt('look at', place, () => io.env.fs.realPath(place))
  return looked.ok ? looked.value : place
}

/** The file's place with links in its folder resolved; the file itself may be a link, or gone. */
function realPlace(file: string, io: CommandIo): string {
  return path.join(real(path.dirname(file), io), path.basename(file))
}

/** `--limit` as a whole number; null when it is not given. */
export function limitOption(value: string | undefined, most: number): number | null {
  if (value === undefined) return null
  const limit = Number(value)
  if (value.trim() !== '' && Number.isInteger(limit) && limit >= 1 && limit <= most) return limit
  throw new UsageError(`--limit needs a whole number from 1 to ${most}.`)
}

/** Whether a session's folder is the project that `--project` names: by its path, or by the last part of it. */
export function isProject(cwd: string | null, project: string, io: CommandIo): boolean {
  if (cwd === null) return false
  return cwd === path.resolve(io.cwd, project) || cwd === project || path.basename(cwd) === project
}

/** A file argument as an absolute path. */
export function fileArgument(value: string, io: CommandIo): string {
  if (value === '') throw new UsageError('A file name must not be empty.')
  return path.resolve(io.cwd, value)
}

export function isoOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
