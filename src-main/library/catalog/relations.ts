/** The relatives of one session, in the order in which they are shown. Pure. */
import path from 'node:path'
import type { Relation } from '@shared/ipc/models/manage-models'
import { parentJournalOf } from '../../engine/layout/session-paths'
import type { FamilyIndex, FoundBy } from './family'
import { displayTitle } from './session-row'
import type { SessionSummary } from './session-summary'

/** A relative by its file; null: it is not there. */
export type Related = Omit<Relation, 'session'> & { file: string | null }

/** A journal below the artifact directory, by the name that its agent was started under. */
export type SubagentFile = { name: string; file: string; modified: number }

/** `own` is null for a session that was never read; only its place tells of its family then. */
export function relationsOf(
  file: string,
  own: SessionSummary | null,
  index: FamilyIndex<SessionSummary>,
  subagents: readonly SubagentFile[],
): Related[] {
  const owners = ownersOf(file, index)
  const agents = subagents.map(({ name, file: journal, modified }): Related => {
    return { kind: 'subagent', by: 'place', file: journal, title: name, time: modified, note: null }
  })
  // A subagent's header may name a parent, but it belongs to the session that it lies beside.
  if (owners.length > 0 || own === null) return [...owners, ...agents]
  return [...parentLine(own, index), ...siblings(own, index), ...descendants(own, index), ...agents]
}

function lineOf(kind: Related['kind'], by: Related['by'], summary: SessionSummary): Related {
  const { title } = displayTitle(summary)
  return { kind, by, file: summary.file, title, time: summary.lastActivity, note: null }
}

function parentLine(own: SessionSummary, index: FamilyIndex<SessionSummary>): Related[] {
  const name = own.parentSession
  if (name === null) return []
  const link = index.parentOf(own)
  if (link !== null) return [lineOf('parent', link.by, link.parent)]
  const lost = { file: null, title: name, time: null, note: 'parent not found' }
  return [{ kind: 'parent', by: nameKind(name), ...lost }]
}

function siblings(own: SessionSummary, index: FamilyIndex<SessionSummary>): Related[] {
  return index.siblingsOf(own).map(other => lineOf('sibling', foundBy(other, index), other))
}

/** Forks, then branched files, then child sessions. */
function descendants(own: SessionSummary, index: FamilyIndex<SessionSummary>): Related[] {
  const children = index.childrenOf(index.member(own.file) ?? own)
  return (['fork', 'branched', 'child'] as const).flatMap(kind =>
    children
      .filter(child => index.parentOf(child)?.origin === kind)
      .map(child => lineOf(kind, foundBy(child, index), child)),
  )
}

function foundBy(session: SessionSummary, index: FamilyIndex<SessionSummary>): FoundBy {
  return index.parentOf(session)?.by ?? nameKind(session.parentSession ?? '')
}

function nameKind(name: string): FoundBy {
  return path.isAbsolute(name) ? 'path' : 'id'
}

/** The sessions that a subagent's file belongs to, the nearest first: agents between, then the listed session. */
function ownersOf(file: string, index: FamilyIndex<SessionSummary>): Related[] {
  const root = index.ownerOf(file)
  if (root === undefined) return []
  const owners: Related[] = []
  for (let at = parentJournalOf(file); at !== root.file; at = parentJournalOf(at)) {
    const title = path.basename(at, '.jsonl')
    owners.push({ kind: 'owner', by: 'place', file: at, title, time: null, note: null })
  }
  return [...owners, lineOf('owner', 'place', root)]
}
