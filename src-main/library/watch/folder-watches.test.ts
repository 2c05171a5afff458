/** The watch on real folders with the system's own means, and with means that are refused. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { type TestEnvironment, testEnvironment } from '../../engine/test-environment.test-support'
import { FolderWatches } from './folder-watches'
import { nativeWatch } from './native-watch'
import type { Told, WatchPorts, WatchReach } from './watch-ports'

const DEEP: WatchReach = { deep: true, except: [] }
const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

type Setting = {
  env: TestEnvironment
  folder: string
  watches: FolderWatches
  told: { changed: number; states: string[] }
}

/** A home, a sessions folder below it that may not exist, and its watch, not yet begun. */
function setting(ports: Partial<WatchPorts> = {}, awake = () => true): Setting {
  const env = testEnvironment()
  ends.push(() => env.remove())
  const folder = path.join(env.home, 'agent', 'sessions')
  const told: Setting['told'] = { changed: 0, states: [] }
  const watches = new FolderWatches({ ...nativeWatch(process.platform), ...ports }, Date.now, awake, {
    changed: () => told.changed++,
    stateChanged: () => told.states.push(watches.stateOf(folder)?.kind ?? 'none'),
  })
  ends.push(() => watches.stop())
  return { env, folder, watches, told }
}

async function watched(ports: Partial<WatchPorts> = {}): Promise<Setting> {
  const all = setting(ports)
  fs.mkdirSync(path.join(all.folder, 'project'), { recursive: true })
  await all.watches.watch([{ folder: all.folder, reach: DEEP }])
  expect(all.watches.stateOf(all.folder)).toEqual({ kind: 'watching' })
  await noted(all, () => undefined)
  return all
}

/** Does something and waits until it is told. */
async function noted({ told }: Setting, act: () => void): Promise<void> {
  const before = told.changed
  act()
  await vi.waitFor(() => expect(told.changed).toBeGreaterThan(before), { timeout: 20_000, interval: 10 })
}

async function becomes({ watches, folder }: Setting, kind: string): Promise<void> {
  await vi.waitFor(() => expect(watches.stateOf(folder)?.kind).toBe(kind), { timeout: 20_000, interval: 10 })
}

test('a new journal, growth, a rename and a deletion are told, each', async () => {
  const all = await watched()
  const journal = path.join(all.folder, 'project', 'one.jsonl')
  await noted(all, () => fs.writeFileSync(journal, 'first\n'))
  await noted(all, () => fs.appendFileSync(journal, 'second\n'))
  await noted(all, () => fs.renameSync(journal, `${journal}.other`))
  await noted(all, () => fs.unlinkSync(`${journal}.other`))
})

test('what happens in folders that are made while watching is told, also deep ones that are moved here', async () => {
  const all = await watched()
  const outside = path.join(all.env.home, 'outside')
  fs.mkdirSync(path.join(outside, 'session', 'subagents'), { recursive: true })
  await noted(all, () => fs.renameSync(outside, path.join(all.folder, 'moved')))
  // Reached once all is watched anew: written until it is told, since nothing says when that is done.
  const inside = path.join(all.folder, 'moved', 'session', 'subagents', 'a.jsonl')
  const before = all.told.changed
  await vi.waitFor(
    () => {
      fs.appendFileSync(inside, 'x')
      expect(all.told.changed).toBeGreaterThan(before + 2)
    },
    { timeout: 20_000, interval: 200 },
  )
})

test('a folder that is not there is looked for, and watched once it is', async () => {
  const all = setting()
  await all.watches.watch([{ folder: all.folder, reach: DEEP }])
  expect(all.watches.stateOf(all.folder)).toEqual({ kind: 'absent', gone: false })
  expect(all.told.changed).toBe(0)
  await noted(all, () => fs.mkdirSync(path.join(all.folder, 'project'), { recursive: true }))
  await becomes(all, 'watching')
  await noted(all, () => fs.writeFileSync(path.join(all.folder, 'project', 'one.jsonl'), ''))
})

test('a folder that is moved away is told and is gone; when it is back it is watched again', async () => {
  const all = await watched()
  const away = path.join(all.env.home, 'away')
  await noted(all, () => fs.renameSync(all.folder, away))
  await becomes(all, 'absent')
  expect(all.watches.stateOf(all.folder)).toEqual({ kind: 'absent', gone: true })
  await noted(all, () => fs.renameSync(away, all.folder))
  await becomes(all, 'watching')
  await noted(all, () => fs.writeFileSync(path.join(all.folder, 'project', 'one.jsonl'), ''))
})

