/** Trees that are no trees, and very long, wide and branched ones: what is shown of each. Rule: docs/format.md, Tree. */
import { toForest } from '@shared/graph/forest'
import { layoutGraph } from '@shared/graph/layout'
import { GRAPH_MODES, isShown, kindName } from '@shared/graph/visible-tree'
import { describe, expect, it } from 'vitest'
import { BlobStore } from '../engine/blobs/blob-store'
import { SessionDocument } from '../engine/session/session-document'
import { HEADER, journal, message } from '../engine/storage/journal.test-support'
import { MemorySessionStorage } from '../engine/storage/memory-session-storage'
import { nodeFileSystem } from '../engine/storage/node-file-system'
import { describeOddSection, type Looked, type OddCases, unwrap } from './odd-files.test-support'
import { PathView, treeShape } from './reading/path-view'

type Shape = {
  entries: number
  /** Ids from the root to the tip at which reading starts. */
  path: string[]
  tips: string[]
  roots?: string[]
  problems?: string[]
}

/** The shape of a tree of prompts `<kind>: <id>`, as it is read and as it is shown. */
function shape({ entries, path, tips, roots = ['a'], problems = [] }: Shape, gap: string[] = []) {
  return (looked: Looked): void => {
    const { opened, document } = looked
    expect(looked.facts()).toMatchObject({ entries, damaged: [], problems })
    expect(looked.ids(document.index.path(opened.openTip))).toEqual(path)
    expect(looked.ids(document.index.tips())).toEqual(tips)
    expect(opened.tips.map(({ id }) => id)).toEqual([...tips].reverse())
    expect(opened.tips.filter(({ isLeaf }) => isLeaf)).toHaveLength(1)
    expect(looked.ids(document.index.roots())).toEqual(roots)
    expect(looked.said()).toEqual([...gap, ...path.map(id => `prompt: ${looked.odd.kind}: ${id}`)])
    expect(looked.row.branches).toBe(tips.length)
  }
}

const GAP = '1 entry follows one that is not in the file (a gap).'
const DUPLICATE = '1 entry has an id that stood in the file before.'
const CIRCLE = '1 group of entries leads in a circle.'
const gapBefore = (id: string) => [`gap: The entry before this one (${id}) is not in the file.`]

const broken: OddCases = {
  'duplicate id, the second with another parent': looked => {
    shape({ entries: 5, path: ['a', 'b', 'c', 'b', 'd'], tips: ['d'], problems: [DUPLICATE] })(looked)
    // Each of the two in its own place: what follows the second hangs below it, and nothing twice.
    expect([...looked.tree().parents]).toEqual([-1, 0, 1, 2, 3])
  },
  'duplicate id, one a root, one a descendant': shape({
    entries: 4,
    path: ['a', 'b', 'a', 'c'],
    tips: ['c'],
    problems: [DUPLICATE],
  }),
  'self-parent': shape({
    entries: 4,
    path: ['s', 't'],
    tips: ['b', 't'],
    roots: ['a', 's'],
    problems: ['1 entry names itself as its parent.'],
  }),
  'cycle of two': shape({ entries: 2, path: ['a', 'b'], tips: ['b'], roots: [], problems: [CIRCLE] }),
  'cycle of three': shape({ entries: 3, path: ['a', 'b', 'c'], tips: ['c'], roots: [], problems: [CIRCLE] }),
  'a cycle that no root reaches': shape({
    entries: 6,
    path: ['x', 'y', 'z', 'w'],
    tips: ['b', 'w'],
    problems: [CIRCLE],
  }),
  'missing parent': shape(
    { entries: 3, path: ['c'], tips: ['b', 'c'], roots: ['a', 'c'], problems: [GAP] },
    gapBefore('gone'),
  ),
  'a hole in the middle of a chain': looked => {
    const kind = looked.odd.kind
    shape(
      { entries: 5, path: ['d', 'e', 'f'], tips: ['b', 'f'], roots: ['a', 'd'], problems: [GAP] },
      gapBefore('c'),
    )(looked)
    const previews = unwrap(looked.previews([0, 1, 2, 3, 4]))
    expect(looked.ids(previews.filter(({ gap }) => gap).map(({ ordinal }) => ordinal))).toEqual(['d'])
    // What lies before the hole is a segment of its own, in file order, and marked nowhere.
    expect(looked.said(1)).toEqual([`prompt: ${kind}: a`, `prompt: ${kind}: b`])
    expect(looked.opened.tips).toMatchObject([
      { id: 'f', own: 3, onPath: 3 },
      { id: 'b', own: 2, onPath: 2 },
    ])
  },
  'several roots': looked => {
    shape({ entries: 5, path: ['e'], tips: ['b', 'd', 'e'], roots: ['a', 'c', 'e'] })(looked)
    expect(looked.rows()[0]?.fork).toEqual({ index: 3, count: 3, previousTip: 3, nextTip: null })
  },
  'every line written twice': looked => {
    expect(looked.facts()).toMatchObject({
      title: 'every line written twice',
      entries: 4,
      damaged: [],
      // The slot stands where the header belongs.
      problems: [
        'The header does not stand first; omp refuses to open such a file.',
        '6 records stand in the file twice and are shown once.',
      ],
    })
    expect(looked.said()).toEqual([
      'prompt: An odd file: every line written twice.',
      'agent: It is read like any other, as far as it can be.',
    ])
    expect(looked.details.usage).toMatchObject([{ messages: 1 }])
    expect(looked.document.problems).toContainEqual({ kind: 'repeated-record', count: 6 })
  },
}

