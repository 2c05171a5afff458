/**
 * Who a session comes from and who came from it. A parent is found by id, by path, by a place where it lay before, in this
 * order; a subagent belongs to the journals that its directories are named after. Pure.
 * Rule: docs/format.md, Header.
 */
import path from 'node:path'
import { parentJournalOf } from '../../engine/layout/session-paths'
import type { SessionSummary } from './session-summary'

export type Member = Pick<
  SessionSummary,
  'file' | 'realFile' | 'id' | 'parentSession' | 'parentRealFile' | 'previousFiles' | 'rootIds'
>

/** By what a parent was found: the name in the header is an id, a path, or a path where the parent lay before. */
export type FoundBy = 'id' | 'path' | 'earlier-path'

/** What a session is to its parent. */
export type Origin = 'fork' | 'branched' | 'child'

export type ParentLink<T> = { parent: T; by: FoundBy; origin: Origin }

/** The sessions of a library with their links, found once for all of them. */
export class FamilyIndex<T extends Member> {
  private readonly names: Names<T>
  private readonly members = new Map<string, T>()
  private readonly parents = new Map<T, ParentLink<T> | null>()
  /** Found when they are first asked for: rows only ask for parents. */
  private children: ReadonlyMap<T, T[]> | null = null

  constructor(members: readonly T[]) {
    this.names = namesOf(members)
    for (const member of members) this.members.set(member.file, member)
  }

  member(file: string): T | undefined {
    return this.members.get(file)
  }

  /** The parent of a session; it need not be a member itself. Null: it names none, or one that is not here. */
  parentOf(session: T): ParentLink<T> | null {
    const known = this.parents.get(session)
    if (known !== undefined) return known
    const link = linkOf(session, this.names)
    this.parents.set(session, link)
    return link
  }

  /** Members that came from this session. */
  childrenOf(session: T): readonly T[] {
    this.children ??= this.childrenOfAll()
    return this.children.get(session) ?? []
  }

  private childrenOfAll(): Map<T, T[]> {
    const children = new Map<T, T[]>()
    for (const member of this.members.values()) {
      const link = this.parentOf(member)
      if (link === null) continue
      const siblings = children.get(link.parent)
      if (siblings === undefined) children.set(link.parent, [member])
      else siblings.push(member)
    }
    return children
  }

  /** Other members with the same parent; of a parent that is not here, those that name it alike. */
  siblingsOf(session: T): readonly T[] {
    if (session.parentSession === null) return []
    const link = this.parentOf(session)
    const all =
      link !== null
        ? this.childrenOf(link.parent)
        : [...this.members.values()].filter(
            other => other.parentSession === session.parentSession && this.parentOf(other) === null,
          )
    return all.filter(other => other.file !== session.file)
  }

  /** The member whose artifact directory a file lies in, at any depth. */
  ownerOf(file: string): T | undefined {
    for (let at = file; path.dirname(at) !== at; at = path.dirname(at)) {
      const owner = this.members.get(parentJournalOf(at))
      if (owner !== undefined) return owner
    }
    return undefined
  }
}

/** Sessions outside `files` whose parent is one of those. */
export function childrenOutside<T extends Member>(files: ReadonlySet<string>, all: readonly T[]): T[] {
  const index = new FamilyIndex(all)
  return all.filter(member => {
    const link = files.has(member.file) ? null : index.parentOf(member)
    return link !== null && files.has(link.parent.file)
  })
}

/** Name -> the sessions that it means, for each kind of name. */
type Names<T> = Record<'ids' | 'files' | 'formerFiles', Map<string, T[]>>

function namesOf<T extends Member>(all: readonly T[]): Names<T> {
  const names: Names<T> = { ids: new Map(), files: new Map(), formerFiles: new Map() }
  const add = (map: Map<string, T[]>, name: string, member: T) => {
    const list = map.get(name)
    if (list === undefined) map.set(name, [member])
    else if (!list.includes(member)) list.push(member)
  }
  for (const member of all) {
    if (member.id !== null) add(names.ids, member.id, member)
    add(names.files, member.file, member)
    add(names.files, member.realFile, member)
    for (const former of member.previousFiles) add(names.formerFiles, former, member)
  }
  return names
}

function linkOf<T extends Member>(session: T, { ids, files, formerFiles }: Names<T>): ParentLink<T> | null {
  const name = session.parentSession
  if (name === null) return null
  const real = session.parentRealFile
  const ways: readonly (readonly [FoundBy, readonly T[] | undefined])[] = [
    ['id', ids.get(name)],
    ['path', files.get(name)],
    ['path', real === null ? undefined : files.get(real)],
    ['earlier-path', formerFiles.get(name)],
  ]
  for (const [by, found] of ways) {
    const parent = found?.find(candidate => candidate.file !== session.file)
    if (parent !== undefined) return { parent, by, origin: originOf(session, parent, by) }
  }
  return null
}

/** Both kinds of copies begin with the parent's own first entry; a fork names the parent's id, a branched file its path. */
function originOf(session: Member, parent: Member, by: FoundBy): Origin {
  if (!session.rootIds.some(id => parent.rootIds.includes(id))) return 'child'
  return by === 'id' ? 'fork' : 'branched'
}
