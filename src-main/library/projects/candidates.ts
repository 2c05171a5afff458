/**
 * CANDIDATES: where a folder that is gone may be now, each with its evidence. Suggestions only; nothing is ever
 * changed on a guess, and a candidate by name alone says so.
 *
 * Evidence, strongest first
 *   same-folder      a folder has the device and inode that a breadcrumb or Grove's notes tell of the old folder,
 *                    of one above it (then the way down from there is taken), or of one below it (then the way up).
 *   same-repository  the same first commit, or the same remote, as noted.
 *   same-name        the same name nearby, nothing else.
 *
 * An inode number is given out again once its folder is removed: where both first commits are known and differ,
 * the same inode is no evidence.
 */
import path from 'node:path'
import type { RerootCandidate } from '@shared/ipc/models/change-models'
import type { Environment, WorkContext } from '../../engine/environment'
import { foldersAbove, isSameFolder, mapFolder, normalFolder, relativeBelow } from './folder-paths'
import { folderDistance, isFolder, searchFolders, searchPlaces } from './folder-search'
import { readGitIdentity, readRepositoryRemote } from './git-identity'
import { type FolderIdentity, folderIdentity, isSameIdentity, type ProjectMemory } from './project-memory'
import { projectState } from './project-state'

/** An identity that a folder had, and who says so. */
export type FolderTrace = { folder: string; identity: FolderIdentity; from: 'breadcrumb' | 'notes' }

export type CandidateSources = {
  memory: ProjectMemory
  /** Breadcrumbs that carry the identity of their cwd. */
  breadcrumbs: readonly { cwd: string; cwdStat: FolderIdentity | null }[]
  /** Folders of the other projects. */
  otherFolders: readonly string[]
}

const MAX_ANSWERED = 8
/** Names alone prove nothing, and `src` is a common one. */
const MAX_BY_NAME = 4
/** Traces tried per folder met; each is one stat. */
const MAX_TRACES = 8
/** Repositories whose first commit is read in one search. */
const MAX_REPOSITORIES = 60

type Found = RerootCandidate & { rank: number; distance: number }
const RANK = { 'same-folder': 0, 'same-repository': 1, 'same-name': 2 } as const

/**
 * Candidates for `gone`, best first. Nothing for a folder that cannot be reached or belongs to another system:
 * where it is now is known, or cannot be known here.
 */
export async function findCandidates(
  env: Environment,
  gone: string,
  sources: CandidateSources,
  work: WorkContext,
): Promise<RerootCandidate[]> {
  const folder = normalFolder(gone)
  const { state } = projectState(env, folder)
  if (state === 'unreachable' || state === 'other-system' || state === 'unknown') return []
  const search = new CandidateSearch(env, folder, sources, work)
  const others = sources.otherFolders.map(normalFolder)
  for (const other of others) await search.look(other)
  for await (const met of searchFolders(env, searchPlaces(env, folder, others), work)) await search.look(met)
  return search.answer()
}

/** Identities noted of `folder` and of folders at, above (as far as they are gone) or below it. */
export function tracesOf(env: Environment, folder: string, sources: CandidateSources): FolderTrace[] {
  const all: FolderTrace[] = []
  for (const { cwd, cwdStat } of sources.breadcrumbs)
    if (cwdStat !== null) all.push({ folder: normalFolder(cwd), identity: cwdStat, from: 'breadcrumb' })
  for (const note of sources.memory.notes.values()) {
    all.push({ folder: note.folder, identity: note.identity, from: 'notes' })
    if (note.earlier !== null) all.push({ folder: note.folder, identity: note.earlier, from: 'notes' })
  }
  const chain = movedWith(env, folder)
  const top = chain[chain.length - 1] ?? folder
  const near = all.filter(
    trace => relativeBelow(top, trace.folder) !== undefined && !isStillThere(env, trace),
  )
  const distance = (trace: FolderTrace): number => folderDistance(folder, trace.folder)
  return near.sort((a, b) => distance(a) - distance(b)).slice(0, MAX_TRACES)
}

/** The folder, then those above it that are gone too: each may be the one that was moved. */
function movedWith(env: Environment, folder: string): string[] {
  return [folder, ...foldersAbove(folder).filter(above => !isFolder(env, above))]
}

function isStillThere(env: Environment, trace: FolderTrace): boolean {
  const now = folderIdentity(env, trace.folder)
  return now !== undefined && isSameIdentity(now, trace.identity)
}

class CandidateSearch {
  private readonly found = new Map<string, Found>()
  private readonly traces: FolderTrace[]
  private readonly chain: string[]
  private readonly rootCommit: string | null
  private readonly remote: string | null
  private readonly belowTop: string
  private repositoriesLeft = MAX_REPOSITORIES

