/**
 * A part of a path as text to be copied: which rows it has, read some at a time, so that a session of any size costs
 * little memory and the worker stays free for others in between.
 */
import type { CopySpan } from '@shared/ipc/models/manage-models'
import { err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { WorkContext } from '../../engine/environment'
import type { SessionDocument } from '../../engine/session/session-document'
import { type CopiedText, TranscriptCopy } from './copy-text'
import { entryLine } from './entry-preview'
import { type PathView, rowKey } from './path-view'
import type { ImageAddress } from './shown-image'
import type { RowPlan } from './transcript-plan'

export type CopyRequest = { span: CopySpan; as: 'markdown' | 'text'; maxChars: number }

/** Rows read at once, at most. */
const BATCH_ROWS = 200

export async function copyPath(
  document: SessionDocument,
  view: PathView,
  request: CopyRequest,
  images: ImageAddress,
  work: WorkContext,
): Promise<Result<CopiedText>> {
  const { span, as, maxChars } = request
  const plans = plansOf(view, span)
  const copy = new TranscriptCopy({
    as,
    max: maxChars,
    thinking: span.kind === 'entry' || span.kind === 'block',
    headings: span.kind !== 'block',
  })
  if (plans.length === 0 && span.kind === 'entry') return silentEntry(document, span.ordinal, copy)
  if (plans.length === 0 && span.kind !== 'path') return gone(document)
  const { title } = document.title
  if (span.kind === 'path' && title !== null) copy.title(title)
  const { index } = document
  for (let at = 0; at < plans.length && !copy.full; ) {
    const end = batchEnd(view, plans, at)
    const rows = view.copyRows(plans.slice(at, end), images)
    if (!rows.ok) return rows
    for (const row of rows.value) copy.add(row)
    at = end
    work.progress(at, plans.length, '')
    await work.breathe()
    // Read anew meanwhile: the plans name other entries now.
    if (document.index !== index) return gone(document)
  }
  if (span.kind === 'path') remarkDamage(document, copy)
  return ok(copy.end())
}

function gone(document: SessionDocument): Result<never> {
  return err('changed-on-disk', `${document.path} changed meanwhile. Copy it again.`, document.path)
}

/** The rows of a span, in order. */
function plansOf(view: PathView, span: CopySpan): readonly RowPlan[] {
  const plans = view.rowPlans
  switch (span.kind) {
    case 'path':
      return plans
    case 'block':
      return plans.filter(plan => rowKey(plan) === span.key)
    case 'entry': {
      const own = plans.filter(plan => plan.ordinal === span.ordinal && plan.kind !== 'gap')
      // A result has no row of its own: it stands with its call.
      return own.length > 0 ? own : plans.filter(plan => plan.results.includes(span.ordinal))
    }
    case 'turn':
      return turnAround(plans, view.rowOf(span.ordinal))
    default:
      return span satisfies never
  }
}

/** From the prompt at or before a row to the row before the next prompt. */
function turnAround(plans: readonly RowPlan[], row: number | null): readonly RowPlan[] {
  if (row === null) return []
  let start = row
  while (start > 0 && plans[start]?.kind !== 'prompt') start--
  let end = row + 1
  while (end < plans.length && plans[end]?.kind !== 'prompt') end++
  return plans.slice(start, end)
}

function batchEnd(view: PathView, plans: readonly RowPlan[], from: number): number {
  let bytes = 0
  for (let at = from; at < plans.length; at++) {
    const plan = plans[at]
    bytes += plan === undefined ? 0 : view.rowBytes(plan)
    if (at > from && (bytes > limits.copyBatchBytes || at - from >= BATCH_ROWS)) return at
  }
  return plans.length
}

/** An entry that is no part of what was said (a label, say): its line. */
function silentEntry(document: SessionDocument, ordinal: number, copy: TranscriptCopy): Result<CopiedText> {
  const record = document.entry(ordinal)
  if (!record.ok) return record
  const { who, text } = entryLine(record.value)
  copy.remark([who, text].filter(part => part !== '').join(': '))
  return ok(copy.end())
}

function remarkDamage(document: SessionDocument, copy: TranscriptCopy): void {
  const count = document.damaged.length
  if (count === 0) return
  copy.remark(`${count} ${count === 1 ? 'line' : 'lines'} of the file could not be read and are not here.`)
}
