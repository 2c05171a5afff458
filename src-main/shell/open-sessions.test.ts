import { err, ok, type Result } from '@shared/ipc/result'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WorkerClient } from '../workers/worker-client'
import { lateAnswer } from './late-answer.test-support'
import { OpenSessions } from './open-sessions'

type Read = Result<{ growth: 'same' | 'grown' | 'rewritten'; revision: number }>

const LOOK_MS = 700
const GONE: Read = err('not-found', 'It is not there.')
const read = (growth: 'same' | 'grown' | 'rewritten', revision = 1) => ({ growth, revision })

let told: unknown[]
/** What the worker answers next to a look at a session; it is the same until it is set anew. */
let answer: () => Promise<Read>
let looks: number
let isTold: boolean
let sessions: OpenSessions

beforeEach(() => {
  vi.useFakeTimers()
  told = []
  looks = 0
  isTold = false
  answer = async () => ok(read('same'))
  const run = async (job: string) => {
    if (job === 'draftVersion') return ok(null)
    looks++
    return await answer()
  }
  // The answers of the two jobs that are asked for here.
  sessions = new OpenSessions(
    { run: run as WorkerClient['run'] },
    {
      changed: (...change) => told.push(change),
      draftChanged: () => undefined,
    },
    () => isTold,
  )
})
afterEach(() => {
  sessions.stop()
  vi.useRealTimers()
})

const nextLook = () => vi.advanceTimersByTimeAsync(LOOK_MS)

test('growth that opening a shown session again came upon is told, and only then', () => {
  sessions.add('s', '/journal', read('rewritten'))
  sessions.add('s', '/journal', read('same'))
  expect(told, 'opening for the first time is no change').toEqual([])
  sessions.add('s', '/journal', read('grown', 2))
  expect(told).toEqual([['s', 2, 'grown']])
  sessions.remove('s')
  sessions.add('s', '/journal', read('grown', 3))
  expect(told).toHaveLength(1)
})

test('growth is told by each look that sees it', async () => {
  sessions.add('s', '/journal', read('rewritten'))
  await nextLook()
  expect(told).toEqual([])
  answer = async () => ok(read('grown', 2))
  await nextLook()
  expect(told).toEqual([['s', 2, 'grown']])
})

test('one that is gone is told once, and told when it is back, even as the very same file', async () => {
  sessions.add('s', '/journal', read('rewritten'))
  answer = async () => GONE
  await nextLook()
  await nextLook()
  expect(told).toEqual([['s', 0, 'gone']])
  answer = async () => ok(read('same', 4))
  await nextLook()
  await nextLook()
  expect(told).toEqual([
    ['s', 0, 'gone'],
    ['s', 4, 'rewritten'],
  ])
})

test('one that is back when the window asks for it is told as well', async () => {
  sessions.add('s', '/journal', read('rewritten'))
  answer = async () => GONE
  await nextLook()
  sessions.add('s', '/journal', read('same', 4))
  expect(told.at(-1)).toEqual(['s', 4, 'rewritten'])
})

test('what a look finds while the session is opened again is not lost', async () => {
  const late = lateAnswer<Read>()
  sessions.add('s', '/journal', read('rewritten'))
  answer = () => late.answer
  await nextLook()
  sessions.add('s', '/journal', read('same'))
  late.give(ok(read('grown', 2)))
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toEqual([['s', 2, 'grown']])
})

test('a look that a stop overtook says nothing, and does not go on beside the new one', async () => {
  const late = lateAnswer<Read>()
  sessions.add('s', '/journal', read('rewritten'))
  answer = () => late.answer
  await nextLook()
  sessions.stop()
  sessions.add('s', '/journal', read('rewritten'))
  answer = async () => ok(read('same'))
  late.give(ok(read('grown', 2)))
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toEqual([])
  looks = 0
  await nextLook()
  await nextLook()
  expect(looks, 'one look in each pause').toBe(2)
  sessions.stop()
  await nextLook()
  expect(looks).toBe(2)
})

test('where changes are told it is looked at rarely, and at once when something is told', async () => {
  sessions.add('s', '/journal', read('same'))
  isTold = true
  await nextLook()
  expect(looks, 'the first look is soon: nobody has seen its draft yet').toBe(1)
  await vi.advanceTimersByTimeAsync(10 * LOOK_MS)
  expect(looks).toBe(1)
  await sessions.look()
  expect(looks).toBe(2)
  sessions.stop()
  expect(vi.getTimerCount()).toBe(0)
})

test('what is told while a look runs costs one more look, however often', async () => {
  const late = lateAnswer<Read>()
  sessions.add('s', '/journal', read('same'))
  answer = () => late.answer
  const first = sessions.look()
  for (let n = 0; n < 20; n++) void sessions.look()
  answer = async () => ok(read('same'))
  late.give(ok(read('same')))
  await first
  expect(looks).toBe(2)
})
