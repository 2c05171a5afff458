/** A file system whose k-th call fails, once or from then on, for tests. What fails from then on is a kill. */
import type { FileSystem } from '../../engine/storage/file-system'
import { nodeFileSystem } from '../../engine/storage/node-file-system'

export type Fault = { at: number; code: string; once: boolean }

export type FailingFileSystem = {
  fs: FileSystem
  calls(): number
  /** What failed first: name of the call and its first argument. */
  failed(): string | null
}

export function failingFileSystem(fault: Fault | null): FailingFileSystem {
  let calls = 0
  let failed: string | null = null
  const fails = (): boolean => {
    calls++
    return fault !== null && (fault.once ? calls === fault.at : calls >= fault.at)
  }
  const fs = new Proxy(nodeFileSystem, {
    get(target, name) {
      // Every property of a FileSystem is one of its calls.
      const call = Reflect.get(target, name) as (...args: unknown[]) => unknown
      return (...args: unknown[]): unknown => {
        // A descriptor is released whatever happens; the call is counted like any other.
        if (!fails() || name === 'close') return call(...args)
        failed ??= `${calls} ${String(name)} ${String(args[0])}`
        if (name === 'write') {
          const [fd, buffer, offset, length, position] = args
          call(fd, buffer, offset, Math.floor(Number(length) / 2), position)
        }
        throw Object.assign(new Error(`${fault?.code}: injected`), {
          code: fault?.code,
          path: String(args[0]),
        })
      }
    },
  })
  return { fs, calls: () => calls, failed: () => failed }
}
