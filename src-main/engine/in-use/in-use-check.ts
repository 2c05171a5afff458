/**
 * IN USE: does another program have this session?
 *
 * In use is a session (or one of its subagents) that
 *   1. has a live holder of its lock, or
 *   2. is open in another process, or a file in its artifact directory is, or
 *   3. was written within the last seconds, and not by Grove, or
 *   4. is named by the breadcrumb of a terminal in which an omp runs. An idle omp has nothing open and holds no lock;
 *      after a foreign append it would save nothing more.
 * Maybe in use is a session in whose folder an omp runs that no breadcrumb ties to any session.
 * Where the system does not tell, the answer is `unknown`, not `free`.
 *
 * One look at the processes and breadcrumbs serves many sessions; locks and times are looked at for each. `usedAmong` asks
 * about a whole library at once and costs little where nothing is in use.
 */
import path from 'node:path'
import { limits } from '@shared/limits'
import { type BreadcrumbFile, listBreadcrumbs, rootJournalOf } from '../breadcrumbs/breadcrumb-files'
import type { Environment, WorkContext } from '../environment'
import { artifactDirectoryOf } from '../layout/session-paths'
import { attempt } from '../storage/errors'
import type { FileStat, FileSystem } from '../storage/file-system'
import { lockHolder } from '../storage/publish-lock'
import type { InUseCheck, InUseState } from './in-use'
import { isOmpProcess, programName, terminalOf } from './omp-process'
import type { ProcessInfo, ProcessScan, ProcessTable } from './process-table'
import { filesBelow } from './subagent-journals'
import { type AskedFile, usedAmong } from './used-among'

export type InUseOptions = {
  /** Processes that are ourselves. Default: this one. */
  ignorePids?: readonly number[]
  /** Whether the last write of that file was Grove's own, which does not count as use. */
  writtenByGrove?(journal: string, stat: FileStat): boolean
}

/** A look that can also be asked about many sessions at once: one answer for each, the same as `check` gives. */
export type InUseLook = InUseCheck & {
  usedAmong(files: readonly AskedFile[], work: WorkContext): Promise<InUseState[]>
}

/** Looks at processes and breadcrumbs now; the answer is asked about any number of sessions. */
export async function createInUseCheck(
  env: Environment,
  processTable: ProcessTable,
  breadcrumbDirs: readonly string[],
  work: WorkContext,
  options: InUseOptions = {},
): Promise<InUseLook> {
  const taken = env.now()
  const scan = await processTable.scan(work)
  const ignored = new Set(options.ignorePids ?? [env.pid])
  const processes = scan.known ? scan.processes.filter(process => !ignored.has(process.pid)) : []
  const snapshot: Snapshot = {
    env,
    scan,
    processTable,
    options,
    holders: holdersOf(processes),
    ...tiesOf(env.fs, processes, breadcrumbDirs),
  }
  return {
    taken,
    check: (journal, cwd) => check(snapshot, journal, cwd),
    usedAmong: (files, work) => usedAmong(signsOf(snapshot), files, work),
  }
}

/** What speaks for use, as `usedAmong` needs it. */
function signsOf(snapshot: Snapshot) {
  const { env, holders, ties } = snapshot
  return {
    env,
    openIds: new Set(holders.keys()),
    openPaths: [...holders.values()].map(holder => holder.path),
    tiedRoots: new Set(ties.map(tie => tie.root)),
    tiedIds: new Set(ties.flatMap(({ stat }) => (stat === undefined ? [] : [`${stat.dev}:${stat.ino}`]))),
    check: (journal: string, cwd: string | null) => check(snapshot, journal, cwd),
    byFolder: (cwd: string | null) => byFolder(snapshot, cwd),
  }
}

type Holder = { process: ProcessInfo; path: string }

type Tie = { process: ProcessInfo; terminalId: string; root: string; stat: FileStat | undefined }

