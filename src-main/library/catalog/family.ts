/**
 * Who a session comes from and who came from it: by id, by path, by a place where the parent lay before; a
 * subagent belongs to the journal its directory is named after. Pure. Rule: docs/format.md, Header.
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

type Member = Pick<SessionSummary, 'file' | 'id' | 'parentSession' | 'previousFiles'>

export function familyOf(file: string, all: readonly Member[]): Family {
  const own = all.find(member => member.file === file)
  if (own === undefined) {
    // Not in the list: a subagent, whose root is found by its directory.
    const root = all.find(member => member.file === rootJournalOf(file, all))
    return { parentFile: root?.file ?? null, parentName: null, childFiles: [] }
  }
  const parent =
    own.parentSession === null
      ? undefined
      : all.find(member => member !== own && isNamedBy(member, own.parentSession))
  const children = all.filter(member => member !== own && isNamedBy(own, member.parentSession))
  return {
    parentFile: parent?.file ?? null,
    parentName: own.parentSession,
    childFiles: children.map(member => member.file),
  }
}

/** True when `name`, an id or a path, means this session. */
function isNamedBy(member: Member, name: string | null): boolean {
  if (name === null) return false
  return member.id === name || member.file === name || member.previousFiles.includes(name)
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
