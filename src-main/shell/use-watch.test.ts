import type { SessionUse } from '@shared/ipc/models/session-models'
import { err, ok, type Result } from '@shared/ipc/result'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AskedFile } from '../engine/in-use/used-among'
import { plainLayout } from '../engine/layout/agent-directories'
import { Catalog } from '../library/catalog/catalog'
import { summary } from '../library/catalog/summary.test-support'
import type { LibraryRoot } from '../library/roots'
import { KeptList, type ListChange } from '../workers/kept-list'
import type { UsesFound } from '../workers/use-jobs'
import type { WorkerClient } from '../workers/worker-client'
import { type LateAnswer, lateAnswer } from './late-answer.test-support'
import { UseWatch } from './use-watch'

const FREE: SessionUse = { state: 'free', text: null }
const USED: SessionUse = { state: 'in-use', text: 'omp (process 7) has it open.' }
const UNKNOWN: SessionUse = { state: 'unknown', text: 'Not known.' }
const [ONE, TWO] = ['/r/one.jsonl', '/r/two.jsonl']

const ROOT: LibraryRoot = {
  id: '/r',
  name: 'omp',
  kind: 'omp',
  readOnly: false,
  layout: plainLayout('/r'),
}

type Look = LateAnswer<Result<UsesFound>> & { files: string[] }

let catalog: Catalog
/** Looks that the worker was asked for and has not answered, in that order. */
let asked: Look[]
let told: unknown[]
let rows: string[]
let seen: boolean
/** Milliseconds that the clock has gone on while the worker looked. */
let now: number
let watch: UseWatch
let shown: { ref: string; journal: string }[]

beforeEach(() => {
  vi.useFakeTimers()
  ;[asked, told, rows, shown, seen, now] = [[], [], [], [], true, 0]
  catalog = new Catalog('/home/u')
  const found = [ONE, TWO].map(file => ({ root: ROOT.id, summary: summary(file) }))
  catalog.takeRows(found, [ROOT])
  const known = new KeptList<AskedFile>(({ journal }) => journal)
  type Input = ListChange<AskedFile> & { files: AskedFile[]; known: boolean }
  const run = (job: 'usesAmong' | 'changeAskedFiles', input: Input) => {
    if (job === 'changeAskedFiles') {
      known.take(input)
      return Promise.resolve(ok(null))
    }
    const files = [...(input.known ? known.all() : []), ...input.files].map(({ journal }) => journal)
    const look = { ...lateAnswer<Result<UsesFound>>(), files }
    asked.push(look)
    return look.answer
  }
  watch = new UseWatch(
    // The two jobs that are asked for here.
    { run: run as WorkerClient['run'], losses: 0 },
    catalog,
    { shown: () => shown },
    {
      send: (_name, payload) => told.push(payload),
      libraryChanged: (_revision, refs) => rows.push(...(refs ?? [])),
    },
    { roots: () => [ROOT], seen: () => seen, now: () => now },
  )
})
afterEach(() => {
  watch.stop()
  vi.useRealTimers()
})

/** Begins a look at all: the worker is told first which sessions there are. */
async function begin(): Promise<void> {
  void watch.look()
  await vi.advanceTimersByTimeAsync(0)
}

/** The worker answers the oldest look, or the one at that place. */
async function answer(used: Record<string, SessionUse>, at = 0, others = FREE): Promise<void> {
  await vi.advanceTimersByTimeAsync(0)
  const [look] = asked.splice(at, 1)
  if (look === undefined) throw new Error('Nobody asked.')
  const found = look.files.flatMap(journal => {
    const use = used[journal]
    return use === undefined ? [] : [{ journal, use }]
  })
  look.give(ok({ used: found, others }))
  await vi.advanceTimersByTimeAsync(0)
}

const refOf = (file: string) => catalog.refOf(file, ROOT)

function lookAtOne() {
  const place = catalog.resolve(refOf(ONE))
  if (place === undefined) throw new Error('It is not listed.')
  return watch.lookAt(refOf(ONE), place)
}

test('what was found is taken, and told of the rows that changed and of what is shown', async () => {
  shown = [{ ref: refOf(ONE), journal: ONE }]
  await begin()
  expect(asked.map(({ files }) => files)).toEqual([[ONE, TWO]])
  await answer({ [TWO]: USED })
  expect(rows).toEqual([refOf(TWO)])
  expect(told).toEqual([{ session: refOf(ONE), use: FREE }])
  void watch.look()
  await answer({ [TWO]: USED, [ONE]: USED })
  expect(rows).toEqual([refOf(TWO), refOf(ONE)])
  void watch.look()
  await answer({ [TWO]: USED, [ONE]: USED })
  expect(told, 'what is known is not told again').toEqual([
    { session: refOf(ONE), use: FREE },
    { session: refOf(ONE), use: USED },
  ])
})

test('a look at all that began before a look at one does not undo it', async () => {
  shown = [{ ref: refOf(ONE), journal: ONE }]
  await begin()
  const looked = lookAtOne()
  await answer({ [ONE]: USED }, 1)
  expect(await looked).toEqual(ok(USED))
  await answer({ [TWO]: USED })
  expect(catalog.whoHas(ONE)).toEqual(USED)
  expect(catalog.whoHas(TWO), 'of the others it counts').toEqual(USED)
  expect(told).toEqual([{ session: refOf(ONE), use: USED }])
  void watch.look()
  await answer({})
  expect(catalog.whoHas(ONE), 'the next look at all counts again').toEqual(FREE)
  expect(told.at(-1)).toEqual({ session: refOf(ONE), use: FREE })
})

test('a look at one that began before a look at all answers what that one found', async () => {
  const looked = lookAtOne()
  await begin()
  await answer({ [ONE]: USED }, 1)
  await answer({}, 0, UNKNOWN)
  expect(await looked).toEqual(ok(USED))
  expect(catalog.whoHas(TWO), 'nor does it say what is true of the others').toEqual(FREE)
})

test('looks that are asked for while one runs share the next', async () => {
  void watch.look()
  void watch.look()
  void watch.look()
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toHaveLength(1)
  await answer({})
  expect(asked).toHaveLength(1)
  await answer({})
  expect(asked).toHaveLength(0)
})

test('looks again in a while: sooner when the window is seen, later where looking takes long', async () => {
  const lookTaking = async (ms: number) => {
    now += ms
    await answer({})
  }
  const asksAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms - 1)
    expect(asked).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(asked).toHaveLength(1)
  }
  void watch.look()
  await lookTaking(10)
  await asksAfter(2_000)
  await lookTaking(500)
  await asksAfter(5_000)
  seen = false
  await lookTaking(10)
  await asksAfter(15_000)
  watch.stop()
  await lookTaking(10)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveLength(0)
})

test('what cannot be looked at is an error, and changes nothing that is known', async () => {
  void watch.look()
  await answer({ [ONE]: USED })
  const looked = lookAtOne()
  asked.shift()?.give(err('io', 'It cannot be looked at.'))
  expect(await looked).toMatchObject({ ok: false, error: { code: 'io' } })
  expect(catalog.whoHas(ONE)).toEqual(USED)
})
