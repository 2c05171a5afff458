/** A re-root (or its undo) as it lies in the operation journal and among the recent changes. */
import type { Result } from '@shared/ipc/result'
import { isJsonObject } from '@shared/session/json'
import type { ChangeContext } from '../changes/change-handlers'
import { isStringArray, stringOr } from '../changes/json-guards'
import { recordChange, updateChange } from '../changes/recent-changes'
import { amountOf, amountText, sessionsText } from '../changes/words'
import { type BreadcrumbChange, parseBreadcrumbChanges } from './breadcrumb-moves'
import { parseRelocation, type Relocation } from './relocation'

export type RerootOperation = {
  version: 1
  direction: 'apply' | 'undo'
  /** Id of the change that is undone; null when applying. */
  undoOf: string | null
  from: string | null
  to: string
  /** Set when everything below one folder moves with it. */
  prefix: { from: string; to: string } | null
  /** The sessions root that they went to, when it is another than before. */
  root: string | null
  moves: Relocation[]
  breadcrumbDirs: string[]
  /** Breadcrumbs that were changed. */
  breadcrumbs: BreadcrumbChange[]
}

/** An operation read back from one of our files, or null when it is none. */
export function parseOperation(value: unknown): RerootOperation | null {
  if (!isJsonObject(value) || value.version !== 1 || !Array.isArray(value.moves)) return null
  const direction = value.direction === 'apply' || value.direction === 'undo' ? value.direction : null
  const to = stringOr(value.to, null)
  const moves = value.moves.map(parseRelocation)
  if (direction === null || to === null || moves.some(move => move === null)) return null
  return {
    version: 1,
    direction,
    undoOf: stringOr(value.undoOf, null),
    from: stringOr(value.from, null),
    to,
    prefix: parsePrefix(value.prefix),
    root: stringOr(value.root, null),
    moves: moves.filter((move): move is Relocation => move !== null),
    breadcrumbDirs: isStringArray(value.breadcrumbDirs) ? [...value.breadcrumbDirs] : [],
    breadcrumbs: parseBreadcrumbChanges(value.breadcrumbs),
  }
}

function parsePrefix(value: unknown): RerootOperation['prefix'] {
  if (!isJsonObject(value)) return null
  const from = stringOr(value.from, null)
  const to = stringOr(value.to, null)
  return from === null || to === null ? null : { from, to }
}

/**
 * Notes what was done: a re-root among the recent changes, an undo in the change that it undoes. `done.moves` are the
 * sessions that were moved. Recording again does no harm.
 */
export function recordReroot(
  context: ChangeContext,
  id: string,
  done: RerootOperation,
): Promise<Result<void>> {
  const { env, data } = context
  if (done.undoOf !== null) return recordUndo(context, done.undoOf, done)
  const amount = amountOf(done.moves)
  const sessions = sessionsText(done.moves.map(({ title }) => title))
  return recordChange(env, data, {
    id,
    kind: 're-root',
    text: recordText(sessions, done),
    detail: done.from === null ? amountText(amount) : `from ${done.from}; ${amountText(amount)}`,
    time: env.now(),
    state: 'done',
    undo: done,
    whyNot: null,
  })
}

function recordText(sessions: string, { root, to }: RerootOperation): string {
  if (root === null) return `Re-rooted ${sessions} to ${to}`
  // Sessions of several folders keep theirs; what they have in common is where they lie now.
  return `Moved ${sessions} to ${root}, ${to === root ? 'each for its own folder' : `for ${to}`}`
}

async function recordUndo(
  { env, data }: ChangeContext,
  change: string,
  done: RerootOperation,
): Promise<Result<void>> {
  return updateChange(env, data, change, record => {
    const before = parseOperation(record.undo)
    if (before === null) return record
    const remaining = withoutUndone(before, done.moves)
    return remaining === null ? { ...record, state: 'undone' } : { ...record, undo: remaining }
  })
}

/** What is left to undo of a re-root after the moves `undone`; null when nothing is. */
export function withoutUndone(
  operation: RerootOperation,
  undone: readonly Relocation[],
): RerootOperation | null {
  const back = new Set(undone.map(({ from, to }) => `${from}\0${to}`))
  const moves = operation.moves.filter(({ from, to }) => !back.has(`${to}\0${from}`))
  return moves.length === 0 ? null : { ...operation, moves }
}
