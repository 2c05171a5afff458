/** The environment of this folder's tests: the real file system, and a home of its own. */
import { randomUUID } from 'node:crypto'
import type { Environment } from '../../engine/environment'
import type { FileSystem } from '../../engine/storage/file-system'
import { nodeFileSystem } from '../../engine/storage/node-file-system'

export function testEnvironment(home: string, fs: FileSystem = nodeFileSystem): Environment {
  return {
    fs,
    now: () => Date.now(),
    uuid: () => randomUUID(),
    sessionId: () => randomUUID(),
    pid: process.pid,
    platform: process.platform,
    home,
    // Not the system's own: the tests' home lies in that, and directory names would then be those of rule 2.
    tempDir: '/nowhere/tmp',
    env: {},
  }
}
