/** The type of a picture told by its first bytes, from an allow-list. What a name or a journal claims is not asked. */

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/bmp'

/** Type of the image, or null for anything that is not shown as a picture (SVG and HTML among them). */
export function sniffImageType(bytes: Uint8Array): ImageType | null {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png'
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg'
  if (startsWith(bytes, [0x47, 0x49, 0x46, 0x38])) return 'image/gif'
  if (startsWith(bytes, [0x52, 0x49, 0x46, 0x46]) && startsWith(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50]))
    return 'image/webp'
  if (startsWith(bytes, [0x42, 0x4d]) && isBitmapHeader(bytes.subarray(14))) return 'image/bmp'
  return null
}

/** The second header of a bitmap begins with its own size; "BM" alone also begins words. */
function isBitmapHeader(bytes: Uint8Array): boolean {
  return [12, 40, 52, 56, 64, 108, 124].some(size => startsWith(bytes, [size, 0, 0, 0]))
}

function startsWith(bytes: Uint8Array, prefix: number[]): boolean {
  return prefix.every((byte, at) => bytes[at] === byte)
}
