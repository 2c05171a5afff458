import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NODE_KINDS } from '../ipc/models/session-models'
import { newestTipBelow, toForest } from './forest'
import { DRAWN_LANES, type GraphInput, type GraphLayout, type GraphOptions, layoutGraph, ROW } from './layout'
import { GRAPH_MODES, isShown, kindName } from './visible-tree'

const USER = NODE_KINDS.indexOf('user')
const AGENT = NODE_KINDS.indexOf('assistant')
const TOOL = NODE_KINDS.indexOf('tool-result')

const plain: GraphOptions = { mode: 'all', order: 'newest', unfoldAll: true, unfolded: new Set() }

function input(parents: number[], kinds?: number[], active: number | null = null): GraphInput {
  return {
    parents: Int32Array.from(parents),
    kinds: Uint8Array.from(kinds ?? parents.map(() => AGENT)),
    labelled: new Uint8Array(parents.length),
    active,
  }
}

/** Trees as they come from disk: mostly earlier parents, sometimes anything at all. */
const anyInput = fc
  .array(
    fc.record({
      back: fc.integer({ min: 1, max: 6 }),
      wild: fc.oneof(
        { weight: 12, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.integer({ min: -3, max: 70 }) },
      ),
      kind: fc.integer({ min: 0, max: NODE_KINDS.length }),
      labelled: fc.integer({ min: 0, max: 9 }).map(n => (n === 0 ? 1 : 0)),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .chain(entries =>
    fc.record({
      graph: fc.constant({
        parents: Int32Array.from(entries.map((entry, i) => entry.wild ?? Math.max(-1, i - entry.back))),
        kinds: Uint8Array.from(entries.map(entry => entry.kind)),
        labelled: Uint8Array.from(entries.map(entry => entry.labelled)),
      }),
      active: fc.option(fc.integer({ min: 0, max: entries.length - 1 })),
      mode: fc.constantFrom(...GRAPH_MODES),
      order: fc.constantFrom('newest' as const, 'oldest' as const),
      unfoldAll: fc.boolean(),
      unfolded: fc.array(fc.integer({ min: 0, max: entries.length - 1 })).map(list => new Set(list)),
    }),
  )

/** Entries of each row, folds opened by walking visible parents. */
function entriesOf(layout: GraphLayout, row: number, up: (at: number) => number): number[] {
  const length = Math.max(1, layout.folded[row] ?? 0)
  const found: number[] = []
  for (let at = layout.ordinal[row] ?? -1, n = 0; n < length; n++, at = up(at)) found.push(at)
  return found
}

/** Follows a row's edge with nothing but what the rows say is drawn; answers the row where it ends. */
function followEdge(layout: GraphLayout, row: number): number {
  const step = layout.newestFirst ? 1 : -1
  const lane = layout.lane[row] ?? 0
  const bit = lane < DRAWN_LANES ? (1 << lane) >>> 0 : 0
  for (let at = row + step; at >= 0 && at < layout.count; at += step) {
    const passes = ((layout.passing[at] ?? 0) & bit) !== 0
    const joins = ((layout.joining[at] ?? 0) & bit) !== 0
    const own = layout.lane[at] === lane && ((layout.flags[at] ?? 0) & ROW.toChild) !== 0
    if (Number(passes) + Number(joins) + Number(own) !== 1) return -2
    if (!passes) return at
  }
  return -1
}

describe('layoutGraph', () => {
  test('shows every visible entry exactly once, children on the newer side of their parents', () => {
    fc.assert(
      fc.property(anyInput, ({ graph, active, ...options }) => {
        const layout = layoutGraph({ ...graph, active }, options)
        const forest = toForest(graph.parents)
        const shown = (at: number) =>
          isShown(options.mode, kindName(graph.kinds[at]), graph.labelled[at] === 1)
        const up = (at: number) => {
          let parent = forest.parents[at] ?? -1
          while (parent >= 0 && !shown(parent)) parent = forest.parents[parent] ?? -1
          return parent
        }
        const seen: number[] = []
        for (let row = 0; row < layout.count; row++) {
          const entries = entriesOf(layout, row, up)
          seen.push(...entries)
          for (const at of entries) expect(layout.rowOf[at]).toBe(row)
          expect(layout.oldest[row]).toBe(entries[entries.length - 1])
          const parent = up(layout.oldest[row] ?? -1)
          const parentRow = layout.parentRow[row] ?? -1
          expect(parentRow).toBe(parent < 0 ? -1 : layout.rowOf[parent])
          if (parentRow >= 0) expect(parentRow > row).toBe(layout.newestFirst)
        }
        const expected = [...graph.parents.keys()].filter(shown)
        expect(seen.sort((a, b) => a - b)).toEqual(expected)
        expect(layout.entries).toBe(expected.length)
      }),
      { numRuns: 400 },
    )
  })

  test('draws an edge from each row to its visible parent, and lanes never collide', () => {
    fc.assert(
      fc.property(anyInput, ({ graph, active, ...options }) => {
        const layout = layoutGraph({ ...graph, active }, options)
        for (let row = 0; row < layout.count; row++) {
          const parent = layout.parentRow[row] ?? -1
          const flags = layout.flags[row] ?? 0
          expect((flags & ROW.toParent) !== 0).toBe(parent >= 0)
          const own = layout.lane[row] ?? 0
          // Nothing else runs through the place where this row's mark is drawn.
          if (own < DRAWN_LANES) expect(((layout.passing[row] ?? 0) >>> own) & 1).toBe(0)
          expect((layout.passing[row] ?? 0) & (layout.joining[row] ?? 0)).toBe(0)
          if (parent >= 0 && own < DRAWN_LANES) expect(followEdge(layout, row)).toBe(parent)
        }
        // Two edges that are open in the same row never share a lane, unless both end there.
        for (let row = 0; row < layout.count; row++) {
          const open = new Set<number>()
          for (let child = 0; child < layout.count; child++) {
            const parent = layout.parentRow[child] ?? -1
            if (parent < 0) continue
            const inside = layout.newestFirst ? child < row && parent > row : child > row && parent < row
            if (!inside) continue
            const lane = layout.lane[child] ?? 0
            expect(open.has(lane)).toBe(false)
            open.add(lane)
          }
          expect(open.has(layout.lane[row] ?? 0)).toBe(false)
        }
      }),
      { numRuns: 400 },
    )
  })

  test('keeps the active path in lane 0 and everything else out of it', () => {
    fc.assert(
      fc.property(anyInput, ({ graph, active, ...options }) => {
        const layout = layoutGraph({ ...graph, active }, options)
        for (let row = 0; row < layout.count; row++)
          expect(layout.lane[row] === 0).toBe(((layout.flags[row] ?? 0) & ROW.active) !== 0)
      }),
    )
  })

  test('gives a lane back at its fork', () => {
    //      0 - 1 - 4(active)    2 hangs off 1, 3 hangs off 0: one after the other they need one lane only
    const layout = layoutGraph(input([-1, 0, 1, 0, 1], undefined, 4), plain)
    expect([...layout.ordinal]).toEqual([4, 3, 2, 1, 0])
    expect([...layout.lane]).toEqual([0, 1, 2, 0, 0])
    const apart = layoutGraph(input([-1, 0, 0, 2, 2, 4], undefined, 5), plain)
    // 3 ends at 2, 1 ends at 0: never open together.
    expect([...apart.ordinal]).toEqual([5, 4, 3, 2, 1, 0])
    expect([...apart.lane]).toEqual([0, 0, 1, 0, 1, 0])
    expect(apart.maxLane).toBe(1)
  })

  test('folds straight runs but never prompts, forks, labels and tips', () => {
    const kinds = [USER, AGENT, TOOL, AGENT, USER, AGENT, TOOL, AGENT]
    const folded = layoutGraph(input([-1, 0, 1, 2, 3, 4, 5, 6], kinds), {
      ...plain,
      mode: 'default',
      unfoldAll: false,
    })
    expect([...folded.ordinal]).toEqual([7, 6, 4, 3, 0])
    expect([...folded.folded]).toEqual([0, 2, 0, 3, 0])
    expect([...folded.oldest]).toEqual([7, 5, 4, 1, 0])
    const one = layoutGraph(input([-1, 0, 1, 2, 3, 4, 5, 6], kinds), {
      ...plain,
      mode: 'default',
      unfoldAll: false,
      unfolded: new Set([1]),
    })
    expect([...one.ordinal]).toEqual([7, 6, 4, 3, 2, 1, 0])
    expect([...one.openRun]).toEqual([-1, -1, -1, 1, 1, 1, -1])
  })

  test('cuts cycles at their first entry', () => {
    const forest = toForest(Int32Array.from([2, 0, 1, 3, 9, -7]))
    expect([...forest.parents]).toEqual([-1, 0, 1, -1, -1, -1])
    expect(forest.broken).toBe(2)
    expect([...forest.order].sort()).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('finds the newest tip below an entry', () => {
    const forest = toForest(Int32Array.from([-1, 0, 1, 1, 0]))
    expect(newestTipBelow(forest, 1)).toBe(3)
    expect(newestTipBelow(forest, 0)).toBe(4)
    expect(newestTipBelow(forest, 2)).toBe(2)
  })

  test('works in linear steps on long chains and many branches', () => {
    const work = (count: number, parent: (i: number) => number) => {
      const parents = Int32Array.from({ length: count }, (_, i) => parent(i))
      return layoutGraph(
        { ...input([]), parents, kinds: new Uint8Array(count), labelled: new Uint8Array(count) },
        plain,
      )
    }
    const chain = work(100_000, i => i - 1)
    expect(chain.count).toBe(100_000)
    expect(chain.work).toBeLessThan(100_000 * 12)
    const reversed = work(100_000, i => (i === 99_999 ? -1 : i + 1))
    expect(reversed.work).toBeLessThan(100_000 * 12)
    const cycle = work(100_000, i => (i + 1) % 100_000)
    expect(cycle.work).toBeLessThan(100_000 * 12)
    // 500 branches that stay open side by side, 200 entries each.
    const wide = work(100_000, i => (i < 500 ? i - 1 : i - 500))
    expect(wide.count).toBe(100_000)
    expect(wide.maxLane).toBeGreaterThan(400)
    expect(wide.work).toBeLessThan(100_000 * 12)
    const star = work(100_000, i => (i === 0 ? -1 : 0))
    expect(star.maxLane).toBe(99_998)
    expect(star.work).toBeLessThan(100_000 * 24)
  })
})
