/** What renaming begins with. Pure. */
import type { SessionRow } from '@shared/ipc/models/library-models'

/** Characters of a title, as the contract allows. */
export const TITLE_CHARS = 2000

/** The title to be changed; nothing where the row only says that there is none. */
export function renamedFrom(row: Pick<SessionRow, 'title' | 'titleFrom'>): string {
  return row.titleFrom === 'none' ? '' : row.title
}
