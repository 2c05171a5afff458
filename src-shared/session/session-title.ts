/** Titles: what a person typed as a title of one line, and a title that its slot had to cut. Pure. */
import { encodeTitleSlot, readTitleSlot, type TitleSlot } from './title-slot'

/** Control characters of both ranges and DEL as blanks, runs of blanks as one, none around it. Rule: docs/format.md, Rename. */
export function cleanTitle(text: string): string {
  return text
    .replace(/\p{Cc}/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
}

/**
 * The title that a slot stands for: its own, or the whole one that the last rename noted (`changedTo`) when the slot holds
 * just as much of it as fits. omp shows the cut one. Rule: docs/format.md, Rename.
 */
export function wholeTitle(slot: TitleSlot, changedTo: string | null): string {
  if (changedTo === null || slot.title === '' || changedTo.length <= slot.title.length) return slot.title
  if (!changedTo.startsWith(slot.title)) return slot.title
  const cut = readTitleSlot(JSON.parse(encodeTitleSlot({ ...slot, title: changedTo })))
  return cut?.title === slot.title ? changedTo : slot.title
}
