/** Which session a FILE argument means, and why it must not be changed from here. */
import { err, ok, type Result } from '@shared/ipc/result'
import type { AgentLayout } from '../engine/layout/agent-directories'
import { resumeTarget } from '../engine/session/resume-target'
import { mayChangeAt } from '../library/may-change'
import { libraryRoots } from '../library/roots'
import { layoutAround } from '../library/session-home'
import { type CommandIo, UsageError } from './command'
import { agentDirProblem, agentDirRefusal } from './options'

export type SessionTarget = {
  /** Absolute path of the journal. */
  file: string
  layout: AgentLayout
}

/**
 * The session that `name` means: a path, or the beginning of an id in any root of this user (`only`: in that one).
 * `conflict` names the candidates where several fit.
 */
export function findSession(io: CommandIo, name: string, only: string | null): Result<SessionTarget> {
  if (name === '') throw new UsageError('A file name must not be empty.')
  const problem = agentDirProblem(only, io)
  if (problem !== null) return err('invalid-argument', problem)
  const found = fileOf(io, name, only)
  if (!found.ok) return found
  const refusal = agentDirRefusal(only, [found.value], io)
  if (refusal !== null) return err('invalid-argument', refusal, found.value)
  return ok({ file: found.value, layout: layoutAround(io.env, found.value, only) })
}

function fileOf(io: CommandIo, name: string, only: string | null): Result<string> {
  const files = new Set<string>()
  let missing: Result<string> | undefined
  for (const { layout } of libraryRoots(io.env, [], only)) {
    const found = resumeTarget(io.env, layout, { argument: name, cwd: io.cwd })
    if (found.ok) files.add(found.value)
    else if (found.error.code !== 'not-found') return found
    else missing ??= found
  }
  const [first, ...more] = files
  if (first === undefined) return missing ?? err('not-found', `No session fits "${name}".`)
  if (more.length === 0) return ok(first)
  return err(
    'conflict',
    `${files.size} sessions fit "${name}": ${[...files].join(', ')}. Name one by its path.`,
  )
}

/** Ok for a session that may be changed as far as its place goes: neither in the trash nor in a root that is only read. */
export function changeablePlace(io: CommandIo, { file, layout }: SessionTarget): Result<true> {
  return mayChangeAt(io.env, { journal: file, layout, readOnly: false })
}
