/**
 * Who a session comes from and who came from it: by id, by path, by a place where the parent lay before, in
 * this order; a subagent belongs to the journal its directory is named after. Pure.
 * Rule: docs/format.md, Header.
 */
import path from 'node:path'
import { parentJournalOf } from '../../engine/layout/session-paths'
import type { SessionSummary } from './session-summary'

export type Family = {
  parentFile: string | null
  /** What the header names as its parent, whether that is found or not. */
  parentName: string | null
  childFiles: string[]
}

type Member = Pick<
  SessionSummary,
  'file' | 'realFile' | 'id' | 'parentSession' | 'parentRealFile' | 'previousFiles'
>

export function familyOf(file: string, all: readonly Member[]): Family {
  const names = namesOf(all)
  const own = all.find(member => member.file === file)
  // Not in the list: a subagent, whose root is found by its directory.
  if (own === undefined) return { parentFile: rootJournalOf(file, all), parentName: null, childFiles: [] }
  return {
    parentFile: parentOf(own, names)?.file ?? null,
    parentName: own.parentSession,
    childFiles: all.filter(member => parentOf(member, names) === own).map(member => member.file),
  }
}

/** Sessions outside `files` whose parent is one of those. */
export function childrenOutside<T extends Member>(files: ReadonlySet<string>, all: readonly T[]): T[] {
  const names = namesOf(all)
  return all.filter(member => {
    const parent = files.has(member.file) ? undefined : parentOf(member, names)
    return parent !== undefined && files.has(parent.file)
  })
}

/** Name -> the sessions that it means, for each kind of name. */
type Names = Record<'ids' | 'files' | 'formerFiles', Map<string, Member[]>>

function namesOf(all: readonly Member[]): Names {
  const names: Names = { ids: new Map(), files: new Map(), formerFiles: new Map() }
  const add = (map: Map<string, Member[]>, name: string, member: Member) => {
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

function parentOf(member: Member, { ids, files, formerFiles }: Names): Member | undefined {
  const name = member.parentSession
  if (name === null) return undefined
  const found = [
    ...(ids.get(name) ?? []),
    ...(files.get(name) ?? []),
    ...(member.parentRealFile === null ? [] : (files.get(member.parentRealFile) ?? [])),
    ...(formerFiles.get(name) ?? []),
  ]
  return found.find(candidate => candidate !== member)
}

/** The listed journal whose artifact directory a file lies in, at any depth. */
function rootJournalOf(file: string, all: readonly Member[]): string | null {
  const files = new Set(all.map(member => member.file))
  for (let at = file; path.dirname(at) !== at; at = path.dirname(at)) {
    const journal = parentJournalOf(at)
    if (files.has(journal)) return journal
  }
  return null
}
