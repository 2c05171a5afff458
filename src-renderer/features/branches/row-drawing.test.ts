import { type GraphLayout, type GraphOptions, layoutGraph } from '@shared/graph/layout'
import { expect, test } from 'vitest'
import { branchColors } from './branch-colors'
import { drawRow, hiddenLanes, laneColumn, ROW_HEIGHT } from './row-drawing'
import { shortCount } from './row-words'
import { findEntries } from './use-find'

const options: GraphOptions = { mode: 'all', order: 'newest', unfoldAll: true, unfolded: new Set() }

function layout(parents: number[], change: Partial<GraphOptions> = {}) {
  const size = parents.length
  return layoutGraph(
    {
      parents: Int32Array.from(parents),
      kinds: new Uint8Array(size).fill(1),
      labelled: new Uint8Array(size),
      active: null,
    },
    { ...options, ...change },
  )
}

const draw = (graph: GraphLayout, row: number, lanes: number) =>
  drawRow(graph, branchColors(graph), row, 1, lanes)

test('a fork draws a curve from its lane, downwards or upwards', () => {
  const newest = draw(layout([-1, 0, 0]), 2, 8)
  expect(newest.strokes.map(stroke => stroke.path)).toEqual(['M36 0C36 12 16 4 16 15', 'M16 0V15'])
  const oldest = draw(layout([-1, 0, 0], { order: 'oldest' }), 0, 8)
  expect(oldest.strokes[0]?.path).toBe(`M36 ${ROW_HEIGHT}C36 18 16 26 16 15`)
})

test.each(['newest', 'oldest'] as const)(
  'branches that take turns in one lane differ in colour, %s first',
  order => {
    // 0 - 2 - 4, with 1 from 0 and 3 from 2: both in lane 1, one after the other.
    const graph = layout([-1, 0, 0, 2, 2], { order })
    const colors = branchColors(graph)
    const of = (ordinal: number) => {
      const row = graph.rowOf[ordinal] ?? -1
      return { lane: graph.lane[row], color: colors(graph.lane[row] ?? 0, row) }
    }
    expect([of(1).lane, of(3).lane]).toEqual([1, 1])
    expect(of(4).color).toBe(of(0).color)
    expect(new Set([of(4).color, of(1).color, of(3).color]).size).toBe(3)
  },
)

test('lanes past the visible ones are counted', () => {
  const star = layout([-1, ...Array.from({ length: 50 }, () => 0)])
  const middle = 40
  const open = middle
  expect(hiddenLanes(star, middle, 6)).toBe(open - 6)
  expect(draw(star, middle, 6).strokes).toHaveLength(6)
  expect(laneColumn(star.maxLane, 800).lanes).toBeLessThanOrEqual(10)
})

test('find looks at texts, labels and tips', () => {
  const previews = new Map([
    [1, { ordinal: 1, id: null, who: 'You', text: 'Write the Changelog', gap: false }],
  ])
  const labels = new Map([[2, ['before change']]])
  const tips = new Map([[3, 'no change']])
  expect(findEntries('change', [3, 2, 1, 0], previews, labels, tips)).toEqual([3, 2, 1])
  expect(findEntries(' ', [1], previews, labels, tips)).toEqual([])
})

test('narrow numbers', () => {
  expect([640, 1234, 84_200, 1_300_000].map(shortCount)).toEqual(['640', '1.2k', '84k', '1.3M'])
})
