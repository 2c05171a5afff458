/**
 * All sessions of all roots in memory, as rows, projects and counts. Holds what scans found; reads nothing
 * itself. Every change raises the revision, so that a page made before is known to be stale.
 */

import type {
  ProjectView,
  RootView,
  SessionRow,
  SessionsPage,
  SessionsQuery,
} from '@shared/ipc/models/library-models'
import type { SessionUse } from '@shared/ipc/models/session-models'
import type { ProjectStateAnswer } from '../projects/project-state'
import { RefTable } from '../refs'
import type { LibraryRoot } from '../roots'
import { FamilyIndex } from './family'
import { LastAnswers } from './last-answers'
import type { RootFound } from './library-scan'
import type { FoundRow } from './packed-summary'
import { type ProjectOrder, projectList } from './project-list'
import { rowFilter } from './row-order'
import { displayTitle, type FolderNames, folderNames, sessionRowOf } from './session-row'
import type { SessionSummary } from './session-summary'
import { SortedRows } from './sorted-rows'

type Known = { summary: SessionSummary; root: LibraryRoot; row: SessionRow }

export type SessionPlace = { file: string; root: LibraryRoot; summary: SessionSummary | null }

export class Catalog {
  revision = 0
  private readonly home: string
  private readonly known = new Map<string, Known>()
  private readonly rows = new SortedRows()
  /** Worked out once for the many sessions of one folder. */
  private readonly folders = new Map<string | null, FolderNames>()
  /** File with links resolved -> the listed session. */
  private readonly byRealFile = new Map<string, Known>()
  /** A place where a session lay before, as its header says -> that session. */
  private readonly byFormerFile = new Map<string, Known>()
  private readonly sessionRefs = new RefTable<{ file: string; root: LibraryRoot }>('s')
  private readonly projectRefs = new RefTable<string | null>('p')
  private readonly rootRefs = new RefTable<LibraryRoot>('r')
  private found: { root: LibraryRoot; found: RootFound }[] = []
  /** Of sessions that are gone from their place: where they lay before it, as their headers said. */
  private readonly earlierPlaces = new Map<string, readonly string[]>()
  private pins: ReadonlySet<string> = new Set()
  private states = new Map<string, ProjectStateAnswer>()
  /** Sessions that were opened without being listed: subagents, and files from elsewhere. */
  private readonly unlisted = new Map<string, SessionSummary>()
  /** Sessions that a program has, or may have; of all others `otherUse` is true. Null: nobody looked yet. */
  private readonly uses = new Map<string, SessionUse>()
  private otherUse: SessionUse | null = null
  private readonly answers = new LastAnswers(() => this.revision)

  constructor(home: string) {
    this.home = home
  }

  /** Takes what a look said of the roots themselves. */
  takeRoots(roots: readonly LibraryRoot[], found: readonly RootFound[]): void {
    const before = this.found
    this.found = found.flatMap((of, at) => {
      const root = roots[at]
      return root === undefined ? [] : [{ root, found: of }]
    })
    const said = (all: typeof before) => JSON.stringify(all.map(one => [one.root.id, one.found]))
    if (said(before) !== said(this.found)) this.revision++
  }

  /** Takes rows of files that are new or changed; answers their refs. */
  takeRows(rows: readonly FoundRow[], roots: readonly LibraryRoot[]): string[] {
    const byId = new Map(roots.map(root => [root.id, root]))
    const refs = rows.flatMap(({ summary, root: id }) => {
      const root = byId.get(id)
      const known = this.known.get(summary.file)
      // What was counted meanwhile, since somebody opened it, says more than both ends of the file.
      if (root === undefined || (known !== undefined && isLess(summary, known.summary))) return []
      return [this.put(summary, root).row.ref]
    })
    if (refs.length > 0) this.revision++
    return refs
  }

  /** Takes that these sessions are not there any more. */
  forget(files: Iterable<string>): void {
    let some = false
    for (const file of files) {
      const known = this.known.get(file)
      if (known === undefined) continue
      this.earlierPlaces.set(file, known.summary.previousFiles)
      this.known.delete(file)
      this.uses.delete(file)
      this.rows.remove(known.row.ref)
      this.removeNames(known)
      some = true
    }
    if (some) this.revision++
  }

  /** Takes that no other sessions than these are there. */
  keepOnly(files: Iterable<string>): void {
    const there = new Set(files)
    this.forget([...this.known.keys()].filter(file => !there.has(file)))
  }

  private put(summary: SessionSummary, root: LibraryRoot): Known {
    const before = this.known.get(summary.file)
    if (before !== undefined) this.removeNames(before)
    const known = { summary, root, row: this.plainRow(summary, root) }
    this.known.set(summary.file, known)
    this.byRealFile.set(summary.realFile, known)
    for (const former of summary.previousFiles) this.byFormerFile.set(former, known)
    this.rows.put(known.row)
    return known
  }

  private removeNames(known: Known): void {
    const { realFile, previousFiles } = known.summary
    if (this.byRealFile.get(realFile) === known) this.byRealFile.delete(realFile)
    for (const former of previousFiles)
      if (this.byFormerFile.get(former) === known) this.byFormerFile.delete(former)
  }

  /** Makes the row anew, from what changed around its session. */
  private renew(known: Known): void {
    known.row = this.plainRow(known.summary, known.root)
    this.rows.put(known.row)
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
    if (known.summary.status === summary.status && known.summary.counted) return null
    this.revision++
    return this.put(summary, known.root).row.ref
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
      this.renew(known)
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
    for (const known of this.known.values())
      if (known.row.starred !== this.isStarred(known.summary)) this.renew(known)
    this.revision++
  }

