/**
 * The journal of a branched session: one path of a session as a journal of its own.
 * Rule: docs/format.md, Branched session.
 *
 * Guarantees
 *   Every entry of the path but the labels, in the order of the path, as the bytes that the source has; changed is only
 *   what must be: the parent of an entry whose parent is not there, references to a label that is not there, entries of
 *   versions 1 and 2 that version 3 writes differently, the id of an entry that another of the path has too.
 *   The chain from root to leaf is whole, also where labels stood on it. Labels whose entry is there follow, new, as a
 *   chain behind the leaf.
 *
 * Pure apart from reading the source. The memory of the longest entry, and some numbers for each.
 */
import { limits } from '@shared/limits'
import { entryHead } from '@shared/session/entry'
import { stringOrNull } from '@shared/session/json'
import { NO_PARENT } from '@shared/session/session-entry-index'
import { type ByteSource, readRange } from '../storage/byte-source'
import { EngineError } from '../storage/errors'
import type { NewHead } from './journal-copy'
import { type Edit, recordOf, splice } from './json-splice'
import type { SessionDocument } from './session-document'

export type BranchedEntry = {
  /** In the source. */
  ordinal: number
  /** In the branched session. */
  id: string | null
  parentId: string | null
}

export type BranchedPlan = {
  entries: BranchedEntry[]
  /** Of a label on the path that is left out: what stands for it. By the label's id. */
  removed: Map<string, Removed>
  labels: { id: string; parentId: string | null; targetId: string; label: string }[]
}

/** The entries next to a removed label on the path, where there are any. */
type Removed = { before: string | null; after: string | null }

/** What becomes of the path to the entry `leaf`. `freshId` makes an id that is not taken. */
export function planBranchedJournal(
  document: SessionDocument,
  leaf: number,
  freshId: (isTaken: (id: string) => boolean) => string,
): BranchedPlan {
  const path = document.index.path(leaf)
  const kept = path.filter(ordinal => !isLabel(document, ordinal))
  const taken = new Set<string>()
  for (const ordinal of path) taken.add(document.index.id(ordinal) ?? '')
  const fresh = (): string => {
    const id = freshId(candidate => taken.has(candidate))
    taken.add(id)
    return id
  }
  const entries = chained(document, kept, fresh)
  const ids = new Set(entries.map(({ id }) => id))
  const labels: BranchedPlan['labels'] = []
  let parentId = entries[entries.length - 1]?.id ?? null
  for (const [targetId, label] of document.facts.labels) {
    if (!ids.has(targetId)) continue
    const id = fresh()
    labels.push({ id, parentId, targetId, label })
    parentId = id
  }
  return { entries, removed: removedLabels(document, path, entries), labels }
}

function isLabel(document: SessionDocument, ordinal: number): boolean {
  return document.columns.kind(ordinal) === 'label'
}

/** Each entry below the one before it. Of two entries with one id the later keeps it: it is the one that is meant. */
function chained(document: SessionDocument, kept: readonly number[], fresh: () => string): BranchedEntry[] {
  const { index } = document
  const last = new Map(kept.map((ordinal, at) => [index.id(ordinal), at]))
  const entries: BranchedEntry[] = []
  for (const [at, ordinal] of kept.entries()) {
    const own = index.id(ordinal)
    const id = own === null || last.get(own) === at ? own : fresh()
    const above = entries[at - 1]
    // A root that names a parent which is nowhere keeps the name: that something is missing there is worth knowing.
    const root = index.parent(ordinal) === NO_PARENT ? index.parentId(ordinal) : null
    entries.push({ ordinal, id, parentId: above === undefined ? root : above.id })
  }
  return entries
}

function removedLabels(
  document: SessionDocument,
  path: readonly number[],
  entries: readonly BranchedEntry[],
): Map<string, Removed> {
  const removed = new Map<string, Removed>()
  const keptIds = new Set(entries.map(({ id }) => id))
  let next = 0
  for (const ordinal of path) {
    if (entries[next]?.ordinal === ordinal) {
      next++
      continue
    }
    const id = document.index.id(ordinal)
    if (id !== null && !keptIds.has(id))
      removed.set(id, { before: entries[next - 1]?.id ?? null, after: entries[next]?.id ?? null })
  }
  return removed
}

