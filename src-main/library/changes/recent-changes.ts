/**
 * RECENT CHANGES: the list of what Grove did, with what is needed to undo it.
 *
 * Guarantees
 *   The file is replaced atomically, under a lock that app and CLI share: no change of one loses that of the other.
 *   Bounded: the newest 200, and of those as many as 64 MB hold with their texts, the newest in any case. Recording the same id
 *   again replaces it (recovery may record what was recorded).
 *   Small: long texts lie beside it, and are there before it names them (kept-texts.ts, with what happens when that fails).
 *   A list that cannot be parsed is never overwritten: it is set aside as `changes.json.damaged-<ms>`, with its texts.
 *
 * Failures
 *   A change whose record cannot be written has still happened: the caller says so in its report. Its journal stays,
 *   so that the next recovery records it.
 */
import { err, ok, type Result } from '@shared/ipc/result'
import { isJsonObject } from '@shared/session/json'
import type { Environment } from '../../engine/environment'
import { writeWholeNow } from '../../engine/storage/atomic-replace'
import { lstatOrUndefined } from '../../engine/storage/directory-sync'
import { attempt } from '../../engine/storage/errors'
import { withPublishLock } from '../../engine/storage/publish-lock'
import { readWholeText } from '../../engine/storage/read-whole'
import { ensureGroveData, type GroveData } from '../grove-data'
import { numberOr, parseJson, stringOr } from './json-guards'
import { forgetOthers, type KeptText, keepOutside, keptTextOf, setTextsAside } from './kept-texts'
import { type ChangeKind, kindOf } from './operation-journal'

/** More than a person looks through; bounds the file at some megabytes. */
const CHANGES_KEPT = 200
/** Characters that are kept, bytes of texts beside the list included: undoing ten thousand sessions takes some ten million. */
const CHARS_KEPT = 64 * 1024 * 1024
/** Far beyond what is written: a list is never so long that the next change could not be added to it. */
const CHANGES_BYTES = 256 * 1024 * 1024

export type ChangeRecord = {
  id: string
  kind: ChangeKind
  /** "Moved 2 sessions to trash" */
  text: string
  /** "9 files, 4.1 MB" */
  detail: string
  time: number
  state: 'done' | 'undone'
  /** What the kind's handler needs to undo it, plain JSON; null when it never can be. A long text in its `before` is read back as a `KeptText`. */
  undo: unknown
  /** Why it never can be undone, or null. */
  whyNot: string | null
}

/** Newest first. A missing list is an empty one; an unreadable one is an error, not an empty list. */
export function readChanges(env: Environment, data: GroveData): Result<ChangeRecord[]> {
  const text = attempt('read', data.changes, () =>
    lstatOrUndefined(env.fs, data.changes) === undefined
      ? undefined
      : readWholeText(env.fs, data.changes, CHANGES_BYTES),
  )
  if (!text.ok) return text
  if (text.value === undefined) return ok([])
  const parsed = parseJson(text.value)
  if (!isJsonObject(parsed) || parsed.version !== 1 || !Array.isArray(parsed.changes)) {
    return err('damaged', `The list of recent changes, ${data.changes}, cannot be read.`, data.changes)
  }
  const records: ChangeRecord[] = []
  for (const value of parsed.changes) {
    const record = recordOf(value)
    if (record !== undefined) records.push(record)
  }
  return ok(records)
}

function recordOf(value: unknown): ChangeRecord | undefined {
  if (!isJsonObject(value)) return undefined
  const kind = kindOf(value.kind)
  const id = stringOr(value.id, undefined)
  if (kind === undefined || id === undefined) return undefined
  return {
    id,
    kind,
    text: stringOr(value.text, ''),
    detail: stringOr(value.detail, ''),
    time: numberOr(value.time, 0),
    state: value.state === 'undone' ? 'undone' : 'done',
    undo: value.undo ?? null,
    whyNot: stringOr(value.whyNot, null),
  }
}

/** Puts `record` at the head of the list, in place of an earlier one with its id. */
export function recordChange(env: Environment, data: GroveData, record: ChangeRecord): Promise<Result<void>> {
  return rewrite(env, data, records => [record, ...records.filter(other => other.id !== record.id)])
}

/** Changes the record with that id; ok and nothing done when there is none (it fell off the list). */
export function updateChange(
  env: Environment,
  data: GroveData,
  id: string,
  update: (record: ChangeRecord) => ChangeRecord,
): Promise<Result<void>> {
  return rewrite(env, data, records => records.map(record => (record.id === id ? update(record) : record)))
}

async function rewrite(
  env: Environment,
  data: GroveData,
  edit: (records: ChangeRecord[]) => ChangeRecord[],
): Promise<Result<void>> {
  const ready = ensureGroveData(env, data)
  if (!ready.ok) return ready
  return withPublishLock(env, data.changes, () => {
    const present = readChanges(env, data)
    if (!present.ok) {
      if (present.error.code !== 'damaged') return present
      const suffix = `.damaged-${env.now()}`
      // The texts first: were the list gone alone, the next change would remove them.
      const texts = setTextsAside(env, data, suffix)
      if (!texts.ok) return texts
      const moved = attempt('set aside', data.changes, () =>
        env.fs.rename(data.changes, `${data.changes}${suffix}`),
      )
      if (!moved.ok) return moved
    }
    const { changes, texts } = newestThatFit(env, data, edit(present.ok ? present.value : []))
    const text = `{"version":1,"changes":[${changes.join(',')}]}\n`
    const written = writeWholeNow(env, data.changes, text, 0o600)
    if (!written.ok) return written
    forgetOthers(env, data, texts)
    return ok(undefined)
  })
}

/** The newest records as JSON, as many as are kept, and the texts beside the list that they name. */
function newestThatFit(
  env: Environment,
  data: GroveData,
  records: readonly ChangeRecord[],
): { changes: string[]; texts: KeptText[] } {
  const changes: string[] = []
  const texts: KeptText[] = []
  let chars = 0
  for (const record of records.slice(0, CHANGES_KEPT)) {
    const undo = keepOutside(env, data, record.undo)
    const kept = keptTextOf(undo)
    const text = JSON.stringify({ ...record, undo })
    chars += text.length + (kept?.bytes ?? 0)
    if (chars > CHARS_KEPT && changes.length > 0) break
    changes.push(text)
    if (kept !== null) texts.push(kept)
  }
  return { changes, texts }
}
