/** Images of an entry as addresses that the window's own scheme serves; no bytes in rows. */
import type { ShownImage } from '@shared/ipc/models/transcript-models'
import { blobHashOf } from '@shared/session/blob-refs'
import { isJsonObject, type JsonObject, objectOf, objectsOf, stringOrNull } from '@shared/session/json'
import type { BlobStore } from '../../engine/blobs/blob-store'

/** How images are addressed: by the root whose blob store holds them, and by the session for inline ones. */
export type ImageAddress = { blobs: BlobStore; blobRoot: string; session: string }

type ImageText = { data: string; mimeType: string }

/** `block`: the content block that the image is, or null for one that stands elsewhere in the record. */
export type ImageSource = ImageText & { block: number | null }

/** The image strings of a message or record, in order; the position is the address of an inline one. */
export function imageSources(record: JsonObject): ImageSource[] {
  const holder = record.type === 'message' ? objectOf(record.message) : record
  const content: unknown[] = Array.isArray(holder.content) ? holder.content : []
  const inContent = content.flatMap((value, block) =>
    isJsonObject(value) ? imageOf(value).map(image => ({ ...image, block })) : [],
  )
  const files = objectsOf(holder.files).map(file => objectOf(file.image))
  const elsewhere = [...objectsOf(holder.images), ...files].flatMap(imageOf)
  return [...inContent, ...elsewhere.map(image => ({ ...image, block: null }))]
}

function imageOf(block: JsonObject): ImageText[] {
  const data = stringOrNull(block.data)
  const url = stringOrNull(objectOf(block.image_url).url) ?? stringOrNull(block.image_url)
  const mimeType = stringOrNull(block.mimeType) ?? 'image'
  const isImage = block.type === 'image' || mimeType.startsWith('image/')
  if (data !== null && isImage) return [{ data, mimeType }]
  return url === null ? [] : [{ data: url, mimeType }]
}

/** What the window is given for each image of an entry, or of one content block of it. */
export function shownImages(
  record: JsonObject,
  ordinal: number,
  address: ImageAddress,
  onlyBlock?: number,
): ShownImage[] {
  return imageSources(record).flatMap(({ data, mimeType, block }, position) => {
    if (onlyBlock !== undefined && block !== onlyBlock) return []
    const hash = blobHashOf(data)
    if (hash !== null) return blobImage(hash, mimeType, address)
    if (data.startsWith('blob:'))
      return { url: null, mimeType, bytes: null, problem: 'not a valid blob reference' }
    const url = `${INLINE_URL}${address.session}/${ordinal}/${position}`
    return { url, mimeType, bytes: Math.floor((data.length * 3) / 4), problem: null }
  })
}

function blobImage(hash: string, mimeType: string, address: ImageAddress): ShownImage {
  const bytes = address.blobs.size(hash)
  if (bytes === null)
    return { url: null, mimeType, bytes: null, problem: `blob ${hash.slice(0, 12)}… is missing` }
  return { url: blobUrl(address.blobRoot, hash), mimeType, bytes, problem: null }
}

/** How addresses of pictures in the journal itself begin. */
export const INLINE_URL = 'grove-data://inline/'

export function blobUrl(blobRoot: string, hash: string): string {
  return `grove-data://blob/${blobRoot}/${hash}`
}