const large: OddCases = {
  'a long chain': looked => {
    const length = Number(looked.odd.expect.pathLength)
    expect(looked.opened).toMatchObject({ tipCount: 1, tips: [{ own: length, onPath: length }] })
    const rows = looked.rows()
    expect(rows).toHaveLength(length)
    expect(rows.map(({ ordinal }) => ordinal)).toEqual(rows.map((_, at) => at))
  },
  '500 branches': looked => {
    const { opened, details } = looked
    expect([opened.tipCount, opened.tips.length, details.counts.branchPoints]).toEqual([500, 500, 499])
    expect(opened.tips[0]).toMatchObject({ id: 'tip499', own: 2, onPath: 502, isLeaf: true })
    expect(opened.tips[499]).toMatchObject({ id: 'tip0', own: 1, onPath: 3, isLeaf: false })
  },
  '60 children of one entry': looked => {
    expect(looked.opened.tipCount).toBe(60)
    const ids = looked.ids(looked.opened.tips.map(({ ordinal }) => ordinal))
    expect(ids).toEqual(Array.from({ length: 60 }, (_, at) => `c${59 - at}`))
    for (const [at, { ordinal }] of [...looked.opened.tips].reverse().entries())
      expect(looked.rows(ordinal)[1]?.fork).toMatchObject({ index: at + 1, count: 60 })
  },
}

/** omp goes on at the last line; reading starts where the conversation is. */
function deadEnd(text: string) {
  return (looked: Looked): void => {
    const { opened, document } = looked
    const { leafId, newestMessageTip } = looked.odd.expect
    expect(looked.ids([opened.leaf ?? -1, opened.openTip ?? -1])).toEqual([leafId, newestMessageTip])
    expect(looked.said().at(-1)).toBe('agent: And ends here: this is the newest tip with messages.')
    expect(opened.tips).toMatchObject([
      { id: leafId, isLeaf: true, hasMessages: false, own: 1, text },
      { id: newestMessageTip, isLeaf: false, hasMessages: true, own: 2 },
    ])
    expect(document.problems).toEqual([])
  }
}

const shown: OddCases = {
  'last line is an exit marker far from the tip': deadEnd('omp ended'),
  'last line is a late label': deadEnd('late'),
  'inner nodes that filters hide': looked => {
    for (const mode of GRAPH_MODES) checkFiltered(looked, mode)
    const { labels } = looked.tree()
    expect(labels.map(({ label }) => label)).toEqual(['mark 0', 'mark 2'])
  },
}

