/** When the library is looked at again, in a time of the test's own. */
import path from 'node:path'
import { ok } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type TestEnvironment, testEnvironment } from '../engine/test-environment.test-support'
import type { LibraryRoot } from '../library/roots'
import { libraryRoots } from '../library/roots'
import type { Told, WatchPorts } from '../library/watch/watch-ports'
import { RootWatch } from './root-watch'

let env: TestEnvironment
beforeEach(() => {
  env = testEnvironment()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  env.remove()
})

type Counts = { rescans: number; looks: number; views: number }

/** A watch of one root; `there` says which folders exist, `refused` which cannot be watched. */
function setting(around: { added?: string[]; refused?: string; absent?: string; journals?: string[] } = {}) {
  const roots: LibraryRoot[] = libraryRoots(env, around.added ?? [], null).filter(({ kind }) => kind !== 'pi')
  const counts: Counts = { rescans: 0, looks: 0, views: 0 }
  const told = new Map<string, (told: Told) => void>()
  const state = { seen: true, absent: around.absent ?? null, rescanMs: 0 }
  const ports: WatchPorts = {
    identify: folder => Promise.resolve(ok(folder === state.absent ? null : { real: folder, key: folder })),
    subscribe: (real, _reach, tell) => {
      if (real === around.refused) return Promise.reject(new Error('not on this drive'))
      told.set(real, tell)
      return Promise.resolve({ end: () => Promise.resolve() })
    },
    isOutOfReach: () => Promise.resolve(false),
  }
  const watch = new RootWatch(ports, Date.now, {
    roots: () => roots,
    journals: () => around.journals ?? [],
    seen: () => state.seen,
    rescan: async () => {
      counts.rescans++
      await new Promise(resolve => setTimeout(resolve, state.rescanMs))
    },
    lookAtShown: () => counts.looks++,
    viewChanged: () => counts.views++,
  })
  const sessionsDir = roots[0]?.layout.sessionsDir ?? ''
  const change = (folder = sessionsDir) => told.get(folder)?.({ kind: 'changed', created: [], deleted: [] })
  return { watch, counts, state, change, sessionsDir, roots, told }
}

/** Begun, and what beginning led to is over. */
async function begun(around: Parameters<typeof setting>[0] = {}) {
  const all = setting(around)
  all.watch.start()
  await vi.advanceTimersByTimeAsync(2_000)
  return all
}

test('a hint leads to a look at what is shown and to one rescan, soon', async () => {
  const { watch, counts, change } = await begun()
  const before = { ...counts }
  for (let n = 0; n < 50; n++) change()
  await vi.advanceTimersByTimeAsync(900)
  expect(counts).toEqual({ ...before, rescans: before.rescans + 1, looks: before.looks + 1 })
  await watch.stop()
})

test('while nothing happens only the slow poll looks', async () => {
  const { watch, counts } = await begun()
  const before = counts.rescans
  await vi.advanceTimersByTimeAsync(10 * limits.watchedPollMs)
  expect(counts.rescans - before).toBe(10)
  await watch.stop()
  await vi.advanceTimersByTimeAsync(10 * limits.watchedPollMs)
  expect(counts.rescans - before, 'nothing after stopping').toBe(10)
  expect(vi.getTimerCount()).toBe(0)
})

test('where all changes all the time, rescans leave time to others', async () => {
  const { watch, counts, state, change } = await begun()
  state.rescanMs = 300
  const before = counts.rescans
  for (let n = 0; n < 150; n++) {
    change()
    await vi.advanceTimersByTimeAsync(100)
  }
  const rescans = counts.rescans - before
  expect(rescans).toBeGreaterThan(5)
  expect(rescans * state.rescanMs).toBeLessThan(15_000 / 3)
  await watch.stop()
})

test('what changes while nobody sees it is looked at when the window is seen again', async () => {
  const { watch, counts, state, change } = await begun()
  state.seen = false
  const before = { ...counts }
  change()
  await vi.advanceTimersByTimeAsync(5 * limits.watchedPollMs)
  expect(counts).toEqual(before)
  state.seen = true
  watch.seenAgain()
  await vi.advanceTimersByTimeAsync(0)
  expect(counts).toMatchObject({ rescans: before.rescans + 1, looks: before.looks + 1 })
  await watch.stop()
})

test('a window that is seen again without anybody telling is noticed', async () => {
  const { watch, counts, state, change } = await begun()
  state.seen = false
  change()
  await vi.advanceTimersByTimeAsync(limits.watchedPollMs)
  const before = counts.rescans
  state.seen = true
  await vi.advanceTimersByTimeAsync(15_000)
  expect(counts.rescans).toBe(before + 1)
  await watch.stop()
})

test('a root that cannot be watched is polled more often, and that is said with the reason', async () => {
  const refused = path.join(env.home, '.omp', 'agent', 'sessions')
  const { watch, counts } = await begun({ refused, added: [path.join(env.home, 'other')] })
  expect(watch.view()).toEqual({
    roots: 2,
    watched: 1,
    failed: 1,
    pollMs: limits.pollMs,
    notes: [`${refused} cannot be watched: not on this drive.`],
  })
  expect(watch.covers(path.join(refused, 'project', 'a.jsonl'))).toBe(false)
  expect(watch.covers(path.join(env.home, 'other', 'sessions', 'project', 'a.jsonl'))).toBe(true)
  const before = counts.rescans
  await vi.advanceTimersByTimeAsync(10 * limits.pollMs)
  expect(counts.rescans - before).toBe(10)
  await watch.stop()
})

test('a root that is not there is said; once it is there it is read and watched', async () => {
  const absent = path.join(env.home, '.omp', 'agent', 'sessions')
  const { watch, counts, state, change } = await begun({ absent })
  const notes = [`${absent} does not exist yet; Grove looks for it every 1 s.`]
  expect(watch.view()).toMatchObject({ roots: 0, watched: 0, notes })
  const before = { ...counts }
  state.absent = null
  await vi.advanceTimersByTimeAsync(2_000)
  expect(watch.view()).toMatchObject({ roots: 1, watched: 1, notes: [] })
  expect(counts.rescans).toBe(before.rescans + 1)
  expect(counts.views).toBe(before.views + 1)
  state.absent = absent
  watch.seenAgain()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(watch.view()).toMatchObject({
    roots: 1,
    watched: 0,
    notes: [`${absent} is gone; Grove looks for it every 1 s.`],
  })
  // It comes back by itself: it is read anew, watched again, and what changes in it is told.
  const away = { ...counts }
  state.absent = null
  await vi.advanceTimersByTimeAsync(2_000)
  expect(watch.view()).toMatchObject({ roots: 1, watched: 1, notes: [] })
  expect(counts.rescans).toBeGreaterThan(away.rescans)
  const back = counts.rescans
  change()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(counts.rescans).toBe(back + 1)
  await watch.stop()
})

test('stars and sessions that are kept elsewhere are watched as well', async () => {
  const elsewhere = path.join(env.home, 'code', 'kept.jsonl')
  const { watch, counts, change, told, roots } = await begun({ journals: [elsewhere] })
  const agentDir = path.dirname(roots[0]?.layout.pinsFile ?? '')
  expect([...told.keys()]).toEqual(expect.arrayContaining([agentDir, path.dirname(elsewhere)]))
  for (const folder of [agentDir, path.dirname(elsewhere)]) {
    const before = counts.rescans
    change(folder)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(counts.rescans).toBe(before + 1)
  }
  await watch.stop()
})
