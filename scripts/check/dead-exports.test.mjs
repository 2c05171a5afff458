import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deadExports } from './dead-exports.mjs'

const FILES = {
  'src-shared/used.ts':
    'export const plain = 1\nexport function renamed() {}\nexport const { part } = { part: 1 }',
  'src-shared/whole.ts': 'export const whole = 1',
  'src-shared/lazy.ts': 'export const lazy = 1',
  'src-shared/own.ts': 'export const inside = 1\nexport type Shape = typeof inside',
  'src-shared/dead.ts': 'export const dead = 1\n\nexport class Dead2 {}\nexport type Harmless = string',
  'src-main/shell/main.ts': [
    "import { part, plain, renamed as other } from '@shared/used'",
    "import * as whole from '../../src-shared/whole'",
    'export const started = [part, plain, other, whole, import("../../src-shared/lazy")]',
  ].join('\n'),
}
const root = mkdtempSync(join(tmpdir(), 'grove-dead-'))

beforeAll(() => {
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('finds exported values that nothing uses, and only those', () => {
  expect(deadExports(root)).toEqual(['src-shared/dead.ts:1: dead', 'src-shared/dead.ts:3: Dead2'])
})
