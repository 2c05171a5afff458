/** A large library in a process that may have few files open: all of it is listed, counted, watched and indexed. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HEADER, journal, message } from '../engine/storage/journal.test-support'
import { bundledCli } from './bundled-cli.test-support'
import type { WholeLibrary } from './whole-library.test-support'

const SESSIONS = 15_000
const PER_FOLDER = 500
const MAY_OPEN = 256

let scratch: string
let program: string
let agentDir: string

beforeAll(async () => {
  scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'grove-few-')))
  fs.symlinkSync(path.resolve(import.meta.dirname, '../../node_modules'), path.join(scratch, 'node_modules'))
  program = await bundledCli(scratch, 'whole-library.test-support')
  agentDir = path.join(scratch, 'agent')
  const talk = journal(HEADER, message('u', null, 'A prompt.'), message('a', 'u', 'An answer.', 'assistant'))
  for (let at = 0; at < SESSIONS; at++) {
    const folder = path.join(agentDir, 'sessions', `-p${Math.floor(at / PER_FOLDER)}`)
    fs.mkdirSync(path.join(folder, `s${at}`), { recursive: true })
    fs.writeFileSync(path.join(folder, `s${at}.jsonl`), talk)
    fs.writeFileSync(path.join(folder, `s${at}`, '0.bash.log'), 'output')
  }
}, 240_000)
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }), 240_000)

it('15,000 sessions with artifact directories need no more than 256 descriptors', ctx => {
  if (process.platform !== 'linux') ctx.skip('the limit of descriptors is asked of Linux')
  const done = spawnSync(
    'sh',
    ['-c', `ulimit -n ${MAY_OPEN} && exec "$0" "$@"`, process.execPath, program, agentDir],
    {
      encoding: 'utf8',
      cwd: scratch,
      env: { PATH: process.env.PATH, HOME: scratch, GROVE_DATA_DIR: path.join(scratch, 'data') },
    },
  )
  expect([done.status, done.stderr]).toEqual([0, ''])
  const told: WholeLibrary = JSON.parse(done.stdout)
  expect(told).toEqual({
    mayOpen: MAY_OPEN,
    open: expect.any(Number),
    roots: [{ state: 'ok', notes: [] }],
    sessions: SESSIONS,
    counted: SESSIONS,
    messages: 2 * SESSIONS,
    artifacts: SESSIONS,
    stubs: [],
    indexed: { indexed: SESSIONS, all: SESSIONS },
  })
  // What is open in the end is no more for many sessions than for few.
  expect(told.open).toBeLessThan(64)
}, 240_000)
