/**
 * The sessions of some roots as search needs them, from the first lines of their files: for a program that has no catalog. Counts that only the
 * whole file tells are unknown.
 */
import path from 'node:path'
import { foldTitle } from '@shared/session/header'
import type { Environment } from '../../engine/environment'
import { parseSessionFileName } from '../../engine/layout/session-paths'
import { readJournalHead } from '../../engine/session/journal-head'
import { attempt } from '../../engine/storage/errors'
import { journalStorage } from '../../engine/storage/open-journal'
import { listSessionFiles } from '../catalog/session-files'
import type { LibraryRoot } from '../roots'
import type { SearchTarget } from './search-target'

export type HeadTargets = {
  targets: SearchTarget[]
  /** What could not be read, one sentence each. */
  problems: string[]
}

export function headTargets(env: Environment, roots: readonly LibraryRoot[]): HeadTargets {
  const found: HeadTargets = { targets: [], problems: [] }
  for (const root of roots) {
    const list = listSessionFiles(env, root)
    if (!list.ok) {
      found.problems.push(list.error.message)
      continue
    }
    found.problems.push(...list.value.notes)
    for (const { file } of list.value.files) {
      const target = headTarget(env, file)
      if (typeof target === 'string') found.problems.push(target)
      else found.targets.push(target)
    }
  }
  return found
}

/** A sentence for a file that cannot be read. */
function headTarget(env: Environment, file: string): SearchTarget | string {
  const opened = journalStorage(env, file).open()
  if (!opened.ok) return opened.error.message
  const { source, stat } = opened.value
  const head = attempt('read', file, () => readJournalHead(source))
  source.close()
  if (!head.ok) return head.error.message
  const { header, slot } = head.value
  const { title } = foldTitle(slot, header?.fields ?? null)
  return {
    file,
    fileId: stat.fileId,
    bytes: stat.size,
    modified: stat.modified,
    title: title ?? '',
    cwd: header?.fields.cwd ?? null,
    created: parseSessionFileName(path.basename(file)).created,
    lastActivity: stat.modified,
    model: null,
    tips: null,
    artifacts: null,
  }
}
