/**
 * The last rows of a large session, from the end of its file, before anything else of it is read: something to look at while it is
 * opened. What they are numbered by means nothing in the session; forks are not known yet.
 *
 * Guarantees: reads the header and at most `MOST_BYTES` of the end, however large the file is. Where more would be needed to be
 * sure that these are rows of the session, there are none.
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
import type { ImageAddress } from './shown-image'
import type { RowContext } from './transcript-rows'

/** Bytes of slot and header, and of the end: at first, and at most. */
const HEAD_BYTES = 64 * 1024
const END_BYTES = 256 * 1024
const MOST_BYTES = 4 * 1024 * 1024
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
  const read = attempt('read', journal, () => {
    if (source.size <= limits.wholeBytes) return ok(null)
    for (let bytes = END_BYTES; ; bytes *= 4) {
      const part = endOf(source, bytes)
      const rows = part === null ? ok([]) : rowsOf(env, journal, part, count, images, subagentRef)
      if (!rows.ok || rows.value === null || rows.value.length >= count || bytes >= MOST_BYTES) return rows
    }
  })
  source.close()
  const rows = read.ok ? read.value : read
  return rows.ok && rows.value?.length === 0 ? ok(null) : rows
}

/** The lines at the start up to the header, and whole lines from the end; null: none begins there. */
function endOf(source: ByteSource, bytes: number): Uint8Array | null {
  const head = readRange(source, 0, HEAD_BYTES)
  // Slot and header; what follows the header in these bytes is cut off with it.
  const slotEnd = head.indexOf(LF)
  const isSlot = slotEnd === limits.slotBytes - 1
  const headEnd = isSlot ? head.indexOf(LF, slotEnd + 1) : slotEnd
  const end = readRange(source, source.size - bytes, source.size)
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
  if (tip === null) return ok([])
  // Where nothing was said in the last branch, reading starts at another, which may lie anywhere.
  if (tip !== index.leaf) return ok(null)
  const view = PathView.openEnd(document.value, treeShape(document.value), tip, env.now(), count)
  if (!view.ok) return view
  // Of the turn that is cut off, results may be here without their calls.
  const first = view.value.rowPlans.findIndex(({ kind }) => kind === 'prompt')
  if (first === -1) return ok([])
  const page = view.value.page(Math.max(first, view.value.total - count), count, images, subagentRef)
  return page.ok ? ok(page.value.rows.map(row => ({ ...row, fork: null }))) : page
}
