import type { SessionsQuery } from '@shared/ipc/models/library-models'
import { describe, expect, it } from 'vitest'
import { plainLayout } from '../../engine/layout/agent-directories'
import type { LibraryRoot } from '../roots'
import { Catalog } from './catalog'
import type { RootFound } from './library-scan'
import { foldText } from './row-order'
import type { SessionSummary } from './session-summary'
import { summary } from './summary.test-support'

const rootAt = (dir: string): LibraryRoot => ({
  id: dir,
  name: dir,
  kind: 'added',
  readOnly: false,
  layout: plainLayout(dir),
})
const found = (dir: string, notes: string[] = []): RootFound => ({ id: dir, state: 'ok', note: null, notes })
const take = (catalog: Catalog, ...summaries: SessionSummary[]) =>
  catalog.takeRows(
    summaries.map(of => ({ root: '/r', summary: of })),
    [rootAt('/r')],
  )

function catalogOf(...summaries: SessionSummary[]): Catalog {
  const catalog = new Catalog('/home/u')
  catalog.takeRoots([rootAt('/r')], [found('/r')])
  take(catalog, ...summaries)
  return catalog
}

const query = (more: Partial<SessionsQuery> = {}): SessionsQuery => ({
  scope: { kind: 'all' },
  sort: 'activity',
  reverse: false,
  filter: '',
  offset: 0,
  limit: 100,
  ...more,
})
const titles = (catalog: Catalog, more: Partial<SessionsQuery> = {}) =>
  catalog.page(query(more)).rows.map(({ title }) => title)

/** A sentence as the engine says it. */
const USED = { state: 'in-use' as const, text: 'omp (process 7) has a.jsonl open.' }
const FREE = { state: 'free' as const, text: null }

describe('looking for sessions among the rows of a query', () => {
  const files = ['/r/a.jsonl', '/r/b.jsonl', '/r/c.jsonl', '/r/d.jsonl']
  const catalog = catalogOf(...files.map(file => summary(file)))
  const order = catalog.page(query()).rows.map(({ ref }) => ref)

  it('says how far down the last of them stands, also beyond the page', () => {
    const find = [order[2] ?? '', order[0] ?? '']
    expect(catalog.page(query({ limit: 1, find })).through).toBe(3)
    expect(catalog.page(query({ find: ['gone'] })).through).toBe(0)
    expect(catalog.page(query({ scope: { kind: 'starred' }, find })).through).toBe(0)
    expect(catalog.page(query())).not.toHaveProperty('through')
  })
})

describe('a session that was moved', () => {
  it('is found at its new place by its old name, and back again; one that is gone is not', () => {
    const catalog = catalogOf(summary('/r/old.jsonl'), summary('/r/other.jsonl'))
    const refOf = (file: string) => catalog.refOf(file, rootAt('/r'))
    const [old, other] = [refOf('/r/old.jsonl'), refOf('/r/other.jsonl')]
    expect(catalog.movedTo(old), 'it is where it was').toBeNull()
    const moved = { ...summary('/r/new.jsonl'), previousFiles: ['/r/old.jsonl'] }
    catalog.forget(['/r/old.jsonl', '/r/other.jsonl'])
    expect(catalog.movedTo(old), 'not read yet').toBeNull()
    take(catalog, moved)
    expect(catalog.movedTo(old)).toBe(refOf('/r/new.jsonl'))
    expect(catalog.movedTo(other)).toBeNull()
    catalog.keepOnly([])
    take(catalog, summary('/r/old.jsonl'))
    expect(catalog.movedTo(refOf('/r/new.jsonl'))).toBe(old)
    expect(catalog.movedTo(old)).toBeNull()
  })
})

