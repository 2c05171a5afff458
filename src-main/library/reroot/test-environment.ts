/** The environment of this folder's tests: the real file system, a home of its own, ids that count up. */
import type { Environment } from '../../engine/environment'
import type { FileSystem } from '../../engine/storage/file-system'
import { nodeFileSystem } from '../../engine/storage/node-file-system'

export function testEnvironment(home: string, fs: FileSystem = nodeFileSystem): Environment {
  let count = 0
  const id = (): string => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`
  return {
    fs,
    now: () => Date.now(),
    uuid: id,
    sessionId: id,
    pid: process.pid,
    platform: process.platform,
    home,
    // Not the system's own: the tests' home lies in that, and directory names would then be those of rule 2.
    tempDir: '/nowhere/tmp',
    env: {},
  }
}
