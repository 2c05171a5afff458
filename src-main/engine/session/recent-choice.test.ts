/** What a terminal goes on with, for every kind of breadcrumb. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RecentBreadcrumb } from '../breadcrumbs/recent-breadcrumb'
import { HEADER, journal } from '../storage/journal.test-support'
import { type TestEnvironment, testEnvironment } from '../test-environment.test-support'
import { recentChoice } from './recent-choice'

let env: TestEnvironment
beforeEach(() => {
  env = testEnvironment()
})
afterEach(() => env.remove())

const CWD = '/w/new'
const moved = {
  kind: 'session',
  sameCwd: false,
  recordedCwd: '/w/gone',
  recordedCwdExists: false,
  sameFolder: true,
} as const

/** A session whose file was written `age` seconds ago. */
function session(name: string, age: number, cwd = CWD): string {
  const file = env.put(`sessions/-new/${name}.jsonl`, journal({ ...HEADER, id: name, cwd }))
  const time = new Date(1_700_000_000_000 - age * 1000)
  fs.utimesSync(file, time, time)
  return file
}

function choice(breadcrumb: RecentBreadcrumb, onlyThere = false) {
  const directory = path.join(env.home, 'sessions/-new')
  const answer = recentChoice(env, { cwd: CWD, directory, onlyThere, breadcrumb })
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.value
}

it('takes the newest without a breadcrumb, and begins a new one where none is', () => {
  expect(choice({ kind: 'none' })).toEqual({ kind: 'new' })
  session('old', 20)
  const newest = session('newest', 10)
  env.put('sessions/-new/zero.jsonl', '')
  env.put('sessions/-new/no-header.jsonl', '{"type":"message"}\n')
  expect(choice({ kind: 'none' })).toEqual({ kind: 'open', file: newest })
})

it('begins a new one where one was begun, unless that lies elsewhere and only this directory counts', () => {
  const newest = session('newest', 10)
  expect(choice({ kind: 'fresh', session: '/elsewhere/x.jsonl' })).toEqual({ kind: 'new' })
  expect(choice({ kind: 'fresh', session: '/elsewhere/x.jsonl' }, true)).toEqual({
    kind: 'open',
    file: newest,
  })
})

it('opens what the terminal had in this folder, however old', () => {
  session('newest', 10)
  const file = session('old', 20)
  const breadcrumb = { ...moved, file, sameCwd: true, recordedCwdExists: true }
  expect(choice(breadcrumb)).toEqual({ kind: 'open', file })
})

it('moves the session of a folder that is this one under another name, and of no other', () => {
  const file = env.put('sessions/-old/x.jsonl', journal(HEADER))
  expect(choice({ ...moved, file })).toEqual({ kind: 'move', file })
  for (const sameFolder of [false, null])
    expect(choice({ ...moved, file, sameFolder })).toEqual({ kind: 'new' })
  expect(choice({ ...moved, file, recordedCwdExists: true })).toEqual({ kind: 'new' })
  const newest = session('newest', 10)
  expect(choice({ ...moved, file })).toEqual({ kind: 'open', file: newest })
})

it('moves the session that lies in this directory already, unless this folder has one of its own', () => {
  const file = session('moved', 1, '/w/gone')
  session('stranger', 10, '/w/other')
  expect(choice({ ...moved, file })).toEqual({ kind: 'move', file })
  const own = session('own', 30)
  expect(choice({ ...moved, file })).toEqual({ kind: 'open', file: own })
})
