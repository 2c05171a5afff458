import { describe, expect, it } from 'vitest'
import { countOf, formatAge, formatBytes, formatCost, formatDate, formatSpan } from './format'

const at = (text: string) => new Date(text).getTime()
const now = at('2025-11-24T12:00:00')

describe('formats', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 KB'],
    [9949, '9.9 KB'],
    [9960, '10 KB'],
    [999_499, '999 KB'],
    [999_500, '1.0 MB'],
    [2_100_000_000, '2.1 GB'],
    [5e15, '5000 TB'],
  ])('writes %d bytes as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

  it('counts one thing and many', () => {
    expect(countOf(1, 'session')).toBe('1 session')
    expect(countOf(1204, 'session')).toBe('1,204 sessions')
    expect(countOf(0, 'branch', 'branches')).toBe('0 branches')
  })

  it('writes costs, small and large', () => {
    expect(formatCost(0)).toBe('$0.00')
    expect(formatCost(0.004)).toBe('< $0.01')
    expect(formatCost(1.84)).toBe('$1.84')
    expect(formatCost(1234.5)).toBe('$1,234.50')
  })

  it.each([
    ['2025-11-24T11:59:40', 'now'],
    ['2025-11-24T11:55:00', '5 min'],
    ['2025-11-24T10:00:00', '2 h'],
    ['2025-11-21T09:00:00', '3 d'],
    ['2025-11-10T09:00:00', '10 Nov'],
    ['2024-11-10T09:00:00', '10 Nov 2024'],
    ['2025-12-01T09:00:00', '1 Dec'],
  ])('writes the age of %s as %s', (time, text) => expect(formatAge(at(time), now)).toBe(text))

  it('says that a time is unknown', () => expect(formatAge(null, now)).toBe('unknown'))

  it('leaves the year out only when it is this one', () => {
    expect(formatDate(at('2025-01-05T00:00:00'), now)).toBe('5 Jan')
    expect(formatDate(at('2023-01-05T00:00:00'), now)).toBe('5 Jan 2023')
  })

  it('writes a span once when both ends are the same', () => {
    const start = at('2025-11-24T08:12:00')
    expect(formatSpan(start, at('2025-11-24T10:41:00'), now)).toBe('today 08:12 to 10:41')
    expect(formatSpan(start, start, now)).toBe('today 08:12')
    expect(formatSpan(at('2025-11-23T23:50:00'), start, now)).toBe('yesterday 23:50 to today 08:12')
    expect(formatSpan(null, null, now)).toBeNull()
  })
})
