/** Which row and which text a mark means, from the rows as data. */
import type { ShownText, TranscriptRow } from '@shared/ipc/models/transcript-models'
import type { Mark } from '../../../stores/find-store'
import { findInText } from './find-in-text'

/** Texts of a row with the entry that each belongs to. */
export function textsOf(row: TranscriptRow): { ordinal: number; text: ShownText }[] {
  const own = (...texts: (ShownText | null)[]) =>
    texts.flatMap(text => (text === null ? [] : [{ ordinal: row.ordinal, text }]))
  switch (row.kind) {
    case 'prompt':
      return own(row.injected, row.text)
    case 'agent':
    case 'thinking':
      return own(row.text)
    case 'tool':
      return [
        ...own(row.args),
        ...(row.output === null ? [] : [{ ordinal: row.resultOrdinal ?? row.ordinal, text: row.output }]),
      ]
    case 'divider':
    case 'note':
      return own(row.body)
  }
}

/** The text that a mark means, if this row has it. */
export function markedText(row: TranscriptRow, { ordinal, part }: Mark): ShownText | null {
  return textsOf(row).find(one => one.ordinal === ordinal && one.text.part === part)?.text ?? null
}

/** Row on which a mark stands; null as long as that is not known. */
export function rowOfMark(rows: ReadonlyMap<number, TranscriptRow>, mark: Mark): number | null {
  if (mark.row !== null) return mark.row
  let first: number | null = null
  for (const [index, row] of rows) {
    if (markedText(row, mark) !== null) return index
    const isOf =
      row.ordinal === mark.ordinal || ('resultOrdinal' in row && row.resultOrdinal === mark.ordinal)
    if (isOf && (first === null || index < first)) first = index
  }
  if (first === null) return null
  // The text may be that of a later row of the same entry, which is not there yet.
  for (let next = first; ; next++) {
    const row = rows.get(next)
    if (row === undefined) return null
    if (row.ordinal !== mark.ordinal) return first
    if (!rows.has(next + 1)) return first
  }
}

/** Number of the occurrence that is meant among those of a text. */
export function nthOf(mark: Mark, text: string | null): number {
  if ('nth' in mark.place) return mark.place.nth
  const { at } = mark.place
  if (text === null) return 0
  return findInText(text, mark.wanted).filter(([from]) => from < at).length
}

/** Whether the occurrence that is meant may lie beyond what the row shows of a text. */
export function needsWhole(mark: Mark, text: ShownText): boolean {
  if (!text.cut) return false
  if ('at' in mark.place) return mark.place.at >= text.text.length - 1
  return findInText(text.text, mark.wanted).length <= mark.place.nth
}
