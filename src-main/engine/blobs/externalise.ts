/**
 * Pictures of a record into the blob store: the record that is written refers to them.
 *
 * Guarantees: what `resolveBlobs` makes of the answer is the record as it was, character for character. Text that
 * is not exactly what its bytes are in base64 (blanks, missing padding, another alphabet) therefore stays where it is;
 * omp would store the bytes and give back another text. Sealed blocks are not touched.
 * Rule: docs/format.md, Blob store.
 */
import { type AppError, ok, type Result } from '@shared/ipc/result'
import {
  BLOB_MIN_CHARS,
  IMAGE_URL_KEY,
  isImageDataUrl,
  isSealed,
  pictureFieldOf,
  withLineCount,
} from '@shared/session/blob-positions'
import { isJsonObject, type JsonObject } from '@shared/session/json'
import { mapRecord } from '@shared/session/map-record'
import { blobExtensionOf } from './blob-extension'
import type { PutOptions } from './blob-writer'

/** Stores bytes and answers their SHA-256: `BlobWriter.put`, or a stand-in that only counts. */
export type PutBlob = (bytes: Uint8Array, options: PutOptions) => Result<string>

/** The record with references in place of its pictures; the record itself when it has none. The first error of `put`. */
export function externaliseImages(record: JsonObject, put: PutBlob): Result<JsonObject> {
  let failed: AppError | null = null
  const refer = (bytes: Uint8Array, extension: string | null): string | null => {
    if (failed !== null) return null
    const hash = put(bytes, { extension })
    if (hash.ok) return `blob:sha256:${hash.value}`
    failed = hash.error
    return null
  }
  const replace = (value: unknown, key: string | null): unknown => {
    if (typeof value === 'string') {
      if (key !== IMAGE_URL_KEY || !isImageDataUrl(value)) return value
      const bytes = exactBytes(value, 'utf8')
      return (bytes && refer(bytes, null)) ?? value
    }
    const field = isJsonObject(value) ? pictureFieldOf(value, key) : null
    if (field === null || !isJsonObject(value)) return value
    const text = value[field]
    if (typeof text !== 'string' || text.length < BLOB_MIN_CHARS) return value
    const bytes = exactBytes(text, 'base64')
    const reference = bytes && refer(bytes, field === 'data' ? blobExtensionOf(value.mimeType) : null)
    return reference === null ? value : { ...value, [field]: reference }
  }
  const { record: mapped } = mapRecord(record, { replace, keep: isSealed, changed: withLineCount })
  return failed === null ? ok(mapped) : { ok: false, error: failed }
}

/** The bytes that `text` stands for, or null when they would not give the same text back. */
function exactBytes(text: string, encoding: 'base64' | 'utf8'): Uint8Array | null {
  const bytes = Buffer.from(text, encoding)
  return bytes.toString(encoding) === text ? bytes : null
}
