/** Moving and dropping an open session. Rule: docs/format.md, Move. */
import path from 'node:path'
import { type AppError, ok, type Result } from '@shared/ipc/result'
import type { Environment } from '../environment'
import type { AgentLayout } from '../layout/agent-directories'
import { sessionDirectoryFor } from '../layout/session-directory'
import { artifactDirectoryOf } from '../layout/session-paths'
import { lstatOrUndefined } from '../storage/directory-sync'
import { attempt } from '../storage/errors'
import { splice } from './json-splice'
import type { MoveOptions } from './manager-options'
import type { ManagerSettings } from './manager-settings'
import { type DroppedSession, withoutOperations } from './many-file-operations'
import { SessionJournal } from './session-journal'

export type MovedJournal = {
  /** At the new place; an error when it was moved and cannot be read there. */
  journal: Result<SessionJournal>
  layout: AgentLayout
  notes: string[]
}

/** The journal at the place of `newCwd`; one that is in memory only and has no artifacts stays so. An error means that it is where it was. */
export async function moveJournal(
  env: Environment,
  settings: ManagerSettings,
  from: SessionJournal,
  newCwd: string,
  options: MoveOptions,
): Promise<Result<MovedJournal>> {
  const { layout = settings.layout } = options
  const directory = options.directory ?? sessionDirectoryFor(env, layout, newCwd)
  const file = path.join(directory, path.basename(from.storage.path))
  const ready = file === from.storage.path ? ok(true as const) : await withItsArtifacts(env, from)
  if (!ready.ok) return ready
  const inMemory = from.elsewhere(layout, file, line => splice(line, [{ key: 'cwd', value: newCwd }]))
  if (inMemory !== null) return inMemory.ok ? ok({ journal: inMemory, layout, notes: [] }) : inMemory
  const { operations, includeMaybe = false } = settings
  if (operations === undefined) return withoutOperations('moved', from.storage.path)
  const elsewhere = options.layout === undefined ? {} : { sessionsDir: layout.sessionsDir }
  const place = options.directory === undefined ? elsewhere : { ...elsewhere, directory }
  const moved = await operations.move({ ...from.inQuestion(), includeMaybe, newCwd, ...place })
  if (!moved.ok) return moved
  const { file: to, layout: there, notes } = moved.value
  const journal = SessionJournal.open(env, { ...settings, layout: there }, to, true)
  return ok({
    journal: journal.ok ? journal : { ok: false, error: unreadable(journal.error, to) },
    layout: there,
    notes,
  })
}

function unreadable(error: AppError, file: string): AppError {
  return { ...error, message: `The session was moved to ${file}, and cannot be read there: ${error.message}` }
}

/** The session in the trash of its root; null for one that was in memory only. */
export async function dropJournal(
  env: Environment,
  { operations, includeMaybe = false }: ManagerSettings,
  journal: SessionJournal,
): Promise<Result<DroppedSession | null>> {
  const ready = await withItsArtifacts(env, journal)
  if (!ready.ok) return ready
  if (!journal.isOnDisk) return ok(null)
  if (operations === undefined) return withoutOperations('dropped', journal.storage.path)
  return operations.drop({ ...journal.inQuestion(), includeMaybe })
}

/** A session in memory that has artifacts is written, so that they go where it goes: without a journal they are nobody's. */
async function withItsArtifacts(env: Environment, journal: SessionJournal): Promise<Result<true>> {
  const directory = artifactDirectoryOf(journal.storage.path)
  if (journal.isOnDisk || directory === null) return ok(true)
  const found = attempt('look at', directory, () => lstatOrUndefined(env.fs, directory))
  if (!found.ok) return found
  return found.value === undefined ? ok(true) : journal.publish()
}
