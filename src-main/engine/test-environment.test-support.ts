/** For tests: this machine's file system with an account, a clock and variables of the test's choosing. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Environment } from './environment'
import { nodeEnvironment } from './node-environment'

export type TestEnvironment = Environment & {
  /** Writes a file below home, folders included; answers its path. */
  put(name: string, content: string | Uint8Array): string
  remove(): void
}

/** A fresh, empty home folder. */
export function testEnvironment(changes: Partial<Environment> = {}): TestEnvironment {
  const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'grove-home-')))
  return {
    ...nodeEnvironment(),
    home,
    env: {},
    now: () => Date.parse('2026-02-01T00:00:00.000Z'),
    ...changes,
    put(name, content) {
      const file = path.join(home, name)
      fs.mkdirSync(path.dirname(file), { recursive: true })
      fs.writeFileSync(file, content)
      return file
    },
    remove: () => fs.rmSync(home, { recursive: true, force: true }),
  }
}