type Snapshot = {
  env: Environment
  scan: ProcessScan
  processTable: ProcessTable
  options: InUseOptions
  /** By `dev:ino`. */
  holders: Map<string, Holder>
  /** Sessions that the breadcrumbs of running omps name. */
  ties: Tie[]
  /** Running omps that nothing ties to a session. */
  untied: ProcessInfo[]
}

function holdersOf(processes: readonly ProcessInfo[]): Map<string, Holder> {
  const holders = new Map<string, Holder>()
  for (const process of processes) {
    for (const file of process.openFiles) {
      const key = `${file.dev}:${file.ino}`
      // An omp is the better name when several have it.
      if (!holders.has(key) || isOmpProcess(process)) holders.set(key, { process, path: file.path })
    }
  }
  return holders
}

function tiesOf(
  fs: FileSystem,
  processes: readonly ProcessInfo[],
  breadcrumbDirs: readonly string[],
): { ties: Tie[]; untied: ProcessInfo[] } {
  const omps = processes.filter(isOmpProcess)
  const ties: Tie[] = []
  const untied: ProcessInfo[] = []
  const crumbs = omps.length === 0 ? [] : breadcrumbDirs.flatMap(directory => crumbsIn(fs, directory))
  for (const process of omps) {
    const terminalId = terminalOf(process)
    const own = crumbs.filter(crumb => crumb.terminalId === terminalId)
    const found = own.flatMap(crumb => tieOf(fs, process, crumb))
    ties.push(...found)
    if (found.length === 0) untied.push(process)
  }
  return { ties, untied }
}

function crumbsIn(fs: FileSystem, directory: string): BreadcrumbFile[] {
  const read = listBreadcrumbs(fs, directory)
  // Unreadable breadcrumbs tie nothing: the omps that they may belong to count as untied, and are asked about.
  return read.ok ? read.value : []
}

/** What a breadcrumb ties its terminal's omp to; nothing when its session is gone. */
function tieOf(fs: FileSystem, process: ProcessInfo, crumb: BreadcrumbFile): Tie[] {
  const { session, fresh } = crumb.breadcrumb
  const exists = statOrUndefined(fs, session)?.kind === 'file'
  if (!exists && !fresh) return []
  const root = exists ? rootJournalOf(fs, session) : session
  return [{ process, terminalId: crumb.terminalId, root, stat: statOrUndefined(fs, root) }]
}

function check(snapshot: Snapshot, journal: string, cwd: string | null): InUseState {
  const root = rootJournalOf(snapshot.env.fs, journal)
  const artifacts = artifactDirectoryOf(root)
  const subagents = artifacts === null ? [] : filesBelow(snapshot.env.fs, artifacts).journals
  const journals = [...new Set([root, journal]), ...subagents]
  for (const file of journals) {
    const used = lockUse(snapshot, file) ?? openUse(snapshot, file) ?? growthUse(snapshot, file)
    if (used !== undefined) return used
  }
  const held = artifacts === null ? undefined : openBelow(snapshot, artifacts)
  const used = held ?? breadcrumbUse(snapshot, root)
  return used ?? byFolder(snapshot, cwd)
}

/** The answer for a session that nothing of its own speaks for. */
function byFolder(snapshot: Snapshot, cwd: string | null): InUseState {
  if (!snapshot.scan.known)
    return { state: 'unknown', text: `Not known whether it is in use: ${snapshot.scan.reason}.` }
  return cwdUse(snapshot, cwd) ?? { state: 'free' }
}

function lockUse({ env, processTable, scan }: Snapshot, journal: string): InUseState | undefined {
  const holder = lockHolder(env, journal, {
    isAlive: pid => processTable.isAlive(pid),
    startedAt: pid => processTable.startedAt(pid),
  })
  // Our own lock is another step of ours, which taking the lock waits for.
  if (holder === null || holder.pid === env.pid) return undefined
  const { pid } = holder
  if (pid === null)
    return inUse(null, `A program that does not name itself holds the lock of ${path.basename(journal)}.`)
  const process = scan.known ? scan.processes.find(candidate => candidate.pid === pid) : undefined
  return inUse(
    pid,
    `${process === undefined ? 'A program' : programName(process)} (process ${pid}) is writing it: it holds its lock.`,
  )
}

