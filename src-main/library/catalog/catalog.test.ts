import type { SessionsQuery } from '@shared/ipc/models/library-models'
import { describe, expect, it } from 'vitest'
import { plainLayout } from '../../engine/layout/agent-directories'
import type { LibraryRoot } from '../roots'
import { Catalog } from './catalog'
import type { ListedFile, RootListing } from './list-roots'
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
const listing = (files: ListedFile[]): RootListing => ({ state: 'ok', note: null, notes: [], files })
const listed = (file: string, fingerprint = '1', root = 0): ListedFile => ({ file, fingerprint, root })

function catalogOf(...summaries: SessionSummary[]): Catalog {
  const catalog = new Catalog('/home/u')
  const files = summaries.map(({ file }) => listed(file))
  catalog.takeListing([rootAt('/r')], [listing(files)])
  catalog.takeSummaries(files, summaries)
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

describe('a session that was moved', () => {
  it('is found at its new place by its old name, and back again; one that is gone is not', () => {
    const catalog = catalogOf(summary('/r/old.jsonl'), summary('/r/other.jsonl'))
    const refOf = (file: string) => catalog.refOf(file, rootAt('/r'))
    const [old, other] = [refOf('/r/old.jsonl'), refOf('/r/other.jsonl')]
    expect(catalog.movedTo(old), 'it is where it was').toBeNull()
    const moved = { ...summary('/r/new.jsonl'), previousFiles: ['/r/old.jsonl'] }
    const there = [listed('/r/new.jsonl')]
    catalog.takeListing([rootAt('/r')], [listing(there)])
    expect(catalog.movedTo(old), 'not read yet').toBeNull()
    catalog.takeSummaries(there, [moved])
    expect(catalog.movedTo(old)).toBe(refOf('/r/new.jsonl'))
    expect(catalog.movedTo(other)).toBeNull()
    const back = [listed('/r/old.jsonl', '2')]
    catalog.takeListing([rootAt('/r')], [listing(back)])
    catalog.takeSummaries(back, [summary('/r/old.jsonl')])
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
    const changed = [listed('/a', '2')]
    catalog.takeListing([rootAt('/r')], [listing(changed)])
    catalog.takeSummaries(changed, [summary('/a', { messageCount: 9 })])
    expect(catalog.page(query()).rows[0]).toMatchObject({ use: 'in-use', messages: 9 })
    catalog.takeListing([rootAt('/r')], [listing([])])
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
  it('asks for what is new or changed, and forgets what is gone', () => {
    const catalog = catalogOf(summary('/a'), summary('/b'))
    const { revision } = catalog
    expect(catalog.takeListing([rootAt('/r')], [listing([listed('/a'), listed('/b')])])).toEqual([])
    expect(catalog.revision).toBe(revision)
    expect(catalog.takeListing([rootAt('/r')], [listing([listed('/a', '2')])])).toEqual([listed('/a', '2')])
    expect(catalog.counts().all).toBe(1)
    expect(catalog.revision).toBeGreaterThan(revision)
  })

  it('notices that a root took the place of another', () => {
    const catalog = new Catalog('/home/u')
    catalog.takeListing([rootAt('/r')], [listing([])])
    const { revision } = catalog
    catalog.takeListing([rootAt('/other')], [listing([])])
    expect(catalog.revision).toBeGreaterThan(revision)
  })

  it('notices that something else is to be said of a root', () => {
    const catalog = catalogOf()
    const { revision } = catalog
    const notes = ['/r/sessions/-p cannot be read (EACCES).']
    catalog.takeListing([rootAt('/r')], [{ ...listing([]), notes }])
    expect([catalog.revision > revision, catalog.notes()]).toEqual([true, notes])
  })

  it('sums sessions and bytes by root', () => {
    const catalog = new Catalog('/home/u')
    const files = [listed('/r/a'), listed('/q/b', '1', 1), listed('/q/c', '1', 1)]
    catalog.takeListing([rootAt('/r'), rootAt('/q')], [listing(files.slice(0, 1)), listing(files.slice(1))])
    catalog.takeSummaries(
      files,
      files.map(({ file }) => summary(file, { bytes: 10 })),
    )
    expect(catalog.roots().map(({ sessions, bytes }) => [sessions, bytes])).toEqual([
      [1, 10],
      [2, 20],
    ])
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
    expect(catalog.counts()).toEqual({ all: 3, starred: 1, drafts: 1, damaged: 0 })
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
    const files = [listed('/f'), listed('/p')]
    catalog.takeListing([rootAt('/r')], [listing(files)])
    catalog.takeSummaries([listed('/p')], [summary('/p', { id: 'pid', title: 'Parent', rootIds: ['e1'] })])
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
