import { expect, test, vi } from 'vitest'
import type { WorkerClient } from '../workers/worker-client'
import { OpenSessions } from './open-sessions'

test('growth that opening a shown session again came upon is told, and only then', () => {
  vi.useFakeTimers()
  const told: unknown[] = []
  // Nothing looks by itself here: time stands still.
  const worker = {} as WorkerClient
  const sessions = new OpenSessions(worker, {
    changed: (...change) => told.push(change),
    draftChanged: () => undefined,
  })
  sessions.add('s', '/journal', { growth: 'rewritten', revision: 1 })
  sessions.add('s', '/journal', { growth: 'same', revision: 1 })
  expect(told, 'opening for the first time is no change').toEqual([])
  sessions.add('s', '/journal', { growth: 'grown', revision: 2 })
  expect(told).toEqual([['s', 2, 'grown']])
  sessions.remove('s')
  sessions.add('s', '/journal', { growth: 'grown', revision: 3 })
  expect(told).toHaveLength(1)
  sessions.stop()
  vi.useRealTimers()
})