test('a folder that is deleted and made anew at once is watched again, not the old one', async () => {
  const all = await watched()
  await noted(all, () => {
    fs.rmSync(all.folder, { recursive: true })
    fs.mkdirSync(path.join(all.folder, 'project'), { recursive: true })
  })
  const journal = path.join(all.folder, 'project', 'one.jsonl')
  const before = all.told.changed
  await vi.waitFor(
    () => {
      fs.appendFileSync(journal, 'x')
      expect(all.told.changed).toBeGreaterThan(before + 3)
    },
    { timeout: 20_000, interval: 200 },
  )
  expect(all.watches.stateOf(all.folder)?.kind).toBe('watching')
})

test('a folder whose parent is moved away is found gone by looking', async () => {
  const all = await watched()
  fs.renameSync(path.join(all.env.home, 'agent'), path.join(all.env.home, 'agent-away'))
  await all.watches.look()
  expect(all.watches.stateOf(all.folder)).toEqual({ kind: 'absent', gone: true })
})

test('a folder behind a link is watched where it really is', async () => {
  const all = setting()
  const real = path.join(all.env.home, 'elsewhere')
  fs.mkdirSync(real)
  fs.mkdirSync(path.dirname(all.folder))
  fs.symlinkSync(real, all.folder)
  await all.watches.watch([{ folder: all.folder, reach: DEEP }])
  expect(all.watches.stateOf(all.folder)).toEqual({ kind: 'watching' })
  await noted(all, () => fs.writeFileSync(path.join(real, 'one.jsonl'), ''))
})

test('of a single folder only the named files are told', async () => {
  const all = setting()
  fs.mkdirSync(all.folder, { recursive: true })
  await all.watches.watch([{ folder: all.folder, reach: { deep: false, names: ['pins.json'] } }])
  await noted(all, () => undefined)
  const before = all.told.changed
  fs.writeFileSync(path.join(all.folder, 'other.json'), '')
  await noted(all, () => fs.writeFileSync(path.join(all.folder, 'pins.json'), ''))
  expect(all.told.changed).toBe(before + 1)
})

test('where watching is refused the reason is told, and it is not tried again and again', async () => {
  let tries = 0
  const all = setting({
    subscribe: () => {
      tries++
      return Promise.reject(new Error("inotify_add_watch on '/x' failed: No space left on device"))
    },
  })
  fs.mkdirSync(all.folder, { recursive: true })
  await all.watches.watch([{ folder: all.folder, reach: DEEP }])
  await all.watches.look()
  await all.watches.look()
  expect(tries).toBe(1)
  expect(all.watches.stateOf(all.folder)).toEqual({
    kind: 'failed',
    reason: `${all.folder} cannot be watched: the system watches as many folders as it may (raise fs.inotify.max_user_watches).`,
  })
})

test('a watch that ends by itself is had anew', async () => {
  let end: (told: Told) => void = () => undefined
  let tries = 0
  const all = await watched({
    subscribe: (_real, _reach, told) => {
      tries++
      end = told
      return Promise.resolve({ end: () => Promise.reject(new Error('it ended before')) })
    },
  })
  await noted(all, () => end({ kind: 'ended', reason: 'the drive is gone' }))
  await vi.waitFor(() => expect(tries).toBe(2))
  expect(all.watches.stateOf(all.folder)?.kind).toBe('watching')
})

test('a burst is told once', async () => {
  let tell: (told: Told) => void = () => undefined
  const all = await watched({
    subscribe: (_real, _reach, told) => {
      tell = told
      return Promise.resolve({ end: () => Promise.resolve() })
    },
  })
  const before = all.told.changed
  await noted(all, () => {
    for (let n = 0; n < 1_000; n++) tell({ kind: 'changed', created: [], deleted: [] })
  })
  expect(all.told.changed).toBe(before + 1)
})

test('nothing is looked for while nobody can see it', async () => {
  let looks = 0
  let seen = true
  const all = setting(
    {
      identify: () => {
        looks++
        return Promise.resolve({ ok: true, value: null })
      },
    },
    () => seen,
  )
  vi.useFakeTimers()
  try {
    await all.watches.watch([{ folder: all.folder, reach: DEEP }])
    await vi.advanceTimersByTimeAsync(3_100)
    expect(looks).toBe(4)
    seen = false
    await vi.advanceTimersByTimeAsync(60_000)
    expect(looks).toBe(4)
  } finally {
    vi.useRealTimers()
  }
})

test('after stopping nothing is told, and a subscription that was still being had is ended', async () => {
  let had: (() => void) | undefined
  let ended = 0
  const all = setting({
    subscribe: () =>
      new Promise(resolve => {
        had = () => resolve({ end: () => Promise.resolve(void ended++) })
      }),
  })
  fs.mkdirSync(all.folder, { recursive: true })
  const watching = all.watches.watch([{ folder: all.folder, reach: DEEP }])
  await vi.waitFor(() => expect(had).toBeDefined())
  await all.watches.stop()
  had?.()
  await watching
  expect({ ended, ...all.told }).toEqual({ ended: 1, changed: 0, states: [] })
})
