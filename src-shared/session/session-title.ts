/** Titles: what a person typed as a title of one line, and a title that its slot had to cut. Pure. */
import { foldTitle, type SessionHeader } from './header'
import { encodeTitleSlot, readTitleSlot, type TitleSlot, type TitleSource } from './title-slot'

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

/** What the last `title_change` of a file says. */
export type TitleChange = { titleChangedTo: string | null; titleChangedFrom: string | null }

/** The title of a session and who gave it, from all that its file says of it. */
export function sessionTitle(
  slot: TitleSlot | null,
  header: SessionHeader | null,
  change: TitleChange,
): { title: string | null; source: TitleSource | null } {
  return foldTitle(slot === null ? null : { ...slot, title: titleOfSlot(slot, header, change) }, header)
}

/**
 * Whole in the last change; where that one never reached the slot, in what it says was before; where a program wrote the
 * file anew, in the header.
 */
function titleOfSlot(slot: TitleSlot, header: SessionHeader | null, change: TitleChange): string {
  const { titleChangedTo, titleChangedFrom } = change
  if (titleChangedTo === slot.title) return slot.title
  for (const whole of [titleChangedTo, titleChangedFrom, header?.title ?? null]) {
    const title = wholeTitle(slot, whole)
    if (title !== slot.title) return title
  }
  return slot.title
}
