/** Where reading was left, from one start to the next, on the disk. */
import fs from 'node:fs'
import path from 'node:path'
import { ok } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestEnvironment, testEnvironment } from '../engine/test-environment.test-support'
import type { SessionPlace } from '../library/catalog/catalog'
import { groveData } from '../library/grove-data'
import { type LastRead, lastReadFile, writeLastRead } from '../library/reading/last-read'
import { libraryRoots } from '../library/roots'
import type { WorkerClient } from '../workers/worker-client'
import { ReadingPlaces } from './reading-places'

let env: TestEnvironment
let writes: number
beforeEach(() => {
  env = testEnvironment()
  writes = 0
})
afterEach(() => env.remove())

/** The places as a start of the app has them. */
function started(): ReadingPlaces {
  const run = async (_job: string, { places }: { places: [string, LastRead][] }) => {
    writes++
    writeLastRead(env, groveData(env), places)
    return ok(undefined)
  }
  // The one job that it runs, done as the worker does it.
  return new ReadingPlaces(env, { run: run as unknown as WorkerClient['run'] })
}

function session(name: string): SessionPlace {
  const [root] = libraryRoots(env, [], null)
  if (root === undefined) throw new Error('There is always a root.')
  return { file: path.join(env.home, `${name}.jsonl`), root, summary: null }
}

const LEFT: LastRead = { entry: 'aaaa0001', below: 1, offset: 12.5 }

test('what was left is known at the next start, and what was left at the end is not', async () => {
  const first = started()
  first.leave(session('a'), LEFT)
  first.leave(session('b'), LEFT)
  first.leave(session('b'), null)
  await first.flush()
  const second = started()
  expect(second.of(session('a'))).toEqual(LEFT)
  expect(second.of(session('b'))).toBeNull()
  expect(second.of(session('never opened'))).toBeNull()
})

test('nothing is written while nothing was left anywhere but at the end', async () => {
  const places = started()
  places.leave(session('a'), null)
  await places.flush()
  expect(writes).toBe(0)
  expect(fs.existsSync(groveData(env).directory)).toBe(false)
})

test('the sessions that were left longest ago are forgotten', async () => {
  const first = started()
  for (let n = 0; n < limits.lastRead + 3; n++) {
    first.leave(session(`s${n}`), LEFT)
    if (n === limits.lastRead) first.leave(session('s1'), LEFT)
  }
  await first.flush()
  const second = started()
  expect(['s0', 's1', 's2', 's3', 's4'].map(name => second.of(session(name)) !== null)).toEqual([
    false,
    true,
    false,
    false,
    true,
  ])
})

test.each([
  ['', 'empty'],
  ['{"sessions":', 'torn'],
  ['{"sessions":[1,2]}', 'of another form'],
  ['{"sessions":{"x":{"entry":5,"below":-1,"offset":"far"}}}', 'of other types'],
])('a file that is %j (%s) counts for none', text => {
  fs.mkdirSync(groveData(env).directory, { recursive: true })
  fs.writeFileSync(lastReadFile(groveData(env)), text)
  const places = started()
  expect(places.of(session('a'))).toBeNull()
  expect(places.of({ ...session('a'), file: 'x' })).toBeNull()
})