  constructor(
    private readonly env: Environment,
    private readonly folder: string,
    sources: CandidateSources,
    private readonly work: WorkContext,
  ) {
    this.traces = tracesOf(env, folder, sources)
    this.chain = movedWith(env, folder)
    const note = sources.memory.notes.get(folder)
    this.rootCommit = note?.rootCommit ?? null
    this.remote = note?.remote ?? null
    this.belowTop = note?.below ?? ''
  }

  /** Takes `met` for what it may be: the folder itself, or one above or below it. */
  async look(met: string): Promise<void> {
    const identity = folderIdentity(this.env, met)
    if (identity === undefined) return
    await this.lookByTraces(met, identity)
    await this.lookByRepository(met)
    if (path.basename(met) === path.basename(this.folder))
      this.add(met, 'same-name', 'Another folder of that name; nothing else speaks for it.')
  }

  answer(): RerootCandidate[] {
    const sorted = [...this.found.values()].sort(
      (a, b) => a.rank - b.rank || a.distance - b.distance || (a.path < b.path ? -1 : 1),
    )
    const named = sorted.filter(item => item.evidence === 'same-name').slice(MAX_BY_NAME)
    const answered = sorted.filter(item => !named.includes(item)).slice(0, MAX_ANSWERED)
    return answered.map(({ path: at, evidence, text }) => ({ path: at, evidence, text }))
  }

  private async lookByTraces(met: string, identity: FolderIdentity): Promise<void> {
    for (const trace of this.traces) {
      const target = this.targetBy(trace, met, identity)
      if (target === undefined || (await this.isOtherRepository(target))) continue
      this.add(target, 'same-folder', traceText(this.folder, trace))
    }
  }

  /** Where the folder is if `met` leads to what `trace` tells of. */
  private targetBy(trace: FolderTrace, met: string, identity: FolderIdentity): string | undefined {
    const { folder } = this
    // The trace is of the folder or one above it, and this is that folder under another name.
    if (isSameIdentity(identity, trace.identity)) {
      const below = mapFolder(trace.folder, met, folder)
      if (below !== undefined) return isFolder(this.env, below) ? below : undefined
    }
    // This may be the folder, or one above it, under another name, if the trace's folder is found below it.
    for (const above of this.chain) {
      const target = mapFolder(above, met, folder)
      const traced = mapFolder(above, met, trace.folder)
      if (target === undefined || traced === undefined || traced === met) continue
      const now = folderIdentity(this.env, traced)
      if (now !== undefined && isSameIdentity(now, trace.identity) && isFolder(this.env, target))
        return target
    }
    return undefined
  }

  private async isOtherRepository(target: string): Promise<boolean> {
    if (this.rootCommit === null) return false
    const there = await readGitIdentity(this.env.fs, target, this.env.home, this.work)
    return there !== null && there.rootCommit !== null && there.rootCommit !== this.rootCommit
  }

  private async lookByRepository(met: string): Promise<void> {
    if (this.rootCommit === null && this.remote === null) return
    if (!hasGit(this.env, met)) return
    const target = this.belowTop === '' ? met : path.join(met, ...this.belowTop.split(/[/\\]/))
    if (!isFolder(this.env, target)) return
    if (this.rootCommit !== null && this.repositoriesLeft > 0) {
      this.repositoriesLeft--
      const there = await readGitIdentity(this.env.fs, met, this.env.home, this.work)
      if (there?.rootCommit === this.rootCommit)
        return this.add(
          target,
          'same-repository',
          'Its first Git commit is the one noted when the folder was last seen.',
        )
      if (there !== null && there.rootCommit !== null) return
    }
    if (this.remote !== null && readRepositoryRemote(this.env.fs, met) === this.remote)
      this.add(
        target,
        'same-repository',
        `Its Git remote is the one noted when the folder was last seen (${this.remote}).`,
      )
  }

  private add(target: string, evidence: RerootCandidate['evidence'], text: string): void {
    if (isSameFolder(target, this.folder)) return
    const known = this.found.get(target)
    const rank = RANK[evidence]
    if (known !== undefined && known.rank <= rank) return
    const distance = folderDistance(this.folder, target)
    this.found.set(target, { path: target, evidence, text, rank, distance })
  }
}

function traceText(folder: string, trace: FolderTrace): string {
  const who = trace.from === 'breadcrumb' ? "in a terminal's breadcrumb" : 'when the folder was last seen'
  if (trace.folder === folder) return `Its device and inode are those noted ${who}.`
  const name = path.basename(trace.folder)
  const where = relativeBelow(folder, trace.folder) !== undefined ? 'in it' : 'beside or above it'
  return `The folder ${name} ${where} has the device and inode noted ${who}.`
}

function hasGit(env: Environment, folder: string): boolean {
  try {
    env.fs.stat(path.join(folder, '.git'))
    return true
  } catch {
    return false
  }
}
