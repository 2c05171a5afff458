/** A session as the commands that write one work on it: opened, asked whether it may be changed, remembered afterwards. */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import { SessionManager } from '../engine/session/session-manager'
import type { SyncMode } from '../engine/storage/session-storage'
import type { ChangeContext } from '../library/changes/change-handlers'
import { notRemembered } from '../library/changes/remember-made'
import { workingSettings } from '../library/working-session'
import { commandContext, recoverFirst } from './change-support'
import type { CommandIo } from './command'
import { safeText } from './plain-text'
import { changeablePlace, findSession, type SessionTarget } from './session-target'
import { mayWrite } from './writable'

export type ChangeOptions = {
  /** `--agent-dir`, absolute. */
  only: string | null
  dryRun: boolean
  includeMaybe?: boolean
  sync?: SyncMode
}

export type SessionAtWork = {
  manager: SessionManager
  context: ChangeContext
  /** After a run that wrote; answers what went wrong with it, for the user. */
  remember(): string[]
}

/**
 * Opens the session that `name` means. Nothing is written but, unless it is a dry run, what recovery finishes. `begin`: a blank
 * file that somebody made is one that begins; else it is refused, since there is nothing in it to change.
 */
export async function openSession(
  io: CommandIo,
  name: string,
  options: ChangeOptions,
  begin = false,
): Promise<Result<SessionAtWork>> {
  const target = findSession(io, name, options.only)
  if (!target.ok) return target
  const place = changeablePlace(io, target.value)
  if (!place.ok) return place
  const work = await beginWork(io, target.value, options)
  const manager = SessionManager.open(io.env, work.settings, target.value.file, io.cwd)
  if (!manager.ok) return manager
  if (!manager.value.isOnDisk && !begin) {
    const { file } = target.value
    return err('damaged', `${file} holds no session: it is empty. Nothing is written to it.`, file)
  }
  return ok({ manager: manager.value, context: work.context, remember: work.remember })
}

/** The context and the settings for a session of the layout. */
export async function beginWork(
  io: CommandIo,
  { layout }: Pick<SessionTarget, 'layout'>,
  { only, dryRun, includeMaybe = false, sync = 'os' }: ChangeOptions,
) {
  const context = commandContext(io, only, [layout.breadcrumbsDir])
  if (!dryRun) await recoverFirst(context, io)
  const working = workingSettings(context, layout, only, { gate: 'open', sync, includeMaybe })
  const remember = () => notRemembered(working.remember())
  return { context, settings: working.settings, remember }
}

/** Ok when an appended line would not be refused now. Looks only. */
export async function wouldAppend(io: CommandIo, { manager }: SessionAtWork): Promise<Result<true>> {
  const free = await manager.check()
  return free.ok ? mayWrite(io, placesOf(manager)) : free
}

/** What a change of the journal writes to: the file, and the folder for its lock. */
export function placesOf({ file }: Pick<SessionManager, 'file'>): string[] {
  return [path.dirname(file), file]
}

/** `not-found` for an id that is none of the session's. */
export function hasEntry({ document, file }: SessionManager, id: string): Result<true> {
  if (document.index.ordinalOf(id) !== undefined) return ok(true)
  return err('not-found', `${file} holds no entry ${id}.`, file)
}

/** One line on standard error, and the exit code 1. */
export function fail(io: CommandIo, message: string): number {
  io.error(`grove: ${safeText(message)}`)
  return 1
}

/** The answer: one JSON object, or sentences; notes go to standard error then. */
export function answer(
  io: CommandIo,
  json: boolean,
  facts: { notes: readonly string[] },
  sentences: readonly string[],
): void {
  if (json) io.print(JSON.stringify(facts, null, 2))
  else
    for (const sentence of sentences)
      io.print(`${/^ */.exec(sentence)?.[0] ?? ''}${safeText(sentence.trimStart())}`)
  for (const note of facts.notes) io.error(`grove: ${safeText(note)}`)
}
