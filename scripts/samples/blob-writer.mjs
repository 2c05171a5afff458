/** The blob store of the samples (format.md 1.6): `<sha256>` and, for pictures, a hard link with an extension. */
import { createHash } from 'node:crypto'
import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const sha256 = bytes => createHash('sha256').update(bytes).digest('hex')

/** The reference of a blob that was never stored. */
export function missingBlobRef(seed) {
  return `blob:sha256:${sha256(`missing/${seed}`)}`
}

export class BlobWriter {
  constructor(directory) {
    this.directory = directory
    this.stored = new Map()
    mkdirSync(directory, { recursive: true })
  }

  /** Store bytes and return their reference; `extension` adds the hard link. */
  put(bytes, extension) {
    const hash = sha256(bytes)
    if (!this.stored.has(hash)) {
      const file = path.join(this.directory, hash)
      writeFileSync(file, bytes)
      if (extension) linkSync(file, `${file}.${extension}`)
      this.stored.set(hash, { hash, bytes: bytes.length, extension: extension ?? null })
    }
    return `blob:sha256:${hash}`
  }

  /** An image block whose data lies in the store. */
  image(png, more = {}) {
    return { type: 'image', mimeType: 'image/png', data: this.put(png, 'png'), ...more }
  }

  /** A whole data URL stored as text, as omp does for `image_url`. */
  dataUrl(png) {
    return this.put(Buffer.from(`data:image/png;base64,${png.toString('base64')}`))
  }

  has(hash) {
    return this.stored.has(hash)
  }
}
