/**
 * PROJECT MEMORY: what Grove noted of a folder while it was there, so that it can be recognised elsewhere later.
 *
 * Guarantees
 *   One JSON file in Grove's own data, replaced whole; the agent directory and the projects are only read.
 *   A file that cannot be understood is set aside under another name, never erased. One that a newer Grove wrote
 *   is left alone: nothing is remembered and nothing noted.
 *   Folders are kept by path; a note lasts until the folder at that path is seen to be another one, and then the
 *   earlier identity stays beside it (a new folder of the old name must not wipe out the trace of the old one).
 *
 * Not guaranteed
 *   An inode number is used again after a folder was removed; the first commit, where known, tells such a case.
 *   Two programs noting at the same moment: the later one wins, and notes again what it saw at its next look.
 */
import path from 'node:path'
import { ok, type Result } from '@shared/ipc/result'
import { isJsonObject, objectOf, stringOrNull } from '@shared/session/json'
import type { Environment, WorkContext } from '../../engine/environment'
import { silentWork } from '../../engine/environment'
import { writeWholeNow } from '../../engine/storage/atomic-replace'
import { attempt, errnoOf } from '../../engine/storage/errors'
import { ensureGroveData, type GroveData } from '../grove-data'
import { foldersAbove, isFullPath, normalFolder, relativeBelow } from './folder-paths'
import { readGitIdentity } from './git-identity'
import { readWhole } from './git-objects'

/** Device and inode, as decimal text. */
export type FolderIdentity = { dev: string; ino: string }

export type FolderNote = {
  folder: string
  identity: FolderIdentity
  /** What stood at this path before, where it was another folder. */
  earlier: FolderIdentity | null
  rootCommit: string | null
  remote: string | null
  /** Way from the top of the repository to the folder. */
  below: string
  /** When it was last looked at in full, Unix ms. */
  noted: number
}

export type ProjectMemory = {
  notes: ReadonlyMap<string, FolderNote>
  /** False when the file belongs to a newer Grove. */
  writable: boolean
}

const VERSION = 1
const FILE = 'projects.json'
const MAX_FILE_BYTES = 32 * 1024 * 1024
/** Notes kept; the longest unseen go first. */
const MAX_NOTES = 10_000
/** Git is read again after this many milliseconds: a repository may be made, or get a remote, later. */
const GIT_AGAIN_MS = 24 * 60 * 60 * 1000
/** Folders above a project that are noted too, so that a renamed parent is recognised. */
const MAX_ABOVE = 4

const NOTHING: ProjectMemory = { notes: new Map(), writable: true }

/** Where notes on projects lie in Grove's data directory. */
export function projectMemoryFile(data: GroveData): string {
  return path.join(data.directory, FILE)
}

/** All notes. A damaged file is set aside, and the memory is empty. */
export function readProjectMemory(env: Environment, data: GroveData): ProjectMemory {
  const file = projectMemoryFile(data)
  const bytes = readWhole(env.fs, file, MAX_FILE_BYTES)
  if (bytes === null) return { ...NOTHING, writable: !isThere(env, file) }
  const parsed = parseMemory(bytes.toString('utf8'))
  if (parsed !== null) return parsed
  const aside = attempt('set aside', file, () => env.fs.rename(file, `${file}.damaged-${env.uuid()}`))
  return { ...NOTHING, writable: aside.ok }
}

/**
 * Notes the folders among `cwds` that are there, and the folders above them. Answers how many notes changed;
 * nothing is written when none did.
 */
export async function notePresentProjects(
  env: Environment,
  data: GroveData,
  cwds: readonly string[],
  work: WorkContext = silentWork,
): Promise<Result<number>> {
  const memory = readProjectMemory(env, data)
  if (!memory.writable) return ok(0)
  const notes = new Map(memory.notes)
  let changed = 0
  const projects = new Set(cwds.filter(isFullPath).map(normalFolder))
  const above = [...projects].flatMap(cwd => notedAbove(env, cwd)).filter(folder => !projects.has(folder))
  for (const folder of [...projects, ...new Set(above)]) {
    await work.breathe()
    const note = await noteOf(env, folder, notes.get(folder), projects.has(folder), work)
    if (note === undefined) continue
    notes.set(folder, note)
    changed++
  }
  if (changed === 0) return ok(0)
  const written = writeMemory(env, data, notes)
  return written.ok ? ok(changed) : written
}

