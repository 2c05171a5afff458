/**
 * The sessions of a directory by their first lines: enough to find one, without reading journals whole. Looks only: nothing
 * is made, moved or mended. Rule: docs/format.md, Finding a session.
 */
import path from 'node:path'
import { ok, type Result } from '@shared/ipc/result'
import { foldTitle } from '@shared/session/header'
import type { Environment } from '../environment'
import { JOURNAL_SUFFIX, parseSessionFileName } from '../layout/session-paths'
import { attempt, errnoOf } from '../storage/errors'
import { FileSessionStorage } from '../storage/file-session-storage'
import type { FileSystem } from '../storage/file-system'
import { type JournalHead, readJournalHead } from './journal-head'

export type SessionHead = {
  /** Absolute path of the journal. */
  file: string
  /** The header's id. */
  id: string
  cwd: string | null
  title: string | null
  /** The header's time in Unix ms, null when it is none. */
  created: number | null
  /** Time of the file in Unix ms. */
  modified: number
}

/**
 * The sessions directly in `directory`, the one that was written last first; then by creation, then by path. A
 * directory that is not there holds none. Files without a readable header are left out: no program could go on with them.
 */
export function listSessionHeads(env: Environment, directory: string): Result<SessionHead[]> {
  const names = attempt('read the sessions in', directory, () => namesIn(env.fs, directory))
  if (!names.ok) return names
  const heads: SessionHead[] = []
  for (const name of names.value) {
    const head = headOf(env, path.join(directory, name))
    if (head !== null) heads.push(head)
  }
  return ok(heads.sort(newestFirst))
}

/** The sessions of all directories of a sessions root, sorted alike. */
export function listAllSessionHeads(env: Environment, sessionsDir: string): Result<SessionHead[]> {
  const entries = attempt('read the sessions in', sessionsDir, () => directoriesIn(env.fs, sessionsDir))
  if (!entries.ok) return entries
  const heads: SessionHead[] = []
  for (const name of entries.value) {
    const list = listSessionHeads(env, path.join(sessionsDir, name))
    // A folder that cannot be read must not hide the sessions of the others.
    if (list.ok) heads.push(...list.value)
  }
  return ok(heads.sort(newestFirst))
}

function newestFirst(a: SessionHead, b: SessionHead): number {
  return b.modified - a.modified || (b.created ?? 0) - (a.created ?? 0) || (a.file < b.file ? 1 : -1)
}

function namesIn(fs: FileSystem, directory: string): string[] {
  return entriesIn(fs, directory)
    .map(({ name }) => name)
    .filter(name => name.endsWith(JOURNAL_SUFFIX) && name !== JOURNAL_SUFFIX)
}

function directoriesIn(fs: FileSystem, directory: string): string[] {
  return entriesIn(fs, directory)
    .filter(({ kind }) => kind === 'directory' || kind === 'symlink')
    .map(({ name }) => name)
}

function entriesIn(fs: FileSystem, directory: string): ReturnType<FileSystem['readDirectory']> {
  try {
    return fs.readDirectory(directory)
  } catch (thrown) {
    const errno = errnoOf(thrown)
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return []
    throw thrown
  }
}

function headOf(env: Environment, file: string): SessionHead | null {
  const opened = new FileSessionStorage(env, file).open()
  if (!opened.ok) return null
  const { source, stat } = opened.value
  const head = attempt('read', file, () => readJournalHead(source))
  source.close()
  return head.ok ? described(file, stat.modified, head.value) : null
}

function described(file: string, modified: number, { header, slot }: JournalHead): SessionHead | null {
  const fields = header?.fields
  if (fields === undefined || fields.id === null) return null
  const time = Date.parse(fields.timestamp ?? '')
  const created = Number.isNaN(time) ? parseSessionFileName(path.basename(file)).created : time
  const { title } = foldTitle(slot, fields)
  return { file, id: fields.id, cwd: fields.cwd, title, created, modified }
}
