/**
 * All sessions of all roots in memory, as rows, projects and counts. Holds what scans found; reads nothing
 * itself. Every change raises the revision, so that a page made before is known to be stale.
 */

import type { Settings } from '@shared/ipc/models/app-models'
import type {
  ProjectView,
  RootView,
  SessionRow,
  SessionsPage,
  SessionsQuery,
} from '@shared/ipc/models/library-models'
import type { SessionUse } from '@shared/ipc/models/session-models'
import { limits } from '@shared/limits'
import { listText } from '@shared/session/text'
import { shortFolder } from '../projects/folder-paths'
import type { ProjectStateAnswer } from '../projects/project-state'
import { RefTable } from '../refs'
import type { LibraryRoot } from '../roots'
import { FamilyIndex } from './family'
import type { ListedFile, RootListing } from './list-roots'
import { matchesFilter, sortRows } from './row-order'
import { displayTitle, projectName, sessionRowOf } from './session-row'
import type { SessionSummary } from './session-summary'

type Known = { summary: SessionSummary; fingerprint: string; root: LibraryRoot; row: SessionRow }

export type SessionPlace = { file: string; root: LibraryRoot; summary: SessionSummary | null }

export class Catalog {
  revision = 0
  private readonly home: string
  private readonly known = new Map<string, Known>()
  private readonly sessionRefs = new RefTable<{ file: string; root: LibraryRoot }>('s')
  private readonly projectRefs = new RefTable<string | null>('p')
  private readonly rootRefs = new RefTable<LibraryRoot>('r')
  private listings: { root: LibraryRoot; listing: RootListing }[] = []
  /** Of sessions that are gone from their place: where they lay before it, as their headers said. */
  private readonly earlierPlaces = new Map<string, readonly string[]>()
  private pins: ReadonlySet<string> = new Set()
  private states = new Map<string, ProjectStateAnswer>()
  /** Sessions that were opened without being listed: subagents, and files from elsewhere. */
  private readonly unlisted = new Map<string, SessionSummary>()
  /** Sessions that a program has, or may have; of all others `otherUse` is true. Null: nobody looked yet. */
  private readonly uses = new Map<string, SessionUse>()
  private otherUse: SessionUse | null = null
  private familyIndex: FamilyIndex<SessionSummary> | null = null

  constructor(home: string) {
    this.home = home
  }

  /**
   * Takes a new listing: forgets sessions that are gone and answers the files that must be read, because they
   * are new or changed.
   */
  takeListing(roots: readonly LibraryRoot[], listings: readonly RootListing[]): ListedFile[] {
    const stale: ListedFile[] = []
    const seen = new Set<string>()
    let changed = listings.length !== this.listings.length
    for (const [number, listing] of listings.entries()) {
      const before = this.listings[number]
      if (roots[number]?.id !== before?.root.id || !isSaidAlike(listing, before?.listing)) changed = true
      for (const file of listing.files) {
        seen.add(file.file)
        if (this.known.get(file.file)?.fingerprint !== file.fingerprint) stale.push(file)
      }
    }
    for (const [file, { summary }] of this.known) {
      if (seen.has(file)) continue
      this.earlierPlaces.set(file, summary.previousFiles)
      this.known.delete(file)
      this.uses.delete(file)
      this.familyIndex = null
      changed = true
    }
    this.listings = listings.flatMap((listing, at) => {
      const root = roots[at]
      return root === undefined ? [] : [{ root, listing }]
    })
    if (changed) this.revision++
    return stale
  }

  /** Takes what was read of files; answers the refs of their rows. */
  takeSummaries(files: readonly ListedFile[], summaries: readonly SessionSummary[]): string[] {
    const refs = summaries.flatMap((summary, at) => {
      const file = files[at]
      const root = file === undefined ? undefined : this.listings[file.root]?.root
      if (file === undefined || root === undefined) return []
      const row = this.plainRow(summary, root)
      this.known.set(file.file, { summary, fingerprint: file.fingerprint, root, row })
      return [row.ref]
    })
    if (refs.length > 0) {
      this.revision++
      this.familyIndex = null
    }
    return refs
  }

  /**
   * Takes what was just read of a session that is shown, listed or not. Answers its row's ref when that stands otherwise now:
   * list and head say the same. Whatever else grew is taken at the next look at the roots.
   */
  takeOpened(summary: SessionSummary): string | null {
    const known = this.known.get(summary.file)
    if (known === undefined) {
      this.unlisted.set(summary.file, summary)
      return null
    }
    if (known.summary.status === summary.status) return null
    known.summary = summary
    known.row = this.plainRow(summary, known.root)
    this.familyIndex = null
    this.revision++
    return known.row.ref
  }

