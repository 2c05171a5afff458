import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findBranches, openingTip, ownSegment } from './branches'
import { EntryColumns } from './entry-columns'
import { NO_PARENT, SessionEntryIndex } from './session-entry-index'

type Pair = [id: string | null, parentId: string | null]

function indexOf(pairs: readonly Pair[]): SessionEntryIndex {
  const index = new SessionEntryIndex()
  for (const [id, parentId] of pairs) index.append({ id, parentId, offset: 0, length: 1 })
  return index
}

/** The parents by the rule, from all entries at once: nearest earlier of that id, else first later, never itself. */
function parentsOf(pairs: readonly Pair[]): number[] {
  return pairs.map(([id, parentId], at) => {
    if (parentId === null) return NO_PARENT
    const earlier = pairs
      .slice(0, at)
      .map(([other]) => other)
      .lastIndexOf(parentId)
    if (earlier !== -1) return earlier
    if (id === parentId) return NO_PARENT
    const later = pairs.slice(at + 1).findIndex(([other]) => other === parentId)
    return later === -1 ? NO_PARENT : at + 1 + later
  })
}

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const pairs = fc.array(fc.tuple(fc.option(id, { freq: 8 }), fc.option(id, { freq: 8 })), { maxLength: 14 })

describe('SessionEntryIndex', () => {
  it('equals the rule applied to all entries at once, for any tree or non-tree', () => {
    fc.assert(
      fc.property(pairs, list => {
        const index = indexOf(list)
        const parents = parentsOf(list)
        expect([...index.parents()]).toEqual(parents)
        expect(list.map((_, at) => index.childCount(at))).toEqual(
          list.map((_, at) => parents.filter(parent => parent === at).length),
        )
      }),
      { numRuns: 1_000 },
    )
  })

  it('holds every entry once, and every walk ends', () => {
    fc.assert(
      fc.property(pairs, list => {
        const index = indexOf(list)
        const children = [...index.childrenByParent().values()].flat()
        expect([...children].sort((a, b) => a - b)).toEqual(list.map((_, at) => at))
        expect([...index.forks()]).toEqual(
          [...index.childrenByParent()].filter(([parent, all]) => parent === NO_PARENT || all.length > 1),
        )
        const lengths = index.pathLengths()
        for (const at of list.keys()) {
          const path = index.path(at)
          expect(new Set(path).size).toBe(path.length)
          expect(path[path.length - 1]).toBe(at)
          expect(lengths[at]).toBe(path.length)
        }
        // Each entry is below a root or in (or below) exactly one cycle.
        const tops = new Set([...index.roots(), ...index.cycles()])
        for (const at of list.keys()) {
          const path = index.path(at)
          const top = path[0] ?? -1
          expect(tops.has(top) || index.cycles().some(first => path.includes(first))).toBe(true)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('tells roots, orphans, self-parents and cycles apart', () => {
    const index = indexOf([
      ['a', null],
      ['b', 'gone'],
      ['c', 'c'],
      ['x', 'y'],
      ['y', 'x'],
      ['z', 'y'],
    ])
    expect(index.roots()).toEqual([0, 1, 2])
    expect(index.orphans()).toEqual([1])
    expect(index.selfParents()).toEqual([2])
    expect(index.cycles()).toEqual([3])
    expect(index.tips()).toEqual([0, 1, 2, 5])
    expect(
      indexOf([
        ['a', 'b'],
        ['b', 'a'],
      ]).roots(),
    ).toEqual([])
  })

  it('names the last entry of an id, and keeps both', () => {
    const index = indexOf([
      ['a', null],
      ['b', 'a'],
      ['a', 'b'],
      ['c', 'a'],
    ])
    expect(index.ordinalOf('a')).toBe(2)
    expect(index.path(3)).toEqual([0, 1, 2, 3])
    expect(index.duplicateIds()).toEqual([2])
  })

  it('walks chains of 100,000 entries, forwards and backwards, in linear time', () => {
    const size = 100_000
    const forwards = indexOf(
      Array.from({ length: size }, (_, at): Pair => [`n${at}`, at === 0 ? null : `n${at - 1}`]),
    )
    expect(forwards.path(size - 1)).toHaveLength(size)
    expect(forwards.pathLengths()[size - 1]).toBe(size)
    const backwards = indexOf(Array.from({ length: size }, (_, at): Pair => [`n${at}`, `n${at + 1}`]))
    expect(backwards.pathLengths()[0]).toBe(size)
    expect(backwards.cycles()).toEqual([])
  })
})

describe('branches', () => {
  const columnsOf = (kinds: readonly string[]) => {
    const columns = new EntryColumns(0)
    for (const kind of kinds)
      columns.add(kind === 'm' ? { type: 'message', message: { role: 'user' } } : { type: 'label' })
    return columns
  }

  it('equal what walking up from every entry finds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.option(id), fc.option(id), fc.constantFrom('m', 'l')), { maxLength: 14 }),
        list => {
          const index = indexOf(list.map(([own, parent]): Pair => [own, parent]))
          const { newestBelow, hasMessages } = findBranches(index, columnsOf(list.map(([, , kind]) => kind)))
          for (const at of list.keys()) {
            const below = [...list.keys()].filter(other => index.path(other).includes(at))
            expect(newestBelow[at]).toBe(Math.max(...below))
            expect(hasMessages[at]).toBe(below.some(other => list[other]?.[2] === 'm') ? 1 : 0)
          }
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('open at the newest tip with messages when omp stands in a dead end', () => {
    const index = indexOf([
      ['a', null],
      ['b', 'a'],
      ['c', 'b'],
      ['l', 'a'],
    ])
    expect(openingTip(index, columnsOf(['m', 'm', 'm', 'l']))).toBe(2)
    expect(openingTip(index, columnsOf(['m', 'm', 'm', 'm']))).toBe(3)
    expect(openingTip(indexOf([]), columnsOf([]))).toBeNull()
    expect(ownSegment(index, 2)).toEqual([2, 1])
  })
})
