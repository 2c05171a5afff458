/**
 * Which session a person means: by path, by its id, or by the beginning of it. Looks only.
 * Rule: docs/format.md, Finding a session.
 */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import type { Environment } from '../environment'
import type { AgentLayout } from '../layout/agent-directories'
import { sessionDirectoryFor } from '../layout/session-directory'
import { isArchive, JOURNAL_SUFFIX } from '../layout/session-paths'
import { attempt } from '../storage/errors'
import { listAllSessionHeads, listSessionHeads, type SessionHead } from './session-heads'

export type ResumeRequest = {
  /** A path (with a separator, or ending in `.jsonl` or `.jsonl.gz`), or the beginning of an id or of a file's name, in any case. */
  argument: string
  /** The folder one stands in: its sessions come first, and relative paths begin there. */
  cwd: string
  /** Look in this directory alone. */
  directory?: string
}

/** Candidates that an error names. */
const NAMED_CANDIDATES = 10

/**
 * Absolute path of the one session that is meant. Those of the folder one stands in come before all others; a whole id
 * comes before the beginning of one. Where several fit, nothing is guessed: `conflict`, naming them; omp takes the newest.
 */
export function resumeTarget(
  env: Environment,
  layout: Pick<AgentLayout, 'sessionsDir'>,
  request: ResumeRequest,
): Result<string> {
  const { argument, cwd, directory } = request
  if (argument === '')
    return err('invalid-argument', 'Name a session by its path or the beginning of its id.')
  if (isPath(argument)) return existing(env, path.resolve(cwd, argument))
  const local = listSessionHeads(env, directory ?? sessionDirectoryFor(env, layout, cwd))
  if (!local.ok) return local
  const here = chosen(argument, local.value)
  if (here !== null || directory !== undefined) return here ?? none(argument)
  const all = listAllSessionHeads(env, layout.sessionsDir)
  if (!all.ok) return all
  return chosen(argument, all.value) ?? none(argument)
}

function isPath(argument: string): boolean {
  return /[/\\]/.test(argument) || argument.endsWith(JOURNAL_SUFFIX) || isArchive(argument)
}

function existing(env: Environment, file: string): Result<string> {
  const stat = attempt('read', file, () => env.fs.stat(file))
  return stat.ok ? ok(file) : stat
}

/** The one that fits, `conflict` for several, null for none. */
function chosen(argument: string, heads: readonly SessionHead[]): Result<string> | null {
  const wanted = argument.toLowerCase()
  const exact = heads.filter(({ id }) => id.toLowerCase() === wanted)
  const fitting = exact.length > 0 ? exact : heads.filter(head => namesOf(head).some(beginsWith(wanted)))
  const [first, ...more] = fitting
  if (first === undefined) return null
  if (more.length === 0) return ok(first.file)
  const named = fitting
    .slice(0, NAMED_CANDIDATES)
    .map(({ id, title, file }) => `${id} (${title === null ? file : `${title}, ${file}`})`)
  const rest = fitting.length > NAMED_CANDIDATES ? `, and ${fitting.length - NAMED_CANDIDATES} more` : ''
  return err(
    'conflict',
    `${fitting.length} sessions fit "${argument}": ${named.join(', ')}${rest}. Say more of the id, or name the file.`,
  )
}

function namesOf({ id, file }: SessionHead): string[] {
  const stem = path.basename(file, JOURNAL_SUFFIX)
  const separator = stem.lastIndexOf('_')
  return [id, stem, ...(separator < 0 ? [] : [stem.slice(separator + 1)])].map(name => name.toLowerCase())
}

function beginsWith(wanted: string): (name: string) => boolean {
  return name => name.startsWith(wanted)
}

function none(argument: string): Result<never> {
  return err('not-found', `No session fits "${argument}".`)
}