  /**
   * Takes who has the sessions that were looked at: `used` names those that somebody has, or may have, `others` is true of all
   * others. Answers the refs of the rows that changed.
   */
  takeUses(looked: readonly string[], used: ReadonlyMap<string, SessionUse>, others: SessionUse): string[] {
    this.otherUse = others
    const refs = looked.flatMap(file => {
      const now = used.get(file)
      const before = this.uses.get(file)
      if (now?.state === before?.state && now?.text === before?.text) return []
      if (now === undefined) this.uses.delete(file)
      else this.uses.set(file, now)
      const known = this.known.get(file)
      if (known === undefined) return []
      known.row = this.plainRow(known.summary, known.root)
      return [known.row.ref]
    })
    if (refs.length > 0) this.revision++
    return refs
  }

  /** Who has a session, as of the last look; null: nobody looked yet. */
  whoHas(file: string): SessionUse | null {
    return this.uses.get(file) ?? this.otherUse
  }

  takePins(ids: Iterable<string>): void {
    const pins = new Set(ids)
    if (pins.size === this.pins.size && [...pins].every(id => this.pins.has(id))) return
    this.pins = pins
    for (const known of this.known.values()) known.row = this.plainRow(known.summary, known.root)
    this.revision++
  }

  takeProjectStates(states: readonly (ProjectStateAnswer & { cwd: string })[]): void {
    for (const { cwd, state, reason } of states) {
      if (this.states.get(cwd)?.state !== state) this.revision++
      this.states.set(cwd, { state, reason })
    }
  }

  /** The row of any session, listed or not (a subagent's is not). */
  rowOf(summary: SessionSummary, root: LibraryRoot): SessionRow {
    return this.withOrigin(this.plainRow(summary, root), summary)
  }

  /** A row with what it was made from: told when it is shown, since its parent may be read later than itself. */
  private withOrigin(row: SessionRow, summary: SessionSummary | null): SessionRow {
    const link = row.origin === null || summary === null ? null : this.family().parentOf(summary)
    if (link === null) return row
    return { ...row, origin: { kind: link.origin, title: displayTitle(link.parent).title } }
  }

  private plainRow(summary: SessionSummary, root: LibraryRoot): SessionRow {
    return sessionRowOf(summary, {
      ref: this.sessionRefs.issue(summary.file, { file: summary.file, root }),
      project: this.projectRefs.issue(summary.cwd ?? '\0', summary.cwd),
      home: this.home,
      starred: summary.id !== null && this.pins.has(summary.id),
      use: rowUse(this.uses.get(summary.file)),
      readOnly: root.readOnly,
    })
  }

  /** The ref of a session's file. `near` is the root of a session that it was found by; a listed one knows its own. */
  refOf(file: string, near: LibraryRoot): string {
    return this.sessionRefs.issue(file, { file, root: this.known.get(file)?.root ?? near })
  }

  resolve(ref: string): SessionPlace | undefined {
    const place = this.sessionRefs.resolve(ref)
    return place === undefined ? undefined : { ...place, summary: this.summaryOf(place.file) }
  }

  /**
   * The ref of a session that is not where it was any more, at its place now: that of the listed one whose header names its old
   * place, or whose place its own header named (a move that was taken back). Null where there is none.
   */
  movedTo(ref: string): string | null {
    const place = this.sessionRefs.resolve(ref)
    const earlier = place === undefined ? undefined : this.earlierPlaces.get(place.file)
    if (place === undefined || earlier === undefined || this.known.has(place.file)) return null
    for (const { summary, row } of this.known.values())
      if (summary.previousFiles.includes(place.file) || earlier.includes(summary.file)) return row.ref
    return null
  }

  private summaryOf(file: string): SessionSummary | null {
    return this.known.get(file)?.summary ?? this.unlisted.get(file) ?? null
  }

  /** The listed session that is this file, by its path or with links resolved. */
  listedAt(file: string, realFile: string): { file: string; root: LibraryRoot } | undefined {
    const known =
      this.known.get(file) ?? [...this.known.values()].find(({ summary }) => summary.realFile === realFile)
    return known === undefined ? undefined : { file: known.summary.file, root: known.root }
  }

  /** The links between all listed sessions. */
  family(): FamilyIndex<SessionSummary> {
    this.familyIndex ??= new FamilyIndex([...this.known.values()].map(({ summary }) => summary))
    return this.familyIndex
  }

  /** The folder that a project stands for; null for sessions that name none. */
  projectCwd(ref: string): string | null | undefined {
    return this.projectRefs.resolve(ref)
  }

  root(ref: string): LibraryRoot | undefined {
    return this.rootRefs.resolve(ref)
  }

  stateOf(cwd: string | null): ProjectStateAnswer {
    if (cwd === null) return { state: 'unknown', reason: 'The session names no folder.' }
    return this.states.get(cwd) ?? { state: 'unknown', reason: null }
  }

