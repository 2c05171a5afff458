/**
 * The filters for what only counting tells, of sessions that the catalog has not counted yet: looked at when something was found in
 * them, and remembered as long as the file stays as it is. Looks only.
 */

import { ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { isArtifact, listArtifacts } from '../../engine/artifacts/artifact-directory'
import type { Environment, WorkContext } from '../../engine/environment'
import { artifactDirectoryOf } from '../../engine/layout/session-paths'
import { SessionDocument } from '../../engine/session/session-document'
import { inSteps } from '../../engine/steps'
import { journalStorage } from '../../engine/storage/open-journal'
import { fits, type SearchTarget, type TargetFilters } from './search-target'

/** Sessions whose branches are remembered. */
const REMEMBERED = 10_000

type Counted = Pick<SearchTarget, 'fileId' | 'bytes' | 'modified'> & { tips: number }

export class CountedFilters {
  private readonly env: Environment
  private readonly counted = new Map<string, Counted>()

  constructor(env: Environment) {
    this.env = env
  }

  /** Whether a session that may hold what is looked for has as many branches and artifacts as is wanted. Throws only `cancelled`. */
  async fit(
    target: SearchTarget,
    { hasBranches, hasArtifacts }: Pick<TargetFilters, 'hasBranches' | 'hasArtifacts'>,
    work: WorkContext,
  ): Promise<boolean> {
    const artifacts =
      fits(target.artifacts, 0, hasArtifacts) ?? fits(this.artifactsOf(target), 0, hasArtifacts)
    if (artifacts !== true) return false
    const known = fits(target.tips, 1, hasBranches)
    return (known ?? fits(await this.tipsOf(target, work), 1, hasBranches)) === true
  }

  private artifactsOf({ file }: SearchTarget): number {
    const directory = artifactDirectoryOf(file)
    return directory === null ? 0 : listArtifacts(this.env.fs, directory).files.filter(isArtifact).length
  }

  /** Null where the file cannot be read. */
  private async tipsOf(target: SearchTarget, work: WorkContext): Promise<number | null> {
    const { file, fileId, bytes, modified } = target
    const before = this.counted.get(file)
    if (before?.fileId === fileId && before.bytes === bytes && before.modified === modified)
      return before.tips
    const read = await this.read(target, work)
    if (!read.ok) return null
    const tips = read.value.index.tips().length
    if (this.counted.size >= REMEMBERED) this.counted.clear()
    this.counted.set(file, { fileId, bytes, modified, tips })
    return tips
  }

  private async read({ file, bytes }: SearchTarget, work: WorkContext): Promise<Result<SessionDocument>> {
    const steps = SessionDocument.opening(
      journalStorage(this.env, file),
      this.env.now,
      bytes > limits.wholeBytes,
    )
    const document = await inSteps(steps, work, 'Counting')
    if (!document.ok || document.value.complete) return document
    // What looks like a record may be none, and what hangs under it would be a branch of its own.
    const checked = await inSteps(document.value.checking(), work, 'Counting')
    return checked.ok ? ok(document.value) : checked
  }
}
