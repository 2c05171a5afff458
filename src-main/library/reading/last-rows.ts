/**
 * The last rows of a large session, from the end of its file, before anything else of it is read: something to look at while it is
 * opened. What they are numbered by means nothing in the session; forks are not known yet, nor are pictures that stand in the journal.
 *
 * Guarantees: reads the start and the end once, `HEAD_BYTES` and `END_BYTES`, however large the file is, since whoever opens the session
 * waits for it. Where that does not surely tell what the rows of the session are, there are none.
 */
import type { TranscriptRow } from '@shared/ipc/models/transcript-models'
import { ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { openingTip } from '@shared/session/branches'
import type { Environment } from '../../engine/environment'
import { isArchive } from '../../engine/layout/session-paths'
import { SessionDocument } from '../../engine/session/session-document'
import { type ByteSource, readRange } from '../../engine/storage/byte-source'
import { attempt } from '../../engine/storage/errors'
import { MemorySessionStorage } from '../../engine/storage/memory-session-storage'
import { journalStorage } from '../../engine/storage/open-journal'
import { PathView, treeShape } from './path-view'
import { type ImageAddress, INLINE_URL } from './shown-image'
import type { RowContext } from './transcript-rows'

/** Bytes of slot and header, and of the end. */
const HEAD_BYTES = 64 * 1024
const END_BYTES = 512 * 1024
const LF = 0x0a

/** Null: the session is small enough to be read at once, or its end alone does not tell. */
export function lastRows(
  env: Environment,
  journal: string,
  count: number,
  images: ImageAddress,
  subagentRef: RowContext['subagentRef'],
): Result<TranscriptRow[] | null> {
  // Of a packed journal there is no end without the rest.
  if (isArchive(journal)) return ok(null)
  const opened = journalStorage(env, journal).open()
  if (!opened.ok) return opened
  const { source } = opened.value
  const part = attempt('read', journal, () => (source.size <= limits.wholeBytes ? null : endOf(source)))
  source.close()
  if (!part.ok) return part
  return part.value === null ? ok(null) : rowsOf(env, journal, part.value, count, images, subagentRef)
}

/** The lines at the start up to the header, and whole lines from the end; null: none begins there. */
function endOf(source: ByteSource): Uint8Array | null {
  const head = readRange(source, 0, HEAD_BYTES)
  // Slot and header; what follows the header in these bytes is cut off with it.
  const slotEnd = head.indexOf(LF)
  const isSlot = slotEnd === limits.slotBytes - 1
  const headEnd = isSlot ? head.indexOf(LF, slotEnd + 1) : slotEnd
  const end = readRange(source, source.size - END_BYTES, source.size)
  const start = end.indexOf(LF)
  return headEnd === -1 || start === -1
    ? null
    : Buffer.concat([head.subarray(0, headEnd + 1), end.subarray(start + 1)])
}

/** The rows at the end of what `part` holds; null: they are not surely those of the session. */
function rowsOf(
  env: Environment,
  journal: string,
  part: Uint8Array,
  count: number,
  images: ImageAddress,
  subagentRef: RowContext['subagentRef'],
): Result<TranscriptRow[] | null> {
  const document = SessionDocument.open(new MemorySessionStorage(journal, part), env.now)
  if (!document.ok) return document
  const { header, readVersion, index, columns, damaged } = document.value
  // In earlier versions ids come from the entries before; a damaged line may be one that others hang under.
  if (header === null || readVersion !== limits.sessionVersion || damaged.length > 0) return ok(null)
  const tip = openingTip(index, columns)
  // Where nothing was said in the last branch, reading starts at another, which may lie anywhere.
  if (tip === null || tip !== index.leaf) return ok(null)
  const view = PathView.openEnd(document.value, treeShape(document.value), tip, env.now(), count)
  if (!view.ok) return view
  // What belongs to what is cut off: the gap, and results whose calls stand above.
  const plans = view.value.rowPlans
  const cut = plans.findLastIndex(({ kind }) => kind === 'gap' || kind === 'orphan-result')
  const page = view.value.page(Math.max(cut + 1, plans.length - count), count, images, subagentRef)
  if (!page.ok) return page
  const rows = page.value.rows.map(row => ({ ...withoutInline(row), fork: null }))
  return ok(rows.length === 0 ? null : rows)
}

/** Pictures in the journal are addressed by their entries, which are other ones in the session. */
function withoutInline<R extends TranscriptRow>(row: R): R {
  if (!('images' in row)) return row
  const problem = 'Shown once the session is read.'
  const images = row.images.map(image =>
    image.url?.startsWith(INLINE_URL) ? { ...image, url: null, problem } : image,
  )
  return { ...row, images }
}
