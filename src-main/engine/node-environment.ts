/** The environment of this process: the real file system, clock, ids and account. For composition roots. */
import os from 'node:os'
import { v4, v7 } from 'uuid'
import type { Environment } from './environment'
import { nodeFileSystem } from './storage/node-file-system'

export function nodeEnvironment(): Environment {
  return {
    fs: nodeFileSystem,
    now: () => Date.now(),
    uuid: () => v4(),
    sessionId: () => v7(),
    pid: process.pid,
    platform: process.platform,
    home: process.env.HOME || os.homedir(),
    tempDir: os.tmpdir(),
    env: process.env,
  }
}
