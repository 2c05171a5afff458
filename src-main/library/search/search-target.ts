/** Sessions as search knows them: what the catalog says of each, so that no file is looked at to choose among them. */
import type { SearchRole } from '@shared/ipc/models/search-models'
import type { SessionSummary } from '../catalog/session-summary'

export type SearchTarget = {
  file: string
  /** The state of the file when it was listed. */
  fileId: string
  bytes: number
  modified: number
  /** As lists show it. */
  title: string
  cwd: string | null
  created: number | null
  lastActivity: number | null
  model: string | null
  /** Null: nobody counted them yet. */
  tips: number | null
  artifacts: number | null
}

export function searchTarget(summary: SessionSummary, title: string): SearchTarget {
  const { file, fileId, bytes, modified, cwd, created, lastActivity, model } = summary
  const tips = summary.counted ? summary.tips : null
  const artifacts = summary.counted ? summary.artifactCount : null
  return { file, fileId, bytes, modified, title, cwd, created, lastActivity, model, tips, artifacts }
}

/** Newest first: the order in which files are indexed and scanned. */
export function newestFirst(a: SearchTarget, b: SearchTarget): number {
  return (b.lastActivity ?? 0) - (a.lastActivity ?? 0) || (a.file < b.file ? -1 : 1)
}

/** `searchFilters` of the contract, with paths for refs. */
export type TargetFilters = {
  file: string | null
  /** `undefined`: any; null: sessions that name no folder. */
  cwd?: string | null | undefined
  from: number | null
  to: number | null
  model: string | null
  role: SearchRole | null
  hasBranches: boolean | null
  hasArtifacts: boolean | null
  touchedFile: string | null
}

export const NO_FILTERS: TargetFilters = {
  file: null,
  from: null,
  to: null,
  model: null,
  role: null,
  hasBranches: null,
  hasArtifacts: null,
  touchedFile: null,
}

/** Whether a session can hold what is looked for, by what the catalog says of it. What is not counted rules nothing out. */
export function mayHold(target: SearchTarget, filters: TargetFilters): boolean {
  const { file, cwd, from, to, model, hasBranches, hasArtifacts } = filters
  if (file !== null && target.file !== file) return false
  if (cwd !== undefined && target.cwd !== cwd) return false
  if (from !== null && target.lastActivity !== null && target.lastActivity < from) return false
  if (to !== null && target.created !== null && target.created >= to) return false
  if (model !== null && !(target.model ?? '').toLowerCase().includes(model.toLowerCase())) return false
  return fits(target.tips, 1, hasBranches) !== false && fits(target.artifacts, 0, hasArtifacts) !== false
}

/** Whether there are more than `than`, as is wanted; null where that is not known. */
export function fits(count: number | null, than: number, wanted: boolean | null): boolean | null {
  if (wanted === null) return true
  return count === null ? null : count > than === wanted
}

/** As long as it is unknown when an entry was written, it is not left out. */
export function isInTime(time: number | null, { from, to }: Pick<TargetFilters, 'from' | 'to'>): boolean {
  return time === null || ((from === null || time >= from) && (to === null || time < to))
}
