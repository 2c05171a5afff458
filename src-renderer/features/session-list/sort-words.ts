/** Orders of the session list, as the menu names them. */
import type { SessionSort } from '@shared/ipc/models/library-models'

export const SORTS: readonly { sort: SessionSort; text: string; reversed: string }[] = [
  { sort: 'activity', text: 'Last activity', reversed: 'Last activity, oldest first' },
  { sort: 'created', text: 'Created', reversed: 'Created, oldest first' },
  { sort: 'size', text: 'Size', reversed: 'Size, smallest first' },
  { sort: 'messages', text: 'Messages', reversed: 'Messages, fewest first' },
  { sort: 'title', text: 'Title', reversed: 'Title, Z to A' },
]

/** The present order in words. */
export function sortText(sort: SessionSort, reverse: boolean): string {
  const found = SORTS.find(candidate => candidate.sort === sort)
  return found ? (reverse ? found.reversed : found.text) : ''
}
