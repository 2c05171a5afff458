import { describe, expect, it } from 'vitest'
import { RefTable } from './refs'

describe('refs', () => {
  it('are the same in every table of a kind, and stand for what they were issued for last', () => {
    const [one, two, other] = [
      new RefTable<number>('s'),
      new RefTable<number>('s'),
      new RefTable<number>('p'),
    ]
    const ref = one.issue('/a', 1)
    expect(ref).toMatch(/^s-[0-9a-f]{24}$/)
    expect(two.resolve(ref), 'issued by another table').toBeUndefined()
    expect(two.issue('/a', 2)).toBe(ref)
    expect(other.issue('/a', 1)).not.toBe(ref)
    expect(one.issue('/a', 3)).toBe(ref)
    expect(one.resolve(ref)).toBe(3)
  })

  it('are others for other paths, and each part of them is', () => {
    const table = new RefTable<string>('s')
    const parts = [new Set<string>(), new Set<string>(), new Set<string>()]
    const count = 20_000
    for (let at = 0; at < count; at++) {
      const digits = table.issue(`/home/p/.omp/agent/sessions/--w-${at % 7}--/${at}.jsonl`, '').slice(2)
      for (const [part, seen] of parts.entries()) seen.add(digits.slice(part * 8, part * 8 + 8))
    }
    // Of 20,000 numbers of 32 bits that fall anywhere, some 0.05 pairs are expected to be equal.
    for (const seen of parts) expect(seen.size).toBeGreaterThan(count - 5)
  })

  it('tell paths apart whose digests are equal', () => {
    const table = new RefTable<string>('s', (text, salt) => `${text.length + salt}`)
    const [one, two] = [table.issue('/a', 'one'), table.issue('/b', 'two')]
    expect(one).not.toBe(two)
    expect([table.resolve(one), table.resolve(two)]).toEqual(['one', 'two'])
    expect([table.issue('/a', 'one'), table.issue('/b', 'two')]).toEqual([one, two])
  })
})
