/** What the artifact directory of a session tells of its subagents: their journals, and locks beside them. Looks only. */
import path from 'node:path'
import { limits } from '@shared/limits'
import { JOURNAL_SUFFIX } from '../layout/session-paths'
import { lstatOrUndefined } from '../storage/directory-sync'
import { attempt } from '../storage/errors'
import type { FileSystem } from '../storage/file-system'

export type FilesBelow = {
  /** Journals of subagents, nested ones too. */
  journals: string[]
  /** Whether a lock lies beside any of them. */
  locked: boolean
}

/** Looks through an artifact directory. A link in its place, or one below it, is not followed. */
export function filesBelow(fs: FileSystem, artifacts: string): FilesBelow {
  const found: FilesBelow = { journals: [], locked: false }
  if (!isDirectory(fs, artifacts)) return found
  const pending: { directory: string; depth: number }[] = [{ directory: artifacts, depth: 0 }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { directory, depth } = next
    const entries = attempt('read', directory, () => fs.readDirectory(directory))
    if (!entries.ok) continue
    for (const { name, kind } of entries.value) {
      if (kind === 'directory') {
        if (depth < limits.subagentDepth)
          pending.push({ directory: path.join(directory, name), depth: depth + 1 })
      } else if (kind === 'file' && name.endsWith(JOURNAL_SUFFIX))
        found.journals.push(path.join(directory, name))
      else if (name.startsWith('.') && name.endsWith(`${JOURNAL_SUFFIX}.lock`)) found.locked = true
    }
  }
  return found
}

function isDirectory(fs: FileSystem, target: string): boolean {
  const stat = attempt('look at', target, () => lstatOrUndefined(fs, target))
  return stat.ok && stat.value?.kind === 'directory'
}
