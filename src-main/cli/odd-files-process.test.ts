/** Odd files that the system keeps from a user: asked by one who is not root, in a process of his own. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSampleLibrary, type OddFile, type SampleLibrary } from '../library/sample-library.test-support'
import { bundledCli } from './bundled-cli.test-support'

const OTHER_USER = 12_345
const isRoot = process.getuid?.() === 0

let scratch: string
let cli: string
let library: SampleLibrary

beforeAll(async () => {
  scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'grove-odd-cli-')))
  fs.chmodSync(scratch, 0o755)
  cli = await bundledCli(scratch)
  library = makeSampleLibrary({ odd: true })
  fs.chmodSync(library.dir, 0o755)
}, 120_000)
afterAll(() => {
  library.remove()
  fs.rmSync(scratch, { recursive: true, force: true })
})

/** A command as a user who may only read what everybody may, with a folder of his own for what Grove keeps. */
function run(...args: string[]) {
  const own = path.join(scratch, 'own')
  fs.mkdirSync(own, { recursive: true })
  if (isRoot) fs.chownSync(own, OTHER_USER, OTHER_USER)
  const done = spawnSync(process.execPath, [cli, ...args], {
    encoding: 'utf8',
    cwd: scratch,
    env: { PATH: process.env.PATH, HOME: own },
    maxBuffer: 64_000_000,
    ...(isRoot ? { uid: OTHER_USER, gid: OTHER_USER } : {}),
  })
  return { code: done.status, out: done.stdout, errors: done.stderr.split('\n').slice(0, -1) }
}

function odd(kind: string): OddFile & { path: string } {
  const found = library.odd.find(one => one.kind === kind)
  if (found === undefined) throw new Error(`The samples have no ${kind}.`)
  return { ...found, path: library.at(found.file) }
}

it('an unreadable file is a stub with the reason, and all others are listed', ctx => {
  if (!isRoot) ctx.skip('running as another user needs root')
  const file = odd('unreadable (no permission)').path
  const { code, out, errors } = run('list', '--agent-dir', library.agentDir, '--json')
  expect({ code, errors }).toEqual({ code: 0, errors: [] })
  const rows: { path: string; problem: string | null; entryCount: number; bytes: number }[] = JSON.parse(out)
  const stub = rows.find(row => row.path === file)
  expect(stub).toMatchObject({ entryCount: 0, bytes: fs.statSync(file).size })
  expect(stub?.problem).toMatch(/permission denied/)
  expect(rows.filter(({ problem }) => problem?.includes('permission'))).toHaveLength(1)
  expect(rows.length).toBeGreaterThan(200)
  const inspected = run('inspect', file, '--json')
  expect(inspected).toMatchObject({
    code: 1,
    out: '',
    errors: [expect.stringContaining('permission denied')],
  })
})

it('what lies in a read-only directory is read, and not changed', ctx => {
  if (!isRoot) ctx.skip('running as another user needs root')
  const { path: file, expect: wanted } = odd('a read-only directory')
  const before = fs.readFileSync(file)
  const inspected = run('inspect', file, '--json')
  expect(JSON.parse(inspected.out)).toMatchObject({ title: wanted.title, entryCount: 4, problems: [] })
  for (const argv of [
    ['rename', file, 'another title'],
    ['append', file, '--text', 'more'],
  ]) {
    const changed = run(...argv, '--json')
    expect(changed, changed.errors.join()).toMatchObject({ code: 1, out: '' })
    expect(changed.errors.join()).toMatch(/permission|permit/)
  }
  expect(fs.readFileSync(file).equals(before)).toBe(true)
})
