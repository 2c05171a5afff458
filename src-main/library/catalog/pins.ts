/**
 * PINS: omp's stars, the ids of starred sessions. Rule: docs/format.md, Pins.
 *
 * Guarantees
 *   Reading: missing or broken is an empty set.
 *   Changing: whole or not at all (atomic-replace.ts). What else the list holds stays, in its order. A file that is no list is
 *   never overwritten (`damaged`); one that another program changed meanwhile is read again. Two changes by Grove take turns.
 *
 * Not guaranteed
 *   omp holds a lock of the system that other programs cannot take: a star that it sets in the very moment between our last look
 *   and the rename is lost.
 *
 * Failures
 *   up to the rename    the old list stands; the error of the system
 *   directory sync      the new list stands, error `io`; doing it again is ok
 */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { stringsOf } from '@shared/session/json'
import type { Environment } from '../../engine/environment'
import { publishNewNow, replaceFileNow } from '../../engine/storage/atomic-replace'
import { statRegularFile } from '../../engine/storage/byte-source'
import { ensureDirectory, lstatOrUndefined } from '../../engine/storage/directory-sync'
import { attempt } from '../../engine/storage/errors'
import { captureIdentity, type FileIdentity } from '../../engine/storage/file-identity'
import { withPublishLock } from '../../engine/storage/publish-lock'
import { readWholeText } from '../../engine/storage/read-whole'
import { parseJson } from '../changes/json-guards'

/** Session ids in any of the given pin files. */
export function readPins(env: Environment, files: readonly string[]): Set<string> {
  return new Set(files.flatMap(file => pinsOf(env, file)))
}

function pinsOf(env: Environment, file: string): string[] {
  const text = attempt('read', file, () => {
    statRegularFile(env.fs, file)
    return readWholeText(env.fs, file, limits.namesBytes)
  })
  return text.ok ? stringsOf(parseJson(text.value)) : []
}

/** What a list of pins is to become: `at` says where an id comes in; null: at its end. */
export type PinChange = { id: string; starred: boolean; at: number | null }

/** What was changed. `at`: where an id stood that was taken out. */
export type PinChanged = PinChange & { file: string }

export type PinsChanged = { changed: PinChanged[]; bytes: number }

/** How often a list is read again that another program writes. */
const TRIES = 5

/** Sets and takes away stars in one list. A list that says so already is not written. */
export function changePins(
  env: Environment,
  file: string,
  changes: readonly PinChange[],
): Promise<Result<PinsChanged>> {
  // The lock lies beside the list: there is nothing to take out of one whose directory is not there.
  const ready = attempt('make the folder of', file, () => readyFor(env, file, changes))
  if (!ready.ok) return Promise.resolve(ready)
  if (!ready.value) return Promise.resolve(ok({ changed: [], bytes: 0 }))
  return withPublishLock(env, file, () => {
    let last: Result<PinsChanged> = ok({ changed: [], bytes: 0 })
    for (let tries = 0; tries < TRIES; tries++) {
      last = changeOnce(env, file, changes)
      if (last.ok || (last.error.code !== 'changed-on-disk' && last.error.code !== 'conflict')) return last
    }
    return last
  })
}

/** What `changePins` would change. Looks only. */
export function lookAtPins(
  env: Environment,
  file: string,
  changes: readonly PinChange[],
): Result<PinsChanged> {
  const present = readList(env, file)
  if (!present.ok) return present
  const changed = apply(present.value.list, changes).map(change => ({ ...change, file }))
  return ok({ changed, bytes: 0 })
}

function readyFor(env: Environment, file: string, changes: readonly PinChange[]): boolean {
  if (lstatOrUndefined(env.fs, file) !== undefined) return true
  if (!changes.some(({ starred }) => starred)) return false
  ensureDirectory(env, path.dirname(file))
  return true
}

function changeOnce(env: Environment, file: string, changes: readonly PinChange[]): Result<PinsChanged> {
  const present = readList(env, file)
  if (!present.ok) return present
  const { list, identity } = present.value
  const changed = apply(list, changes).map(change => ({ ...change, file }))
  if (changed.length === 0) return ok({ changed, bytes: 0 })
  const bytes = [Buffer.from(listText(list), 'utf8')]
  const written =
    identity === null
      ? publishNewNow(env, file, bytes, { mode: 0o600 })
      : replaceFileNow(env, file, bytes, { expected: identity })
  return written.ok ? ok({ changed, bytes: written.value.size }) : written
}

/** The list as it is; a missing one is empty. */
function readList(
  env: Environment,
  file: string,
): Result<{ list: unknown[]; identity: FileIdentity | null }> {
  const there = attempt('look at', file, () => lstatOrUndefined(env.fs, file))
  if (!there.ok) return there
  if (there.value === undefined) return ok({ list: [], identity: null })
  if (there.value.kind !== 'file')
    return err('conflict', `${file} is not a regular file; it is left as it is.`, file)
  // Before it is read: what is written in between is then noticed.
  const identity = captureIdentity(env.fs, file)
  if (!identity.ok) return identity
  const text = attempt('read', file, () => readWholeText(env.fs, file, limits.namesBytes))
  if (!text.ok) return text
  const list: unknown = text.value.trim() === '' ? [] : parseJson(text.value)
  if (Array.isArray(list)) return ok({ list, identity: identity.value })
  const advice = 'Look into it, or move it away; then stars can be set again.'
  return err('damaged', `${file} holds no list of stars, so it is not overwritten. ${advice}`, file)
}

/** Changes the list in place; answers what was really changed. */
function apply(list: unknown[], changes: readonly PinChange[]): PinChange[] {
  const done: PinChange[] = []
  for (const { id, starred, at } of changes) {
    const place = list.indexOf(id)
    if (starred === place >= 0) continue
    done.push({ id, starred, at: place < 0 ? at : place })
    if (starred) list.splice(at === null ? list.length : at, 0, id)
    for (let again = place; again >= 0; again = list.indexOf(id)) list.splice(again, 1)
  }
  return done
}

/** As omp writes it. */
function listText(list: readonly unknown[]): string {
  return JSON.stringify(list, null, '\t')
}
