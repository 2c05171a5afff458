import { describe, expect, it } from 'vitest'
import { childrenOutside, FamilyIndex } from './family'
import { relationsOf } from './relations'
import type { SessionSummary } from './session-summary'
import { summary } from './summary.test-support'

const parent = summary('/s/p.jsonl', {
  id: 'pid',
  title: 'Parent',
  realFile: '/real/p.jsonl',
  previousFiles: ['/before/p.jsonl'],
  rootIds: ['e1', 'e9'],
})
const child = (name: string, parentSession: string, more: Partial<SessionSummary> = {}) =>
  summary(`/s/${name}.jsonl`, {
    id: `id of ${name}`,
    title: name,
    parentSession,
    rootIds: ['e1'],
    ...more,
  })

const lines = (file: string, all: readonly SessionSummary[]) => {
  const own = all.find(member => member.file === file) ?? null
  return relationsOf(file, own, new FamilyIndex(all), []).map(({ kind, by, title, note }) => {
    return [kind, by, title, ...(note === null ? [] : [note])].join(' ')
  })
}

describe('FamilyIndex', () => {
  it.each([
    ['id', child('f', 'pid'), 'id', 'fork'],
    ['path', child('f', '/s/p.jsonl'), 'path', 'branched'],
    ['a path through a link', child('f', '/link/p', { parentRealFile: '/real/p.jsonl' }), 'path', 'branched'],
    ['a path before it moved', child('f', '/before/p.jsonl'), 'earlier-path', 'branched'],
    ['id, sharing nothing', child('f', 'pid', { rootIds: ['other'] }), 'id', 'child'],
    ['path, without an entry yet', child('f', '/s/p.jsonl', { rootIds: [] }), 'path', 'child'],
  ])('finds the parent by %s, and the child from there', (_, made, by, origin) => {
    const index = new FamilyIndex([made, parent])
    expect(index.parentOf(made)).toEqual({ parent, by, origin })
    expect(index.childrenOf(parent)).toEqual([made])
    expect(index.parentOf(parent)).toBeNull()
    // Also of a session that is in no list.
    expect(new FamilyIndex([parent]).parentOf(made)?.parent).toBe(parent)
  })

  it('finds all children of many at once, themselves left out', () => {
    const inner = child('f', 'pid')
    const outer = child('g', inner.file)
    const files = new Set([parent.file, inner.file])
    expect(childrenOutside(files, [parent, inner, outer, child('h', 'gone')])).toEqual([outer])
    const many = Array.from({ length: 20_000 }, (_, at) =>
      summary(`/s/${at}`, { parentSession: `/s/${at + 1}` }),
    )
    const going = new Set(many.slice(0, 10_000).map(({ file }) => file))
    expect(childrenOutside(going, many)).toEqual([])
  })

  it('prefers id to path to former path, and no session is its own parent', () => {
    const former = summary('/s/q.jsonl', { previousFiles: ['pid'] })
    expect(new FamilyIndex([former, parent]).parentOf(child('f', 'pid'))?.parent).toBe(parent)
    const own = summary('/s/o.jsonl', { id: 'o', parentSession: 'o' })
    expect(new FamilyIndex([own]).parentOf(own)).toBeNull()
  })
})

describe('relationsOf', () => {
  it('lists parent, siblings, forks, branched files and child sessions, each with how it was found', () => {
    const all = [
      child('new', '/s/p.jsonl', { rootIds: [] }),
      child('part', '/before/p.jsonl'),
      child('copy', 'pid'),
      parent,
      child('copy of the copy', '/s/copy.jsonl'),
    ]
    expect(lines(parent.file, all)).toEqual(['fork id copy', 'branched earlier-path part', 'child path new'])
    expect(lines('/s/copy.jsonl', all)).toEqual([
      'parent id Parent',
      'sibling path new',
      'sibling earlier-path part',
      'branched path copy of the copy',
    ])
  })

  it('names a parent that is not found, and those that name the same one', () => {
    const all = [child('a', 'gone'), child('b', 'gone'), child('c', '/gone.jsonl')]
    expect(lines('/s/a.jsonl', all)).toEqual(['parent id gone parent not found', 'sibling id b'])
    expect(lines('/s/c.jsonl', all)).toEqual(['parent path /gone.jsonl parent not found'])
  })

  it('leads from a subagent to the agents above it and to its session, whatever its header says', () => {
    const index = new FamilyIndex([parent])
    const own = summary('/s/p/Fix/Fix.Check.jsonl', { parentSession: '/s/p/Fix.jsonl' })
    const agents = [{ name: 'Fix.Check.Deep', file: '/s/p/Fix/Fix.Check/Fix.Check.Deep.jsonl', modified: 5 }]
    const related = relationsOf(own.file, own, index, agents)
    expect(related.map(({ kind, title, file }) => [kind, title, file])).toEqual([
      ['owner', 'Fix', '/s/p/Fix.jsonl'],
      ['owner', 'Parent', '/s/p.jsonl'],
      ['subagent', 'Fix.Check.Deep', '/s/p/Fix/Fix.Check/Fix.Check.Deep.jsonl'],
    ])
    // Its place tells, even if it was never read.
    expect(relationsOf(own.file, null, index, [])).toHaveLength(2)
  })
})