/**
 * The chunks of the branched session's journal. `timestamp` is that of the new labels. `isAsRead`: the source is known to
 * be what was read; otherwise every entry is looked at. Throws `changed-on-disk` when one is not what was read of it, and
 * what reading throws.
 */
export function* branchedJournal(
  document: SessionDocument,
  source: ByteSource,
  plan: BranchedPlan,
  head: NewHead,
  timestamp: string,
  isAsRead: boolean,
): Generator<Uint8Array> {
  yield* batched(journalLines(document, source, plan, head, timestamp, isAsRead))
}

function* journalLines(
  document: SessionDocument,
  source: ByteSource,
  plan: BranchedPlan,
  head: NewHead,
  timestamp: string,
  isAsRead: boolean,
): Generator<Uint8Array> {
  if (head.slot !== null) yield Buffer.from(head.slot, 'utf8')
  yield head.header
  yield LINE_FEED
  for (const entry of plan.entries) {
    yield entryLine(document, source, entry, plan.removed, isAsRead)
    yield LINE_FEED
  }
  for (const { id, parentId, targetId, label } of plan.labels)
    yield Buffer.from(
      `${JSON.stringify({ type: 'label', id, parentId, timestamp, targetId, label })}\n`,
      'utf8',
    )
}

const LINE_FEED = Buffer.from('\n')

function entryLine(
  document: SessionDocument,
  source: ByteSource,
  entry: BranchedEntry,
  removed: ReadonlyMap<string, Removed>,
  isAsRead: boolean,
): Uint8Array {
  const { index } = document
  const { ordinal } = entry
  const { offset, length } = index.place(ordinal)
  const written = readRange(source, offset, offset + length)
  const isOld = (document.version ?? limits.sessionVersion) < limits.sessionVersion
  const isCompaction = document.columns.kind(ordinal) === 'compaction'
  const edits: Edit[] = []
  if (index.id(ordinal) !== entry.id) edits.push({ key: 'id', value: entry.id })
  if (index.parentId(ordinal) !== entry.parentId) edits.push({ key: 'parentId', value: entry.parentId })
  if (isAsRead && !isOld && !isCompaction && edits.length === 0) return written
  const record = recordOf(written)
  if (record === null || (!isOld && entryHead(record).id !== index.id(ordinal)))
    throw new EngineError(
      'changed-on-disk',
      `${document.path} changed while it was read; try again.`,
      document.path,
    )
  const current = isOld ? document.migrated(record, ordinal) : record
  if (isCompaction) edits.push(...referenceEdits(current, removed))
  const line =
    JSON.stringify(current) === JSON.stringify(record) ? written : Buffer.from(JSON.stringify(current))
  return splice(line, edits) ?? line
}

/** What a compaction says about a label that is not there is said about the entry beside it. */
function referenceEdits(
  record: Readonly<Record<string, unknown>>,
  removed: ReadonlyMap<string, Removed>,
): Edit[] {
  const edits: Edit[] = []
  const after = removed.get(stringOrNull(record.firstKeptEntryId) ?? '')?.after
  if (after !== undefined && after !== null) edits.push({ key: 'firstKeptEntryId', value: after })
  const before = removed.get(stringOrNull(record.providerReplayThroughEntryId) ?? '')?.before
  if (before !== undefined && before !== null)
    edits.push({ key: 'providerReplayThroughEntryId', value: before })
  return edits
}

/** Bytes handed on at once: an entry for itself would cost a call of the system each. */
const BATCH_BYTES = 1 << 20

function* batched(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let bytes = 0
  for (const part of parts) {
    waiting.push(part)
    bytes += part.length
    if (bytes < BATCH_BYTES) continue
    yield Buffer.concat(waiting)
    waiting = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(waiting)
}
