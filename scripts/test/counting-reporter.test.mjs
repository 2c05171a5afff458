import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { inRoot } from '../setup/project.mjs'
import { packageCommand } from '../setup/run.mjs'

const FILES = {
  'a.test.mjs': `import { describe, expect, it } from 'vitest'
    it('passes', () => {})
    it('fails', () => expect(1).toBe(2))
    describe('in a group', () => it('skips', ctx => ctx.skip('no such device')))`,
  'broken.test.mjs': "import './nowhere.mjs'",
  'group.test.mjs': `import { beforeAll, describe, it } from 'vitest'
    describe('broken', () => { beforeAll(() => { throw new Error('no') }); it('never runs', () => {}) })`,
}
const root = mkdtempSync(join(tmpdir(), 'grove-counts-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('counts what vitest really does, with the notes of skipped tests', () => {
  for (const [file, text] of Object.entries(FILES)) writeFileSync(join(root, file), text)
  symlinkSync(inRoot('node_modules'), join(root, 'node_modules'))
  const reporter = `--reporter=${inRoot('scripts/test/counting-reporter.mjs')}`
  const [command, ...args] = packageCommand('vitest/vitest.mjs', 'run', '--root', root, reporter)
  const counts = join(root, 'counts.json')
  const { status } = spawnSync(command, args, { cwd: root, env: { ...process.env, GROVE_COUNTS: counts } })
  expect(status).toBe(1)
  const { passed, failed, skipped } = JSON.parse(readFileSync(counts, 'utf8'))
  expect({ passed, failed }).toEqual({ passed: 1, failed: 3 })
  expect(skipped).toContainEqual({ name: 'a.test.mjs > in a group > skips', reason: 'no such device' })
})
