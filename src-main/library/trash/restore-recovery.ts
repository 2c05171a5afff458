/**
 * What a killed or stuck restore left, finished or rolled back: told from the files, repeatable.
 *
 *   our journal at its old place       finished: the journal moves last, so everything else is there; the item goes
 *   journal still in the trash         rolled back: parts that were moved return, copies are removed
 *   both, different files              our complete copy (noted, or equal byte for byte): finished. Else someone
 *                                      else's: rolled back, theirs is left alone
 */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import { isJsonObject } from '@shared/session/json'
import { type Environment, silentWork, type WorkContext } from '../../engine/environment'
import { isTemporaryName } from '../../engine/storage/atomic-replace'
import { hashFile, removeListed } from '../../engine/storage/copy-verify'
import { lstatOrUndefined, removeMadeDirectories, syncDirectory } from '../../engine/storage/directory-sync'
import { attemptAsync, EngineError, failure } from '../../engine/storage/errors'
import { isSameEntry, moveNoReplace } from '../../engine/storage/move-entry'
import { type TreeEntry, walkTree } from '../../engine/storage/tree-walk'
import type { ChangeContext, RecoveryOutcome } from '../changes/change-handlers'
import { isStringArray } from '../changes/json-guards'
import type { OpenOperation } from '../changes/operation-journal'
import { recordChange } from '../changes/recent-changes'
import { countText } from '../changes/words'
import { isUnitPart, removeTemporaries, underLock } from './delete-recovery'
import { containerOf, originalJournalOf, originDirectoryOf } from './manifest'
import { type RestoreUnit, restoreRecord } from './restore'
import type { UnitPart } from './session-unit'
import { discardEmptyItem } from './trash-item'
import { removeSources } from './unit-move'

/** Times of a copy are kept to less than this; see the system's utimes. */
const COPY_TIME_NS = 1_000_000n

export async function recoverRestore(
  operation: OpenOperation,
  context: ChangeContext,
  work: WorkContext,
): Promise<Result<RecoveryOutcome>> {
  const { env, data } = context
  const plan = operation.plan
  if (!isJsonObject(plan) || !Array.isArray(plan.units) || !plan.units.every(isRestoreUnit)) {
    return err('damaged', `${operation.path} holds no plan of a restore.`, operation.path)
  }
  const notes = operation.notes.filter(isJsonObject)
  const copied = new Set(notes.map(note => note.copied))
  const made = notes.flatMap(note => (isStringArray(note.made) ? [...note.made] : []))
  const restored: RestoreUnit[] = []
  for (const unit of plan.units) {
    const journal = originalJournalOf(unit.ref, unit.manifest)
    const turn = await attemptAsync('recover', journal, work.breathe)
    if (!turn.ok) return turn
    const outcome = await underLock(context, journal, () => recoverUnit(env, unit, copied.has(unit.ref.id)))
    if (!outcome.ok) return outcome
    if (outcome.value) restored.push(unit)
  }
  removeMadeDirectories(env.fs, made)
  if (restored.length > 0 && plan.record !== false) {
    const recorded = await recordChange(env, data, restoreRecord(operation.id, operation.time, restored))
    if (!recorded.ok) return recorded
  }
  const back = plan.units.length - restored.length
  const sentences: string[] = []
  if (restored.length > 0)
    sentences.push(`An interrupted restore was finished: ${countText(restored.length, 'session')}.`)
  if (back > 0) sentences.push(`An interrupted restore was rolled back: ${countText(back, 'session')}.`)
  return ok({ notes: sentences })
}

/** Checked as far as recovery depends on it; the file lies in our own directory and was written by us. */
function isRestoreUnit(value: unknown): value is RestoreUnit {
  if (!isJsonObject(value) || !isJsonObject(value.ref) || !isJsonObject(value.manifest)) return false
  const { ref, manifest, parts } = value
  const named = typeof ref.id === 'string' && typeof ref.sessionsDir === 'string'
  return (
    named &&
    isJsonObject(manifest.origin) &&
    typeof manifest.container === 'string' &&
    Array.isArray(manifest.parts) &&
    Array.isArray(parts) &&
    parts.every(isUnitPart)
  )
}

