import type { SessionsQuery } from '@shared/ipc/models/library-models'
import { describe, expect, it } from 'vitest'
import { plainLayout } from '../../engine/layout/agent-directories'
import type { LibraryRoot } from '../roots'
import { Catalog } from './catalog'
import { childrenOutside, familyOf } from './family'
import type { ListedFile, RootListing } from './list-roots'
import { foldText } from './row-order'
import type { SessionSummary } from './session-summary'

function summary(file: string, more: Partial<SessionSummary> = {}): SessionSummary {
  const texts = {
    id: file,
    title: null,
    titleSource: null,
    cwd: '/w/app',
    firstPrompt: '',
    stub: null,
    model: null,
  }
  const times = { created: null, lastActivity: null, lastActivityRaw: null, modified: 0 }
  const numbers = {
    bytes: 1,
    artifactBytes: 0,
    entryCount: 0,
    messageCount: 0,
    withoutCost: 0,
    tips: 0,
    damagedLines: 0,
  }
  const around = { artifactCount: 0, subagentCount: 0, hasDraft: false, previousFiles: [], cost: null }
  const links = { parentSession: null, parentRealFile: null, realFile: file, fileId: file, version: 3 }
  return { file, ...texts, ...times, ...numbers, ...around, ...links, status: 'complete', ...more }
}

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
    expect(titles(catalog, { scope: { kind: 'drafts' } })).toEqual(['a'])
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

  it('shows a title, a prompt or a date, never an id', () => {
    const titled = (more: Partial<SessionSummary>) => titles(catalogOf(summary('/x', more)))[0]
    expect(titled({ title: 'T', firstPrompt: 'P' })).toBe('T')
    expect(titled({ firstPrompt: 'P' })).toBe('P')
    expect(titled({ created: Date.UTC(2026, 10, 30) })).toBe('Untitled, 30 Nov 2026')
    expect(titled({})).toBe('Untitled')
  })
})

describe('familyOf', () => {
  const parent = summary('/s/p.jsonl', {
    id: 'pid',
    realFile: '/real/p.jsonl',
    previousFiles: ['/before/p.jsonl'],
  })
  const child = (name: string, parentSession: string, parentRealFile: string | null = null) =>
    summary(`/s/${name}.jsonl`, { parentSession, parentRealFile })

  it.each([
    ['id', child('f', 'pid')],
    ['path', child('f', '/s/p.jsonl')],
    ['a path through a link', child('f', '/link/p.jsonl', '/real/p.jsonl')],
    ['a path before it moved', child('f', '/before/p.jsonl')],
  ])('finds the parent by %s, and the child from there', (_, fork) => {
    expect(familyOf(fork.file, [parent, fork])).toMatchObject({ parentFile: parent.file })
    expect(familyOf(parent.file, [fork, parent])).toMatchObject({ childFiles: [fork.file], parentFile: null })
  })

  it('finds all children of many at once, themselves left out', () => {
    const inner = child('f', 'pid')
    const outer = summary('/s/g.jsonl', { parentSession: inner.file })
    const files = new Set([parent.file, inner.file])
    expect(childrenOutside(files, [parent, inner, outer, child('h', 'gone')])).toEqual([outer])
    const many = Array.from({ length: 20_000 }, (_, at) =>
      summary(`/s/${at}`, { parentSession: `/s/${at + 1}` }),
    )
    const going = new Set(many.slice(0, 10_000).map(({ file }) => file))
    expect(childrenOutside(going, many)).toEqual([])
  })

  it('prefers id to path to former path', () => {
    const former = summary('/s/q.jsonl', { previousFiles: ['pid'] })
    expect(familyOf('/s/f.jsonl', [former, parent, child('f', 'pid')]).parentFile).toBe(parent.file)
  })

  it('names a parent that is not found, and is never its own', () => {
    const lost = child('f', 'gone')
    expect(familyOf(lost.file, [lost])).toEqual({ parentFile: null, parentName: 'gone', childFiles: [] })
    const own = summary('/s/o.jsonl', { id: 'o', parentSession: 'o' })
    expect(familyOf(own.file, [own])).toMatchObject({ parentFile: null, childFiles: [] })
  })

  it('finds the root session of a subagent by its folder, at any depth', () => {
    expect(familyOf('/s/p/Fix/Fix.Check.jsonl', [parent]).parentFile).toBe(parent.file)
  })
})
