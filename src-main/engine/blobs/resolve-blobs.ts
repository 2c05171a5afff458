/**
 * References of a record back to the pictures they stand for: the reverse of `externaliseImages`.
 *
 * Guarantees: a blob that is missing, torn or cannot be read is told, and its reference stays in the record as the text
 * it is, so that it survives every later writing. Pictures under `frames` stay references: they are large, and few are
 * ever needed. The record that was passed in is not changed. What lies deeper than `RECORD_DEPTH` stays as it is.
 * Rule: docs/format.md, Blob store.
 */
import type { AppError, Result } from '@shared/ipc/result'
import { IMAGE_URL_KEY, isSealed, LAZY_KEY, pictureFieldOf } from '@shared/session/blob-positions'
import { blobHashesIn, blobHashOf } from '@shared/session/blob-refs'
import { isJsonObject, type JsonObject } from '@shared/session/json'
import { mapRecord } from '@shared/session/map-record'
import { bufferOf } from '../storage/byte-source'

export type UnresolvedBlob = {
  hash: string
  reason: 'missing' | 'torn' | 'unreadable'
  error: AppError
}

export type ResolvedRecord = {
  record: JsonObject
  /** Each blob once, in the order in which the record names them. */
  unresolved: UnresolvedBlob[]
}

/**
 * The record with its pictures in it.
 *
 * @param get the bytes of a blob, checked; errors `not-found` and `damaged` as `BlobStore.get` answers them
 */
export function resolveBlobs(record: JsonObject, get: (hash: string) => Result<Uint8Array>): ResolvedRecord {
  if (blobHashesIn(record).length === 0) return { record, unresolved: [] }
  const known = new Map<string, Result<Uint8Array>>()
  const bytesOf = (hash: string): Uint8Array | null => {
    const got = known.get(hash) ?? get(hash)
    known.set(hash, got)
    return got.ok ? got.value : null
  }
  const replace = (value: unknown, key: string | null): unknown => {
    if (typeof value === 'string') {
      return key === IMAGE_URL_KEY ? (textOf(value, 'utf8', bytesOf) ?? value) : value
    }
    if (!isJsonObject(value)) return value
    const field = pictureFieldOf(value, key)
    if (field === null || (field === 'data' && key === LAZY_KEY)) return value
    const text = textOf(value[field], 'base64', bytesOf)
    return text === null ? value : { ...value, [field]: text }
  }
  const mapped = mapRecord(record, { replace, keep: isSealed, inside: true })
  const unresolved: UnresolvedBlob[] = []
  for (const [hash, got] of known) {
    if (!got.ok) unresolved.push({ hash, reason: reasonOf(got.error), error: got.error })
  }
  return { record: mapped.record, unresolved }
}

function textOf(
  value: unknown,
  encoding: 'base64' | 'utf8',
  bytesOf: (hash: string) => Uint8Array | null,
): string | null {
  const hash = blobHashOf(value)
  const bytes = hash === null ? null : bytesOf(hash)
  return bytes === null ? null : bufferOf(bytes).toString(encoding)
}

function reasonOf(error: AppError): UnresolvedBlob['reason'] {
  if (error.code === 'not-found') return 'missing'
  return error.code === 'damaged' ? 'torn' : 'unreadable'
}
