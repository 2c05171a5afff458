/** Images that stand in the journal itself, as bytes. */
import { err, ok, type Result } from '@shared/ipc/result'
import type { SessionDocument } from '../../engine/session/session-document'
import { imageSources } from './shown-image'

/** Bytes of the `position`-th image of an entry. */
export function inlineImage(
  document: SessionDocument,
  ordinal: number,
  position: number,
): Result<Uint8Array> {
  const record = document.entry(ordinal)
  if (!record.ok) return record
  const source = imageSources(record.value)[position]
  if (source === undefined) return err('not-found', `Entry ${ordinal} of ${document.path} has no such image.`)
  return ok(decodeImage(source.data))
}

/** Bytes of base64 text or of a data URL. */
export function decodeImage(data: string): Uint8Array {
  const dataUrl = /^data:image\/[^;,]+;base64,/.exec(data)
  return Buffer.from(dataUrl === null ? data : data.slice(dataUrl[0].length), 'base64')
}

/** A blob's picture: its bytes, or what the data URL in it holds. */
export function imageInBlob(bytes: Uint8Array): Uint8Array {
  const start = Buffer.from(bytes.subarray(0, 11)).toString('latin1')
  return start === 'data:image/' ? decodeImage(Buffer.from(bytes).toString('latin1')) : bytes
}
