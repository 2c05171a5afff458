/** Which drafts are shown, and what is said of each. Pure. */
import type { DraftItem } from '@shared/ipc/models/manage-models'
import { countOf } from '../../ui/format'

/** Drafts in which every word stands: in the text's beginning, the session's title, or the project. */
export function filterDrafts(items: readonly DraftItem[], filter: string): DraftItem[] {
  const words = filter.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...items]
  return items.filter(item => {
    const text = `${item.preview} ${item.title} ${item.projectName} ${item.shortCwd}`.toLocaleLowerCase()
    return words.every(word => text.includes(word))
  })
}

/** `12 lines, 640 characters`. */
export function draftSize(item: DraftItem): string {
  return `${countOf(item.lines, 'line')}, ${countOf(item.chars, 'character')}`
}

/** Title of a draft's session; of one that is gone, that it is. */
export function draftTitle(item: DraftItem): string {
  return item.title === '' ? 'Session that is gone' : item.title
}

/** Whether Grove can discard it: one whose session is gone, or that may not be written, is only shown. */
export function canDiscard(item: DraftItem): boolean {
  return item.session !== null && !item.readOnly && item.problem === null
}
