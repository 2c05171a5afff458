import type { WebContents } from 'electron'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { EventSender } from './event-sender'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A window that notes what it is told, and when. */
function windowOf() {
  const told: [number, unknown][] = []
  const began = performance.now()
  const send = (_channel: string, _name: string, payload: unknown) =>
    told.push([performance.now() - began, payload])
  // The sender asks nothing else of it.
  return { told, sender: new EventSender(() => ({ send }) as unknown as WebContents) }
}

it('tells of one change soon, and of many that follow each other a few times a second', () => {
  const { told, sender } = windowOf()
  sender.libraryChanged(1, ['a'])
  sender.libraryChanged(2, ['b'])
  vi.advanceTimersByTime(100)
  expect(told).toEqual([[60, { revision: 2, sessions: ['a', 'b'] }]])
  for (let revision = 3; revision < 203; revision++) {
    sender.libraryChanged(revision, [`s${revision}`])
    vi.advanceTimersByTime(10)
  }
  vi.advanceTimersByTime(1_000)
  const times = told.map(([time]) => time)
  expect(times.length).toBeLessThanOrEqual(7)
  for (const [at, time] of times.slice(1).entries())
    expect(time - (times[at] ?? 0)).toBeGreaterThanOrEqual(400)
  // What a change tells, as above.
  const later = told.slice(1) as [number, { revision: number; sessions: string[] }][]
  expect(later.flatMap(([, { sessions }]) => sessions)).toHaveLength(200)
  expect(later.at(-1)?.[1].revision).toBe(202)
  // After a pause one is told of soon again.
  const now = told.length
  sender.libraryChanged(203, ['z'])
  vi.advanceTimersByTime(70)
  expect(told).toHaveLength(now + 1)
})

it('tells that any may have changed where one of the changes says so', () => {
  const { told, sender } = windowOf()
  sender.libraryChanged(1, ['a'])
  sender.libraryChanged(2, null)
  sender.libraryChanged(3, ['b'])
  vi.advanceTimersByTime(100)
  expect(told.map(([, payload]) => payload)).toEqual([{ revision: 3, sessions: null }])
})