  private isStarred({ id }: SessionSummary): boolean {
    return id !== null && this.pins.has(id)
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
      folder: this.folderNames(summary.cwd),
      starred: this.isStarred(summary),
      use: rowUse(this.uses.get(summary.file)),
      readOnly: root.readOnly,
    })
  }

  private folderNames(cwd: string | null): FolderNames {
    const known = this.folders.get(cwd)
    if (known !== undefined) return known
    const names = folderNames(cwd, this.home)
    this.folders.set(cwd, names)
    return names
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
    const back = earlier.find(file => this.known.has(file))
    const there = this.byFormerFile.get(place.file) ?? (back === undefined ? undefined : this.known.get(back))
    return there?.row.ref ?? null
  }

  private summaryOf(file: string): SessionSummary | null {
    return this.known.get(file)?.summary ?? this.unlisted.get(file) ?? null
  }

  /** The listed session that is this file, by its path or with links resolved. */
  listedAt(file: string, realFile: string): { file: string; root: LibraryRoot } | undefined {
    const known = this.known.get(file) ?? this.byRealFile.get(realFile)
    return known === undefined ? undefined : { file: known.summary.file, root: known.root }
  }

  /** The links between all listed sessions. */
  family(): FamilyIndex<SessionSummary> {
    return this.answers.of('family', () => {
      return new FamilyIndex([...this.known.values()].map(({ summary }) => summary))
    })
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
    return this.answers.of('cwds', () => {
      const cwds = new Set<string>()
      for (const { summary } of this.known.values()) if (summary.cwd !== null) cwds.add(summary.cwd)
      return [...cwds]
    })
  }

  roots(): RootView[] {
    return this.answers.of('roots', () => this.rootViews())
  }

  private rootViews(): RootView[] {
    const totals = new Map<string, { sessions: number; bytes: number }>()
    for (const { root, row } of this.known.values()) {
      const total = totals.get(root.id) ?? { sessions: 0, bytes: 0 }
      total.sessions++
      total.bytes += row.bytes
      totals.set(root.id, total)
    }
    return this.found.map(({ root, found }) => {
      const { sessions, bytes } = totals.get(root.id) ?? { sessions: 0, bytes: 0 }
      return {
        ref: this.rootRefs.issue(root.id, root),
        name: root.name,
        agentDir: root.layout.agentDir,
        kind: root.kind,
        readOnly: root.readOnly,
        state: found.state,
        note: found.note,
        sessions,
        bytes,
      }
    })
  }

  notes(): string[] {
    return this.found.flatMap(({ found }) => [
      ...(found.state === 'unreadable' && found.note !== null ? [found.note] : []),
      ...found.notes,
    ])
  }

  /** Of what is not counted yet only what both ends of its file say. */
  counts(): { all: number; starred: number; archived: number; drafts: number; damaged: number } {
    return this.answers.of('counts', () => {
      const counts = { all: this.rows.count, starred: 0, archived: 0, drafts: 0, damaged: 0 }
      for (const row of this.rows.all()) {
        if (row.starred) counts.starred++
        if (row.archived) counts.archived++
        if (row.hasDraft) counts.drafts++
        if ((row.damagedLines ?? 0) > 0 || row.problem !== null) counts.damaged++
      }
      return counts
    })
  }

  get bytes(): number {
    return this.roots().reduce((sum, { bytes }) => sum + bytes, 0)
  }

  projects(order: ProjectOrder): ProjectView[] {
    const key = JSON.stringify([order.projectOrder, order.pinnedProjects])
    return this.answers.of(`projects ${key}`, () =>
      projectList(this.rows.all(), order, {
        home: this.home,
        cwdOf: ref => this.projectCwd(ref) ?? null,
        stateOf: cwd => this.stateOf(cwd),
      }),
    )
  }

  /** Every row, as lists show it but for what it was made from. */
  allRows(): SessionRow[] {
    return [...this.rows.all()]
  }

  /** The row of a listed session. */
  rowAt(file: string): SessionRow | undefined {
    return this.known.get(file)?.row
  }

  page(query: SessionsQuery): SessionsPage {
    const { offset, limit, find } = query
    const rows = this.answers.of(`rows ${queryKey(query)}`, () => this.matching(query))
    const shown = rows
      .slice(offset, offset + limit)
      .map(row => this.withOrigin(row, this.resolve(row.ref)?.summary ?? null))
    const page = { revision: this.revision, total: rows.length, offset, rows: shown }
    if (find === undefined) return page
    const sought = new Set(find)
    return { ...page, through: rows.findLastIndex(({ ref }) => sought.has(ref)) + 1 }
  }

  private matching({ scope, filter, sort, reverse }: SessionsQuery): readonly SessionRow[] {
    const rows = this.rows.in(sort, reverse)
    const matches = rowFilter(filter)
    if (scope.kind === 'all' && matches === null) return rows
    return rows.filter(
      row =>
        (scope.kind !== 'project' || row.project === scope.project) &&
        (scope.kind !== 'starred' || row.starred) &&
        (scope.kind !== 'archived' || row.archived) &&
        (matches === null || matches(row)),
    )
  }
}

function queryKey({ scope, filter, sort, reverse }: SessionsQuery): string {
  return JSON.stringify([scope, filter, sort, reverse])
}

/** Whether this says less than what is known of the same file in the same state. */
function isLess(summary: SessionSummary, known: SessionSummary): boolean {
  const isSame = summary.fileId === known.fileId && summary.modified === known.modified
  return isSame && summary.bytes === known.bytes && !summary.counted && known.counted
}

function rowUse(use: SessionUse | undefined): { state: 'in-use' | 'maybe'; text: string } | null {
  return use?.state === 'in-use' || use?.state === 'maybe' ? { state: use.state, text: use.text ?? '' } : null
}
