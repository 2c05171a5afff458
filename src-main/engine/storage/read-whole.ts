/** Reading a small file whole, through the file system that was passed in. */
import { statRegularFile } from './byte-source'
import { EngineError } from './errors'
import type { FileSystem } from './file-system'

/**
 * Content of a regular file as text; throws `too-large` beyond `limit` bytes, `damaged` for what is no regular file,
 * else what the system throws.
 */
export function readWholeText(fs: FileSystem, target: string, limit: number): string {
  // Before opening: opening a named pipe would wait for a writer.
  statRegularFile(fs, target)
  const fd = fs.open(target, 'r')
  try {
    const size = fs.fstat(fd).size
    if (size > limit) throw new EngineError('too-large', `${target} is too large (${size} bytes).`, target)
    const parts: Buffer[] = []
    let position = 0
    for (;;) {
      const buffer = Buffer.alloc(Math.max(4096, Math.min(1 << 20, size - position)))
      const count = fs.read(fd, buffer, 0, buffer.length, position)
      if (count === 0) break
      parts.push(buffer.subarray(0, count))
      position += count
      if (position > limit) throw new EngineError('too-large', `${target} is too large.`, target)
    }
    return Buffer.concat(parts).toString('utf8')
  } finally {
    fs.close(fd)
  }
}