  summaries(): { summary: SessionSummary; root: LibraryRoot; ref: string }[] {
    return [...this.known.values()].map(({ summary, root, row }) => ({ summary, root, ref: row.ref }))
  }

  cwds(): string[] {
    return [...new Set(this.summaries().map(({ summary }) => summary.cwd))].filter(
      (cwd): cwd is string => cwd !== null,
    )
  }

  roots(): RootView[] {
    const totals = new Map<string, { sessions: number; bytes: number }>()
    for (const { root, row } of this.known.values()) {
      const total = totals.get(root.id) ?? { sessions: 0, bytes: 0 }
      totals.set(root.id, { sessions: total.sessions + 1, bytes: total.bytes + row.bytes })
    }
    return this.listings.map(({ root, listing }) => {
      const { sessions, bytes } = totals.get(root.id) ?? { sessions: 0, bytes: 0 }
      return {
        ref: this.rootRefs.issue(root.id, root),
        name: root.name,
        agentDir: root.layout.agentDir,
        kind: root.kind,
        readOnly: root.readOnly,
        state: listing.state,
        note: listing.note,
        sessions,
        bytes,
      }
    })
  }

  notes(): string[] {
    return this.listings.flatMap(({ listing }) => [
      ...(listing.state === 'unreadable' && listing.note !== null ? [listing.note] : []),
      ...listing.notes,
    ])
  }

  counts() {
    const rows = this.rows()
    return {
      all: rows.length,
      starred: rows.filter(({ starred }) => starred).length,
      drafts: rows.filter(({ hasDraft }) => hasDraft).length,
      damaged: rows.filter(({ damagedLines, problem }) => damagedLines > 0 || problem !== null).length,
    }
  }

  get bytes(): number {
    return this.rows().reduce((sum, row) => sum + row.bytes, 0)
  }

  projects(settings: Pick<Settings, 'pinnedProjects' | 'projectOrder'>): ProjectView[] {
    const byRef = new Map<string, ProjectView>()
    for (const { summary, row } of this.known.values()) {
      const project =
        byRef.get(row.project) ?? this.emptyProject(row.project, summary.cwd, settings.pinnedProjects)
      byRef.set(row.project, project)
      project.sessions++
      project.bytes += row.bytes
      project.lastActivity = Math.max(project.lastActivity ?? 0, row.lastActivity ?? 0) || null
    }
    const byName = (a: ProjectView, b: ProjectView) =>
      a.name.localeCompare(b.name) || a.shortCwd.localeCompare(b.shortCwd)
    const order =
      settings.projectOrder === 'name'
        ? byName
        : (a: ProjectView, b: ProjectView) => (b.lastActivity ?? 0) - (a.lastActivity ?? 0) || byName(a, b)
    return [...byRef.values()].sort((a, b) => Number(b.pinned) - Number(a.pinned) || order(a, b))
  }

  private emptyProject(ref: string, cwd: string | null, pinned: readonly string[]): ProjectView {
    const { state, reason } = this.stateOf(cwd)
    return {
      ref,
      name: projectName(cwd),
      cwd,
      shortCwd: cwd === null ? '' : listText(shortFolder(this.home, cwd), limits.firstPromptChars),
      state,
      stateReason: reason === null ? null : listText(reason, limits.firstPromptChars),
      sessions: 0,
      bytes: 0,
      lastActivity: null,
      pinned: cwd !== null && pinned.includes(cwd),
    }
  }

  /** Every row, as lists show it but for what it was made from. */
  allRows(): SessionRow[] {
    return this.rows()
  }

  /** The row of a listed session. */
  rowAt(file: string): SessionRow | undefined {
    return this.known.get(file)?.row
  }

  private rows(): SessionRow[] {
    return [...this.known.values()].map(({ row }) => row)
  }

  page(query: SessionsQuery): SessionsPage {
    const { scope, filter, offset, limit } = query
    const rows = this.rows().filter(
      row =>
        (scope.kind !== 'project' || row.project === scope.project) &&
        (scope.kind !== 'starred' || row.starred) &&
        matchesFilter(row, filter),
    )
    sortRows(rows, query.sort, query.reverse)
    const shown = rows
      .slice(offset, offset + limit)
      .map(row => this.withOrigin(row, this.resolve(row.ref)?.summary ?? null))
    return { revision: this.revision, total: rows.length, offset, rows: shown }
  }
}

function rowUse(use: SessionUse | undefined): { state: 'in-use' | 'maybe'; text: string } | null {
  return use?.state === 'in-use' || use?.state === 'maybe' ? { state: use.state, text: use.text ?? '' } : null
}

/** Whether two listings of a root say the same of it, its files apart. */
function isSaidAlike(a: RootListing, b: RootListing | undefined): boolean {
  const said = (listing: RootListing | undefined) =>
    JSON.stringify([listing?.state, listing?.note, listing?.notes])
  return said(a) === said(b)
}
