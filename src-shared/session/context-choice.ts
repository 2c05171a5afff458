/**
 * Which entries of a path are shown, and in which order. Rule: docs/format.md, Context. A position is a place on the
 * path, from 0 at the root; that of a compaction stands for its summary. Each choice is linear in the path.
 */
import { beginsTurn, isUserRequest } from './context-messages'
import { anthropicSummaryOf, remoteHistoryOf } from './context-payloads'
import { type JsonObject, objectOf } from './json'

const NOWHERE = -1
const ROLLOVER = 'experimental-context-rollover'

type Path = readonly JsonObject[]

export type Choice = {
  /** In the order of showing. */
  positions: number[]
  /** The compaction in force: the last one, unless the context was cleared after it; -1 for none. */
  compaction: number
  /** The first entry that this compaction kept, else the one after it; -1 where that does not matter. */
  retained: number
}

/** For a model: the summary, what the compaction kept and all since; without one, all since the context was cleared. */
export function modelChoice(path: Path): Choice {
  const { compaction, start } = findMarks(path)
  if (compaction === NOWHERE) return sinceCleared(path, start)
  const isRemote = remoteHistoryOf(path[compaction] ?? {}) !== null
  const kept = isRemote ? afterReplayed(path, compaction) : keptFrom(path, compaction)
  const positions = [
    compaction,
    ...carriedRequest(path, compaction, start),
    ...between(path, kept, compaction),
    ...between(path, compaction + 1, path.length),
  ]
  return { positions, compaction, retained: retainedAfter(path, compaction) }
}

/** For a reader: the same, except that what was kept begins with a turn and the summary stands where it was made. */
export function collapsedChoice(path: Path): Choice {
  const { compaction, start } = findMarks(path)
  if (compaction === NOWHERE) return sinceCleared(path, start)
  const kept = turnFrom(path, keptFrom(path, compaction), compaction)
  const positions = [
    ...between(path, kept, compaction),
    compaction,
    ...between(path, compaction + 1, path.length),
  ]
  return { positions, compaction, retained: retainedAfter(path, compaction) }
}

/** For a reader who wants all: every entry in order, all compactions among them. */
export function wholeChoice(path: Path): Choice {
  let compaction = NOWHERE
  const positions: number[] = []
  for (const [at, record] of path.entries()) {
    if (record.type === 'compaction') compaction = at
    if (!isMadeAgain(record, path[at + 1])) positions.push(at)
  }
  return { positions, compaction, retained: NOWHERE }
}

/** The compaction in force, and the first position after the last reset. */
function findMarks(path: Path): { compaction: number; start: number } {
  let compaction = NOWHERE
  let start = 0
  for (const [at, { type }] of path.entries()) {
    if (type === 'compaction') compaction = at
    else if (type === 'reset_boundary') start = at + 1
  }
  return { compaction: compaction < start ? NOWHERE : compaction, start }
}

function sinceCleared(path: Path, start: number): Choice {
  return { positions: between(path, start, path.length), compaction: NOWHERE, retained: NOWHERE }
}

/** Positions from `from` to before `to`; compactions among them say nothing any more. */
function between(path: Path, from: number, to: number): number[] {
  const positions: number[] = []
  for (let at = from; at < to; at++) if (path[at]?.type !== 'compaction') positions.push(at)
  return positions
}

function positionOf(path: Path, id: unknown): number {
  return typeof id === 'string' && id !== '' ? path.findIndex(record => record.id === id) : NOWHERE
}

/** Where the kept part of a compaction begins; the compaction itself when it kept nothing. */
function keptFrom(path: Path, compaction: number): number {
  const record = path[compaction] ?? {}
  if (record.firstKeptEntryId === '' && anthropicSummaryOf(record) !== null)
    return afterReplayed(path, compaction)
  const first = positionOf(path, record.firstKeptEntryId)
  return first === NOWHERE || first > compaction ? compaction : first
}

/** Where the part begins that the provider's own history does not hold; the compaction itself when it holds all. */
function afterReplayed(path: Path, compaction: number): number {
  const last = positionOf(path, path[compaction]?.providerReplayThroughEntryId)
  return last === NOWHERE || last >= compaction ? compaction : last + 1
}

function retainedAfter(path: Path, compaction: number): number {
  const first = keptFrom(path, compaction)
  return first === compaction ? compaction + 1 : first
}

/** A rollover summarizes no request: the newest one since the context was cleared is shown, if it was not kept anyway. */
function carriedRequest(path: Path, compaction: number, start: number): number[] {
  const record = path[compaction] ?? {}
  if (objectOf(record.details).kind !== ROLLOVER) return []
  const firstKept = positionOf(path, record.firstKeptEntryId)
  for (let at = compaction - 1; at >= start; at--)
    if (isUserRequest(path[at] ?? {})) return at < firstKept ? [at] : []
  return []
}

/** The next beginning of a turn; where no turn begins any more, the place itself, which no summary covers. */
function turnFrom(path: Path, from: number, to: number): number {
  for (let at = from; at < to; at++) if (beginsTurn(path[at] ?? {})) return at
  return from
}

/** A compaction that omp made again at once, in a form that works: the two are one. */
function isMadeAgain(record: JsonObject, next: JsonObject | undefined): boolean {
  return (
    record.type === 'compaction' &&
    next?.type === 'compaction' &&
    record.method === 'snapcompact' &&
    next.method === 'snapcompact' &&
    next.parentId === record.id &&
    next.firstKeptEntryId === record.firstKeptEntryId &&
    next.tokensBefore === record.tokensBefore
  )
}
