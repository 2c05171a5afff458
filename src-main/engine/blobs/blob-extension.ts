/**
 * The extension under which a picture gets a second name in the blob store, so that other programs know its type.
 * Pure. Rule: docs/format.md, Blob store.
 */

const KNOWN: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
}

const EXTENSION = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/

/** The extension for a media type, or null when it is no picture or its name cannot be part of a file's. */
export function blobExtensionOf(mimeType: unknown): string | null {
  if (typeof mimeType !== 'string') return null
  const type = mimeType.toLowerCase()
  if (Object.hasOwn(KNOWN, type)) return KNOWN[type] ?? null
  if (!type.startsWith('image/')) return null
  return plainExtension(type.slice('image/'.length).split(';')[0]?.split('+')[0])
}

/** `extension` in lower case when it can stand after a hash in a file name, else null. */
export function plainExtension(extension: string | null | undefined): string | null {
  const bare = extension?.startsWith('.') === true ? extension.slice(1) : extension
  return bare != null && EXTENSION.test(bare) ? bare.toLowerCase() : null
}
