import { describe, expect, it } from 'vitest'
import { liveStatus } from './live-status'
import type { SessionStatus } from './status'

const ALL: readonly SessionStatus[] = ['complete', 'interrupted', 'pending', 'error', 'aborted', 'unknown']

describe('liveStatus', () => {
  it('is how the file ends while nobody has it', () => {
    expect(ALL.map(status => liveStatus(status, null))).toEqual(ALL)
  })

  it.each([
    ['pending', 'running'],
    ['interrupted', 'running'],
    ['complete', 'waiting'],
    ['error', 'in-use'],
    ['aborted', 'in-use'],
    ['unknown', 'in-use'],
  ] as const)('of a session in use that ends %s is %s', (status, live) => {
    expect(liveStatus(status, 'in-use')).toBe(live)
  })

  it('concludes nothing where it is only known that it may be in use', () => {
    expect(ALL.map(status => liveStatus(status, 'maybe'))).toEqual(ALL.map(() => 'maybe-in-use'))
  })
})
