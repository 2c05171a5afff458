import type { SessionRow } from '@shared/ipc/models/library-models'
import { describe, expect, it } from 'vitest'
import { dayGroup, listItems, rowUpTo } from './list-items'

const now = new Date('2025-11-24T12:00:00').getTime()
const at = (text: string) => new Date(text).getTime()
// Only the fields that grouping looks at.
const row = (ref: string, lastActivity: number | null) => ({ ref, lastActivity, created: null }) as SessionRow

describe('list items', () => {
  it.each([
    ['2025-11-24T00:01:00', 'Today'],
    ['2025-11-23T23:59:00', 'Yesterday'],
    ['2025-11-18T12:00:00', 'Last week'],
    ['2025-11-02T12:00:00', 'This month'],
    ['2025-03-02T12:00:00', 'March'],
    ['2023-03-02T12:00:00', 'March 2023'],
    ['2025-11-26T12:00:00', 'In the future'],
  ])('puts %s under %s', (time, group) => expect(dayGroup(at(time), now)).toBe(group))

  it('puts one day above its rows and places after them for rows to come', () => {
    const rows = [row('a', now), row('b', now - 1000), row('c', at('2025-11-23T10:00:00')), row('d', null)]
    const items = listItems(rows, 6, 'activity', now)
    expect(items.map(item => (item.kind === 'day' ? item.text : item.kind))).toEqual([
      'Today',
      'row',
      'row',
      'Yesterday',
      'row',
      'Time unknown',
      'row',
      'pending',
      'pending',
    ])
    expect(new Set(items.map(item => item.key)).size).toBe(items.length)
  })

  it('has no days in orders that are not of time', () => {
    const items = listItems([row('a', now), row('b', now)], 2, 'size', now)
    expect(items.every(item => item.kind === 'row')).toBe(true)
  })
})

it('knows the row up to a line, also where the line is a day', () => {
  const rows = [row('a', now), row('b', now - 1000), row('c', at('2025-11-23T10:00:00'))]
  const items = listItems(rows, 3, 'activity', now)
  expect([0, 1, 2, 3, 4, 9].map(line => rowUpTo(items, line))).toEqual([0, 0, 1, 1, 2, 2])
  expect(rowUpTo([], 0)).toBe(0)
})