/** Parents worth a note: below the home folder, or a few levels anywhere else, never a root of the system. */
function notedAbove(env: Environment, cwd: string): string[] {
  return foldersAbove(cwd)
    .filter(folder => relativeBelow(folder, env.home) === undefined && foldersAbove(folder).length > 1)
    .slice(0, MAX_ABOVE)
}

/** The new note, or undefined when the one there is says all that is to be said. */
async function noteOf(
  env: Environment,
  folder: string,
  known: FolderNote | undefined,
  isProject: boolean,
  work: WorkContext,
): Promise<FolderNote | undefined> {
  const identity = folderIdentity(env, folder)
  if (identity === undefined) return undefined
  const same = known !== undefined && isSameIdentity(known.identity, identity)
  const fresh = same && (!isProject || env.now() - known.noted < GIT_AGAIN_MS)
  if (fresh) return undefined
  const git = isProject ? await readGitIdentity(env.fs, folder, env.home, work) : null
  return {
    folder,
    identity,
    earlier: same ? known.earlier : (known?.identity ?? null),
    // A repository that cannot be read now was read before: what it was is not forgotten.
    rootCommit: git?.rootCommit ?? (same ? known.rootCommit : null),
    remote: git?.remote ?? (same ? known.remote : null),
    below: git?.below ?? (same ? known.below : ''),
    noted: isProject ? env.now() : 0,
  }
}

/** Identity of the folder at `folder`, or undefined when there is none that can be looked at. */
export function folderIdentity(env: Environment, folder: string): FolderIdentity | undefined {
  try {
    const stat = env.fs.stat(folder)
    if (stat.kind !== 'directory') return undefined
    return { dev: stat.dev.toString(), ino: stat.ino.toString() }
  } catch {
    return undefined
  }
}

export function isSameIdentity(a: FolderIdentity, b: FolderIdentity): boolean {
  return a.dev === b.dev && a.ino === b.ino
}

function writeMemory(env: Environment, data: GroveData, notes: Map<string, FolderNote>): Result<void> {
  const kept = [...notes.values()].sort((a, b) => b.noted - a.noted).slice(0, MAX_NOTES)
  const text = `${JSON.stringify({ version: VERSION, folders: kept })}\n`
  const made = ensureGroveData(env, data)
  if (!made.ok) return made
  const written = writeWholeNow(env, projectMemoryFile(data), text, 0o600)
  return written.ok ? ok(undefined) : written
}

/** Null when the text is not a memory at all. */
function parseMemory(text: string): ProjectMemory | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (!isJsonObject(value) || typeof value.version !== 'number') return null
  if (value.version > VERSION) return { ...NOTHING, writable: false }
  if (!Array.isArray(value.folders)) return null
  const notes = new Map<string, FolderNote>()
  for (const item of value.folders) {
    const note = parseNote(objectOf(item))
    if (note !== null) notes.set(note.folder, note)
  }
  return { notes, writable: true }
}

function parseNote(item: Record<string, unknown>): FolderNote | null {
  const folder = stringOrNull(item.folder)
  const identity = parseIdentity(item.identity)
  if (folder === null || identity === null || !isFullPath(folder)) return null
  return {
    folder,
    identity,
    earlier: parseIdentity(item.earlier),
    rootCommit: stringOrNull(item.rootCommit),
    remote: stringOrNull(item.remote),
    below: stringOrNull(item.below) ?? '',
    noted: typeof item.noted === 'number' ? item.noted : 0,
  }
}

function parseIdentity(value: unknown): FolderIdentity | null {
  const item = objectOf(value)
  const dev = stringOrNull(item.dev)
  const ino = stringOrNull(item.ino)
  return dev === null || ino === null ? null : { dev, ino }
}

function isThere(env: Environment, file: string): boolean {
  try {
    env.fs.lstat(file)
    return true
  } catch (thrown) {
    return errnoOf(thrown) !== 'ENOENT' && errnoOf(thrown) !== 'ENOTDIR'
  }
}