describe('who has a session', () => {
  it('is told in the rows that changed, and raises the revision only then', () => {
    const catalog = catalogOf(summary('/a'), summary('/b'))
    const both = ['/a', '/b']
    const row = (file: string) => catalog.page(query()).rows.find(({ title, id }) => (id ?? title) === file)
    expect(catalog.whoHas('/a')).toBeNull()
    expect(catalog.takeUses(both, new Map(), FREE)).toEqual([])
    expect(catalog.whoHas('/a')).toEqual(FREE)
    const { revision } = catalog
    expect(catalog.takeUses(both, new Map([['/a', USED]]), FREE)).toEqual([row('/a')?.ref])
    expect(row('/a')).toMatchObject({ use: 'in-use', useText: USED.text })
    expect(catalog.revision).toBe(revision + 1)
    expect(catalog.takeUses(both, new Map([['/a', { ...USED }]]), FREE)).toEqual([])
    expect(catalog.takeUses(['/b'], new Map(), FREE)).toEqual([])
    expect(catalog.revision).toBe(revision + 1)
    expect(catalog.takeUses(both, new Map(), FREE)).toEqual([row('/a')?.ref])
    expect(row('/a')).toMatchObject({ use: null, useText: null })
  })

  it('is kept when the file is read again, and forgotten with it', () => {
    const catalog = catalogOf(summary('/a'))
    catalog.takeUses(['/a'], new Map([['/a', USED]]), FREE)
    take(catalog, summary('/a', { messageCount: 9 }))
    expect(catalog.page(query()).rows[0]).toMatchObject({ use: 'in-use', messages: 9 })
    catalog.forget(['/a'])
    expect(catalog.whoHas('/a')).toEqual(FREE)
  })

  it('is not known where the system does not tell', () => {
    const catalog = catalogOf(summary('/a'))
    const unknown = { state: 'unknown' as const, text: 'Not known.' }
    expect(catalog.takeUses(['/a'], new Map(), unknown)).toEqual([])
    expect(catalog.whoHas('/a')).toEqual(unknown)
    expect(catalog.page(query()).rows[0]?.use).toBeNull()
  })
})

