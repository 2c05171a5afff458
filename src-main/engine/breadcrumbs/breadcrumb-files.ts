/**
 * Breadcrumb files: read tolerantly, written atomically, and only when still what was read.
 * omp itself overwrites them in place at any moment; the last writer wins, and it may be omp.
 */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { Environment } from '../environment'
import { JOURNAL_SUFFIX, parentJournalOf } from '../layout/session-paths'
import { isTemporaryName, replaceFileNow } from '../storage/atomic-replace'
import { readRange, withByteSource } from '../storage/byte-source'
import { attempt } from '../storage/errors'
import { captureIdentity, type FileIdentity } from '../storage/file-identity'
import type { FileSystem } from '../storage/file-system'
import { type Breadcrumb, parseBreadcrumb, serialiseBreadcrumb } from './breadcrumb'

/** Longest breadcrumb that is read; two paths and a little more. */
const BREADCRUMB_BYTES = 64 * 1024

export type BreadcrumbFile = {
  terminalId: string
  path: string
  breadcrumb: Breadcrumb
  identity: FileIdentity
}

/** All readable breadcrumbs in `directory`, by terminal id; none when it does not exist. */
export function listBreadcrumbs(fs: FileSystem, directory: string): Result<BreadcrumbFile[]> {
  const entries = attempt('read the breadcrumbs in', directory, () => fs.readDirectory(directory))
  if (!entries.ok) return entries.error.code === 'not-found' ? ok([]) : entries
  const found: BreadcrumbFile[] = []
  const sorted = [...entries.value].sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of sorted) {
    if (entry.kind === 'directory' || isTemporaryName(entry.name)) continue
    const read = readBreadcrumb(fs, path.join(directory, entry.name))
    // One that cannot be read or parsed names nothing; it must not hide the others.
    if (read.ok) found.push(read.value)
  }
  return ok(found)
}

/** The breadcrumb at `file`; `damaged` when it holds none. */
export function readBreadcrumb(fs: FileSystem, file: string): Result<BreadcrumbFile> {
  const identity = captureIdentity(fs, file)
  if (!identity.ok) return identity
  const text = attempt('read', file, () =>
    withByteSource(fs, file, source => Buffer.from(readRange(source, 0, BREADCRUMB_BYTES)).toString('utf8')),
  )
  if (!text.ok) return text
  const breadcrumb = parseBreadcrumb(text.value)
  if (breadcrumb === null) return err('damaged', `${file} is not a breadcrumb.`, file)
  return ok({ terminalId: path.basename(file), path: file, breadcrumb, identity: identity.value })
}

/** Replaces the breadcrumb at `file` when it is still `expected`; omp's readers see the old or the new one. */
export function writeBreadcrumb(
  env: Environment,
  file: string,
  breadcrumb: Breadcrumb,
  expected: FileIdentity,
): Result<FileIdentity> {
  return replaceFileNow(env, file, [Buffer.from(serialiseBreadcrumb(breadcrumb), 'utf8')], { expected })
}

/**
 * The root session of `journal`: while a subagent's file lies in the artifact directory of an existing journal,
 * that journal is taken, at most eight steps, as omp does.
 */
export function rootJournalOf(fs: FileSystem, journal: string): string {
  let at = journal
  for (let step = 0; step < limits.breadcrumbClimb; step++) {
    const parent = parentJournalOf(at)
    if (parent === JOURNAL_SUFFIX || !isFile(fs, parent)) return at
    at = parent
  }
  return at
}

function isFile(fs: FileSystem, target: string): boolean {
  const stat = attempt('look at', target, () => fs.stat(target))
  return stat.ok && stat.value.kind === 'file'
}