function openUse(snapshot: Snapshot, journal: string): InUseState | undefined {
  if (snapshot.holders.size === 0) return undefined
  const stat = statOrUndefined(snapshot.env.fs, journal)
  const holder = stat === undefined ? undefined : snapshot.holders.get(`${stat.dev}:${stat.ino}`)
  return holder === undefined ? undefined : openText(holder)
}

/** A file of the artifact directory that is open: its owner writes below a directory that would move. */
function openBelow(snapshot: Snapshot, artifacts: string): InUseState | undefined {
  const real = attempt('look at', artifacts, () => snapshot.env.fs.realPath(artifacts))
  if (!real.ok) return undefined
  for (const holder of snapshot.holders.values()) {
    if (holder.path.startsWith(real.value + path.sep)) return openText(holder)
  }
  return undefined
}

function openText({ process, path: file }: Holder): InUseState {
  return inUse(
    process.pid,
    `${programName(process)} (process ${process.pid}) has ${path.basename(file)} open.`,
  )
}

function growthUse({ env, options }: Snapshot, journal: string): InUseState | undefined {
  const stat = statOrUndefined(env.fs, journal)
  if (stat === undefined) return undefined
  const age = env.now() - stat.mtimeMs
  // A time far in the future is a wrong clock, not a write in progress.
  if (Math.abs(age) >= limits.recentGrowthMs || options.writtenByGrove?.(journal, stat) === true)
    return undefined
  // One sentence for all of that time: what is told of a session changes only when something happens to it.
  const within = `the last ${limits.recentGrowthMs / 1000} s`
  return inUse(
    null,
    `${path.basename(journal)} was written to within ${within}; a program may be at work in it.`,
  )
}

function breadcrumbUse({ env, ties }: Snapshot, root: string): InUseState | undefined {
  if (ties.length === 0) return undefined
  const stat = statOrUndefined(env.fs, root)
  const tie = ties.find(
    candidate =>
      candidate.root === root ||
      (stat !== undefined &&
        candidate.stat !== undefined &&
        stat.dev === candidate.stat.dev &&
        stat.ino === candidate.stat.ino),
  )
  if (tie === undefined) return undefined
  const { process, terminalId } = tie
  return inUse(process.pid, `omp (process ${process.pid}) in terminal ${terminalId} has it as its session.`)
}

function cwdUse({ env, untied }: Snapshot, cwd: string | null): InUseState | undefined {
  if (cwd === null || untied.length === 0) return undefined
  const real = attempt('look at', cwd, () => env.fs.realPath(cwd))
  const folder = real.ok ? real.value : cwd
  const here = untied.find(process => process.cwd === folder || process.cwd === cwd)
  if (here !== undefined) {
    const text = `omp (process ${here.pid}) runs in ${cwd}, and nothing tells which session it has.`
    return { state: 'maybe', pid: here.pid, text }
  }
  // Root's omp can write anyone's sessions, and we may not see where it runs.
  const hidden = untied.find(process => process.cwd === null && (process.uid === 0 || process.uid === null))
  if (hidden === undefined) return undefined
  const text = `omp (process ${hidden.pid}) runs as another user, and nothing tells which session it has.`
  return { state: 'maybe', pid: hidden.pid, text }
}

function inUse(pid: number | null, text: string): InUseState {
  return { state: 'in-use', pid, text }
}

function statOrUndefined(fs: FileSystem, target: string): FileStat | undefined {
  const stat = attempt('look at', target, () => fs.stat(target))
  return stat.ok ? stat.value : undefined
}
