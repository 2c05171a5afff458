/**
 * PREPARE RECORD: a record as the line that is written for it (docs/format.md, Writing a record).
 *
 * Guarantees
 *   The line is one line: JSON without a line feed in it, then one line feed, in UTF-8, of at most `limits.lineBytes`.
 *   What is left out is on the disk elsewhere: a reasoning signature that the record's own payload repeats, structured
 *   content whose whole text an artifact holds, `jsonlEvents`, the label of a queued message; pictures are in the blob store.
 *   Everything else is written whole, however long. omp cuts texts over 500,000 characters; it reads longer ones.
 *   Sealed blocks (signed, encrypted, or replayed to a provider) are written byte for byte.
 *   The record that was passed in is not changed: memory keeps what the line leaves out.
 *
 * Not guaranteed
 *   That the line says what JSON cannot say: `undefined` is left out, NaN becomes null, half a character is escaped.
 *   A BigInt becomes decimal text.
 *
 * Failures
 *   nested deeper than 2,000, in a circle, or not to be said in JSON -> `invalid-argument`
 *   longer than a line that is read                                  -> `too-large`
 *   a picture that cannot be stored                                  -> the error of the blob store
 *   After any of them nothing of the record was written; blobs that were stored stay.
 */
import { err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { isSealed, LAZY_KEY, withLineCount } from '@shared/session/blob-positions'
import { type JsonObject, parseObject } from '@shared/session/json'
import { mapRecord, RECORD_DEPTH } from '@shared/session/map-record'
import { isPlainJson } from '@shared/session/plain-json'
import { externaliseImages, type PutBlob } from '../blobs/externalise'
import { withoutCopiedContent, withoutQueueLabel, withoutRepeatedSignatures } from './slim-record'

export type PreparedRecord = {
  /** JSON and a line feed. */
  line: Uint8Array
  /** What `line` says: the record with references in place of its pictures. */
  record: JsonObject
  /** `JSON.parse` of the line answers just what `record` is. */
  plain: boolean
}

type RecordText = { json: string; record: JsonObject }

/** Key of raw events of a subprocess, which its own files hold. */
const EVENTS_KEY = 'jsonlEvents'

/**
 * The line for a header or an entry.
 *
 * @param store takes the pictures: a `BlobWriter`; null leaves them in the line
 * @param maxBytes longest line, in bytes
 */
export function prepareRecord(
  record: JsonObject,
  store: { put: PutBlob } | null,
  maxBytes: number = limits.lineBytes,
): Result<PreparedRecord> {
  const slim = withoutQueueLabel(withoutCopiedContent(withoutRepeatedSignatures(record)))
  const plain = isPlainJson(slim)
  const asItIs = plain ? jsonOf(slim) : null
  if (asItIs?.ok === true && staysAsItIs(asItIs.value.json, store !== null))
    return lineOf(asItIs.value, plain, maxBytes)
  const { record: trimmed, tooDeep } = mapRecord(slim, {
    keep: isSealed,
    drop: key => key === EVENTS_KEY,
    changed: withLineCount,
  })
  if (tooDeep) return err('invalid-argument', `A record nests deeper than ${RECORD_DEPTH} levels.`)
  const written =
    store === null ? ok(trimmed) : externaliseImages(trimmed, (bytes, options) => store.put(bytes, options))
  if (!written.ok) return written
  const text = jsonOf(written.value)
  return text.ok ? lineOf(text.value, isPlainJson(text.value.record), maxBytes) : text
}

function lineOf({ json, record }: RecordText, plain: boolean, maxBytes: number): Result<PreparedRecord> {
  const line = Buffer.from(`${json}\n`, 'utf8')
  return line.length > maxBytes ? tooLarge(line.length) : ok({ line, record, plain })
}

/**
 * Whether nothing of a record is changed by what it holds: most are not, and are told by their text. Every place of a picture has
 * one of these words in a key or in its type (docs/format.md, Blob store).
 */
function staysAsItIs(json: string, storesPictures: boolean): boolean {
  if (json.includes(EVENTS_KEY)) return false
  return !storesPictures || !(json.includes('image') || json.includes(LAZY_KEY))
}

/** The JSON of a record, and what it says. */
function jsonOf(record: JsonObject): Result<RecordText> {
  try {
    const json = JSON.stringify(record)
    if (json.startsWith('{')) return ok({ json, record })
    return err('invalid-argument', 'A record must be an object.')
  } catch (thrown) {
    if (isStringLimit(thrown)) return tooLarge(null)
    return jsonWithBigInts(record)
  }
}

function jsonWithBigInts(record: JsonObject): Result<RecordText> {
  try {
    const json = JSON.stringify(record, (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    )
    const said = parseObject(json)
    return said === null ? err('invalid-argument', 'A record must be an object.') : ok({ json, record: said })
  } catch (thrown) {
    if (isStringLimit(thrown)) return tooLarge(null)
    const reason = thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : String(thrown)
    return err('invalid-argument', `A record cannot be written as JSON: ${reason}.`)
  }
}

/** Whether the text would be longer than a string can be; a nesting too deep is a RangeError as well. */
function isStringLimit(thrown: unknown): boolean {
  return thrown instanceof RangeError && /string length/i.test(thrown.message)
}

function tooLarge(bytes: number | null): Result<never> {
  const size = bytes === null ? '' : ` (${bytes} bytes)`
  return err('too-large', `A record is too large for one line${size}; at most ${limits.lineBytes} are read.`)
}
