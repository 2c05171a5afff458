/** Images of an entry as addresses that the window's own scheme serves; no bytes in rows. */
import type { ShownImage } from '@shared/ipc/models/transcript-models'
import { blobHashOf } from '@shared/session/blob-refs'
import { type JsonObject, objectOf, objectsOf, stringOrNull } from '@shared/session/json'
import type { BlobStore } from '../../engine/blobs/blob-store'

/** How images are addressed: by the root whose blob store holds them, and by the session for inline ones. */
export type ImageAddress = { blobs: BlobStore; blobRoot: string; session: string }

/** The image strings of a message or record, in order; the position is the address of an inline one. */
export function imageSources(record: JsonObject): { data: string; mimeType: string }[] {
  const message = objectOf(record.message)
  const holder = record.type === 'message' ? message : record
  const blocks = [...objectsOf(holder.content), ...objectsOf(holder.images)]
  const files = objectsOf(holder.files).map(file => objectOf(file.image))
  return [...blocks, ...files].flatMap(imageOf)
}

function imageOf(block: JsonObject): { data: string; mimeType: string }[] {
  const data = stringOrNull(block.data)
  const url = stringOrNull(objectOf(block.image_url).url) ?? stringOrNull(block.image_url)
  const mimeType = stringOrNull(block.mimeType) ?? 'image'
  const isImage = block.type === 'image' || mimeType.startsWith('image/')
  if (data !== null && isImage) return [{ data, mimeType }]
  return url === null ? [] : [{ data: url, mimeType }]
}

/** What the window is given for each image of an entry. */
export function shownImages(record: JsonObject, ordinal: number, address: ImageAddress): ShownImage[] {
  return imageSources(record).map(({ data, mimeType }, position) => {
    const hash = blobHashOf(data)
    if (hash !== null) return blobImage(hash, mimeType, address)
    if (data.startsWith('blob:'))
      return { url: null, mimeType, bytes: null, problem: 'not a valid blob reference' }
    const url = `grove-data://inline/${address.session}/${ordinal}/${position}`
    return { url, mimeType, bytes: Math.floor((data.length * 3) / 4), problem: null }
  })
}

function blobImage(hash: string, mimeType: string, address: ImageAddress): ShownImage {
  const bytes = address.blobs.size(hash)
  if (bytes === null)
    return { url: null, mimeType, bytes: null, problem: `blob ${hash.slice(0, 12)}… is missing` }
  return { url: blobUrl(address.blobRoot, hash), mimeType, bytes, problem: null }
}

export function blobUrl(blobRoot: string, hash: string): string {
  return `grove-data://blob/${blobRoot}/${hash}`
}
