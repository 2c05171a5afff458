/** The unsent text of a session. Read only; an empty draft is none. Rule: docs/format.md, Drafts. */
import path from 'node:path'
import { ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { DRAFT_FILE } from '../../engine/artifacts/artifact-directory'
import type { Environment } from '../../engine/environment'
import { artifactDirectoryOf } from '../../engine/layout/session-paths'
import { readRange, withByteSource } from '../../engine/storage/byte-source'
import { attempt } from '../../engine/storage/errors'

export type Draft = { text: string; bytes: number; modified: number }

export function readDraft(env: Environment, journal: string): Result<Draft | null> {
  const directory = artifactDirectoryOf(journal)
  if (directory === null) return ok(null)
  const file = path.join(directory, DRAFT_FILE)
  const read = attempt('read the draft', file, (): Draft | null => {
    const stat = env.fs.lstat(file)
    // A link may lead anywhere: it is no draft, as it is no artifact.
    if (stat.kind !== 'file' || stat.size === 0) return null
    return withByteSource(env.fs, file, source => {
      const bytes = readRange(source, 0, Math.min(source.size, limits.draftBytes))
      return { text: Buffer.from(bytes).toString('utf8'), bytes: source.size, modified: stat.mtimeMs }
    })
  })
  return !read.ok && read.error.code === 'not-found' ? ok(null) : read
}