/** True when the session is at its place in the end. */
async function recoverUnit(env: Environment, unit: RestoreUnit, copied: boolean): Promise<Result<boolean>> {
  const { ref, manifest, parts } = unit
  const trash = containerOf(ref, manifest)
  const origin = originDirectoryOf(ref, manifest)
  const journal = parts.find(part => part.role === 'journal')
  if (journal === undefined) return ok(false)
  const [there, here] = [path.join(trash, journal.name), path.join(origin, journal.name)]
  try {
    const kept = lstatOrUndefined(env.fs, there)
    const back = lstatOrUndefined(env.fs, here)
    const isOurs =
      back?.ino.toString() === journal.identity?.ino && back?.dev.toString() === journal.identity?.dev
    if (back !== undefined && isOurs) {
      if (kept !== undefined) env.fs.unlink(there)
      moveRest(env, parts, trash, origin)
    } else if (kept === undefined) {
      if (back === undefined) return ok(false)
      // The copy is there and its source is gone: what is left in the trash are sources of complete copies.
      await removeSources(env, trash, parts)
    } else if (back !== undefined && (copied || (await isSameContent(env, here, there)))) {
      await removeSources(env, trash, parts)
    } else {
      await rollBack(env, parts, trash, origin)
      return ok(false)
    }
    removeTemporaries(env, trash)
    removeTemporaries(
      env,
      origin,
      parts.map(part => part.name),
    )
    discardEmptyItem(env, ref, manifest.container)
    return ok(true)
  } catch (thrown) {
    return failure(thrown, 'recover', here)
  }
}

function moveRest(env: Environment, parts: readonly UnitPart[], trash: string, origin: string): void {
  for (const part of parts) {
    const [there, here] = [path.join(trash, part.name), path.join(origin, part.name)]
    if (lstatOrUndefined(env.fs, there) === undefined) continue
    if (isSameEntry(env.fs, there, here)) env.fs.unlink(there)
    else if (lstatOrUndefined(env.fs, here) === undefined) moveNoReplace(env.fs, there, here)
  }
  syncDirectory(env, origin)
}

async function isSameContent(env: Environment, a: string, b: string): Promise<boolean> {
  const [first, second] = [await hashFile(env, a, silentWork), await hashFile(env, b, silentWork)]
  return first.ok && second.ok && first.value === second.value
}

async function rollBack(
  env: Environment,
  parts: readonly UnitPart[],
  trash: string,
  origin: string,
): Promise<void> {
  for (const part of parts) {
    if (part.role === 'journal') continue
    const [there, here] = [path.join(trash, part.name), path.join(origin, part.name)]
    const back = lstatOrUndefined(env.fs, here)
    if (back === undefined) continue
    if (isSameEntry(env.fs, there, here)) env.fs.unlink(here)
    else if (lstatOrUndefined(env.fs, there) !== undefined) await removeCopied(env, here, part.entries)
    else if (back.ino.toString() === part.entries[0]?.ino) moveNoReplace(env.fs, here, there)
  }
  const names = parts.map(part => part.name)
  removeTemporaries(env, origin, names)
}

/** Removes what of a copy is still as it was copied; what someone wrote there since is theirs. */
async function removeCopied(env: Environment, place: string, planned: readonly TreeEntry[]): Promise<void> {
  const tree = await walkTree(env, place, silentWork)
  if (!tree.ok) throw new EngineError(tree.error.code, tree.error.message, place)
  const known = new Map(planned.map(entry => [entry.path, entry]))
  const ours = tree.value.entries.filter(entry => {
    const name = entry.path.split('/').pop() ?? ''
    return isTemporaryName(name) || isCopyOf(known.get(entry.path), entry)
  })
  await removeListed(env, place, ours, silentWork)
}

function isCopyOf(planned: TreeEntry | undefined, entry: TreeEntry): boolean {
  if (planned === undefined || planned.kind !== entry.kind || planned.size !== entry.size) return false
  if (entry.kind !== 'file') return true
  const apart = BigInt(planned.mtimeNs) - BigInt(entry.mtimeNs)
  return apart < COPY_TIME_NS && apart > -COPY_TIME_NS
}