describe('Catalog', () => {
  it('forgets what is gone, and raises the revision only then', () => {
    const catalog = catalogOf(summary('/a'), summary('/b'))
    const { revision } = catalog
    catalog.forget(['/c'])
    catalog.keepOnly(['/a', '/b', '/c'])
    catalog.takeRoots([rootAt('/r')], [found('/r')])
    expect(catalog.revision).toBe(revision)
    catalog.forget(['/b'])
    expect(catalog.counts().all).toBe(1)
    expect(catalog.revision).toBeGreaterThan(revision)
    catalog.keepOnly([])
    expect(catalog.page(query())).toMatchObject({ total: 0, rows: [] })
  })

  it('says what is not counted yet, until it is; and not again then', () => {
    const quick = summary('/a', { counted: false, damagedLines: 0, fileId: '1', bytes: 5 })
    const catalog = catalogOf(quick)
    const unknown = { messages: null, branches: null, artifacts: null, subagents: null, damagedLines: null }
    expect(catalog.page(query()).rows).toMatchObject([unknown])
    const counted = { ...quick, counted: true, messageCount: 3, tips: 1 }
    // Whoever opens it has it counted at once; what the ends of the file say comes too late.
    catalog.takeOpened(counted)
    expect(take(catalog, quick)).toEqual([])
    expect(catalog.page(query()).rows).toMatchObject([{ messages: 3, branches: 1, damagedLines: 0 }])
    expect(take(catalog, { ...quick, bytes: 6 }), 'the file changed since').toHaveLength(1)
  })

  it('keeps every order up to date as rows come, change and go', () => {
    const rows = Array.from({ length: 60 }, (_, at) =>
      summary(`/${at}`, { title: `t${(at * 37) % 60}`, lastActivity: (at * 17) % 60, bytes: (at * 7) % 11 }),
    )
    const sorts = ['activity', 'size', 'title'] as const
    const pages = (catalog: Catalog) =>
      sorts.flatMap(sort => [titles(catalog, { sort }), titles(catalog, { sort, reverse: true })])
    const grown = catalogOf()
    for (let at = 0; at < rows.length; at += 7) {
      take(grown, ...rows.slice(at, at + 7))
      pages(grown)
    }
    const changed = rows.map((of, at) =>
      at % 3 === 0 ? { ...of, lastActivity: 100 - at, title: `x${at}` } : of,
    )
    take(grown, ...changed.filter((_, at) => at % 3 === 0))
    grown.forget(['/5', '/6'])
    const rest = changed.filter(({ file }) => file !== '/5' && file !== '/6')
    expect(pages(grown)).toEqual(pages(catalogOf(...rest)))
  })

  it('notices that a root took the place of another', () => {
    const catalog = new Catalog('/home/u')
    catalog.takeRoots([rootAt('/r')], [found('/r')])
    const { revision } = catalog
    catalog.takeRoots([rootAt('/other')], [found('/other')])
    expect(catalog.revision).toBeGreaterThan(revision)
  })

  it('notices that something else is to be said of a root', () => {
    const catalog = catalogOf()
    const { revision } = catalog
    const notes = ['/r/sessions/-p cannot be read (EACCES).']
    catalog.takeRoots([rootAt('/r')], [found('/r', notes)])
    expect([catalog.revision > revision, catalog.notes()]).toEqual([true, notes])
  })

  it('sums sessions and bytes by root', () => {
    const catalog = new Catalog('/home/u')
    const roots = [rootAt('/r'), rootAt('/q')]
    catalog.takeRoots(roots, [found('/r'), found('/q')])
    const rows = ['/r/a', '/q/b', '/q/c'].map(file => ({
      root: file.slice(0, 2),
      summary: summary(file, { bytes: 10 }),
    }))
    catalog.takeRows(rows, roots)
    expect(catalog.roots().map(({ sessions, bytes }) => [sessions, bytes])).toEqual([
      [1, 10],
      [2, 20],
    ])
    expect(catalog.bytes).toBe(30)
  })

  it('sorts by each order and back, equal rows always alike', () => {
    const catalog = catalogOf(
      summary('/a', { title: 'b', lastActivity: 3, created: 1, bytes: 5, messageCount: 1 }),
      summary('/b', { title: 'A', lastActivity: 2, created: 2, bytes: 9, messageCount: 3 }),
      summary('/c', { title: 'c', lastActivity: 1, created: 3, bytes: 7, messageCount: 2 }),
    )
    expect(titles(catalog)).toEqual(['b', 'A', 'c'])
    expect(titles(catalog, { reverse: true })).toEqual(['c', 'A', 'b'])
    expect(titles(catalog, { sort: 'created' })).toEqual(['c', 'A', 'b'])
    expect(titles(catalog, { sort: 'size' })).toEqual(['A', 'c', 'b'])
    expect(titles(catalog, { sort: 'messages' })).toEqual(['A', 'c', 'b'])
    take(catalog, summary('/d', { title: 'new', counted: false }))
    expect(titles(catalog, { sort: 'messages' })).toEqual(['A', 'c', 'b', 'new'])
    expect(titles(catalog, { sort: 'messages', reverse: true })).toEqual(['b', 'c', 'A', 'new'])
    catalog.forget(['/d'])
    expect(titles(catalog, { sort: 'title' })).toEqual(['A', 'b', 'c'])
    expect(titles(catalog, { offset: 1, limit: 1 })).toEqual(['A'])
  })

  it('filters by every word, case and accents folded', () => {
    const catalog = catalogOf(
      summary('/a', { title: 'Café au lait' }),
      summary('/b', { title: 'Tea', model: 'p/cafe' }),
    )
    expect(titles(catalog, { filter: 'CAFE' }).sort()).toEqual(['Café au lait', 'Tea'])
    expect(titles(catalog, { filter: 'cafe lait' })).toEqual(['Café au lait'])
    expect(foldText('Ünï①')).toBe('uni1')
  })

  it('keeps to the scope that is asked for', () => {
    const catalog = catalogOf(
      summary('/a', { title: 'a', hasDraft: true }),
      summary('/b', { title: 'b', cwd: '/w/other' }),
      summary('/c', { title: 'c', cwd: null }),
    )
    catalog.takePins(['/b'])
    expect(titles(catalog, { scope: { kind: 'starred' } })).toEqual(['b'])
    const project = catalog
      .projects({ pinnedProjects: [], projectOrder: 'name' })
      .find(({ cwd }) => cwd === '/w/other')
    expect(titles(catalog, { scope: { kind: 'project', project: project?.ref ?? '' } })).toEqual(['b'])
    expect(catalog.counts()).toEqual({ all: 3, starred: 1, archived: 0, drafts: 1, damaged: 0 })
  })

  it('groups by the folder of the header, pinned first', () => {
    const catalog = catalogOf(
      summary('/a', { cwd: '/w/a/b', lastActivity: 9 }),
      summary('/b', { cwd: '/w/a-b' }),
      summary('/c', { cwd: '/w/a-b' }),
    )
    const projects = catalog.projects({ pinnedProjects: ['/w/a-b'], projectOrder: 'activity' })
    expect(projects.map(({ cwd, sessions }) => [cwd, sessions])).toEqual([
      ['/w/a-b', 2],
      ['/w/a/b', 1],
    ])
  })

  it('shows the folder of a project in one line, its controls visible, and still knows it as it is', () => {
    const cwd = '/home/u/two\nlines\u202Egnp\u001b[31m'
    const catalog = catalogOf(summary('/a', { cwd }))
    catalog.takeProjectStates([{ cwd, state: 'missing', reason: `${cwd} is gone.` }])
    const [project] = catalog.projects({ pinnedProjects: [], projectOrder: 'activity' })
    const shown = 'two lines[U+202E]gnp␛[31m'
    expect(project).toMatchObject({ cwd, name: shown, shortCwd: `~/${shown}` })
    expect(project?.stateReason).toBe(`/home/u/${shown} is gone.`)
  })

  it('says what a session was made from, also when that is read later', () => {
    const catalog = catalogOf(summary('/f', { title: 'Fork', parentSession: 'pid', rootIds: ['e1'] }))
    expect(catalog.page(query()).rows[0]?.origin).toEqual({ kind: 'unknown', title: null })
    take(catalog, summary('/p', { id: 'pid', title: 'Parent', rootIds: ['e1'] }))
    const origins = catalog.page(query({ sort: 'title' })).rows.map(({ origin }) => origin)
    expect(origins).toEqual([{ kind: 'fork', title: 'Parent' }, null])
  })

  it('knows a session that is opened without being listed, and a listed one by its real path', () => {
    const catalog = catalogOf(summary('/a', { realFile: '/real/a' }))
    const ref = catalog.refOf('/else/b', rootAt('/q'))
    expect(catalog.resolve(ref)).toMatchObject({ file: '/else/b', summary: null })
    catalog.takeOpened(summary('/else/b', { title: 'B' }))
    expect(catalog.resolve(ref)?.summary?.title).toBe('B')
    expect(catalog.counts().all).toBe(1)
    // A listed one that stands otherwise than when it was listed has its row changed at once.
    expect(catalog.takeOpened(summary('/a', { realFile: '/real/a', messageCount: 2 }))).toBeNull()
    const [row] = catalog.page(query()).rows
    const pending = summary('/a', { realFile: '/real/a', status: 'pending', messageCount: 2 })
    expect(catalog.takeOpened(pending)).toBe(row?.ref)
    expect(catalog.page(query()).rows).toMatchObject([{ status: 'pending', messages: 2 }])
    expect(catalog.listedAt('/link/a', '/real/a')?.file).toBe('/a')
    expect(catalog.listedAt('/else/b', '/else/b')).toBeUndefined()
    // A relative in another root keeps that root.
    expect(catalog.resolve(catalog.refOf('/a', rootAt('/q')))?.root.id).toBe('/r')
  })

  it('shows a title, a prompt or a date, never an id', () => {
    const titled = (more: Partial<SessionSummary>) => titles(catalogOf(summary('/x', more)))[0]
    expect(titled({ title: 'T', firstPrompt: 'P' })).toBe('T')
    expect(titled({ firstPrompt: 'P' })).toBe('P')
    expect(titled({ created: Date.UTC(2026, 10, 30) })).toBe('Untitled, 30 Nov 2026')
    expect(titled({})).toBe('Untitled')
  })
})