/** Every visible entry hangs off its nearest visible ancestor, as found the slow way, and its lane leads there. */
function checkFiltered(looked: Looked, mode: (typeof GRAPH_MODES)[number]): void {
  const { parents, kinds, labels, count } = looked.tree()
  const labelled = new Uint8Array(count)
  for (const { ordinal } of labels) labelled[ordinal] = 1
  const isVisible = (at: number) => isShown(mode, kindName(kinds[at]), labelled[at] === 1)
  const input = { parents, kinds, labelled, active: looked.opened.openTip }
  const layout = layoutGraph(input, { mode, order: 'newest', unfoldAll: true, unfolded: new Set() })
  const visible = Array.from({ length: count }, (_, at) => at).filter(isVisible)
  expect([...layout.ordinal].sort((a, b) => a - b)).toEqual(visible)
  for (let row = 0; row < layout.count; row++) {
    let up = parents[layout.ordinal[row] ?? 0] ?? -1
    while (up >= 0 && !isVisible(up)) up = parents[up] ?? -1
    const parentRow = layout.parentRow[row] ?? -1
    expect(parentRow < 0 ? -1 : layout.ordinal[parentRow]).toBe(up)
    const lane = layout.lane[row] ?? 0
    // Between an entry and its parent its lane is open on every row.
    for (let between = row + 1; between < parentRow; between++)
      expect(((layout.passing[between] ?? 0) >>> lane) & 1).toBe(1)
  }
}

/** A fork is linked with its parent where that can be found; the entries that it copied are its own as well. */
function fork(found: boolean) {
  return (looked: Looked): void => {
    const parent = looked.library.odd.find(({ kind }) => kind === 'a parent with forks')
    const copied = Number(looked.odd.expect.copiedEntries)
    expect(looked.summary.parentSession).not.toBeNull()
    expect(looked.odd.expect).toMatchObject({ parentFound: found, parentId: found ? parent?.id : null })
    expect(looked.facts()).toMatchObject({ entries: copied + 1, status: 'pending', problems: [] })
    expect(looked.said().at(-1)).toBe('prompt: Something only the fork has.')
  }
}

const forks: OddCases = {
  'a parent with forks': looked => {
    expect(looked.summary.parentSession).toBeNull()
    expect(looked.summary.previousFiles).toHaveLength(1)
  },
  'fork by id': fork(true),
  'fork by path': fork(true),
  'fork by a path through a symlink': fork(true),
  'fork by a path before the parent moved': fork(true),
  'fork of a deleted parent': fork(false),
  'fork of a deleted file': fork(false),
}

describeOddSection('Trees', { ...broken, ...large, ...shown, ...forks })

describe('chains at their full length', () => {
  it.each([20_000, 100_000])('of %d entries are read, drawn and paged without recursion', length => {
    const lines = Array.from({ length }, (_, at) =>
      journal(message(`n${at}`, at === 0 ? null : `n${at - 1}`)),
    )
    const bytes = Buffer.from(journal(HEADER) + lines.join(''))
    const now = () => Date.parse('2026-02-01T00:00:00.000Z')
    const document = unwrap(SessionDocument.open(new MemorySessionStorage('/s.jsonl', bytes), now))
    const parents = document.index.parents()
    const forest = toForest(parents)
    expect([document.index.count, document.index.tips(), forest.broken]).toEqual([length, [length - 1], 0])
    expect(document.index.pathLengths()[length - 1]).toBe(length)
    const { kinds } = document.columns.arrays()
    const input = { parents, kinds, labelled: new Uint8Array(length), active: null }
    const options = {
      mode: 'all' as const,
      order: 'newest' as const,
      unfoldAll: true,
      unfolded: new Set<number>(),
    }
    const layout = layoutGraph(input, options, forest)
    expect([layout.count, layout.maxLane]).toEqual([length, 0])
    expect(layout.work).toBeLessThan(12 * length)
    const view = unwrap(PathView.open(document, treeShape(document), null, now()))
    expect(view.total).toBe(0)
    const path = unwrap(PathView.open(document, treeShape(document), length - 1, now()))
    const images = { blobs: new BlobStore(nodeFileSystem, '/nowhere'), blobRoot: 'b', session: 's' }
    const page = unwrap(path.page(null, 50, images, () => null))
    expect([page.total, page.rows.length, page.rows[49]?.entryId]).toEqual([length, 50, `n${length - 1}`])
    // What crosses to the window is flat, however deep the chain.
    expect(structuredClone(layout).count).toBe(length)
  })
})
