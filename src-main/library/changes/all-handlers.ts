/** Every kind of change that this program knows to recover and to undo. */
import { draftHandler } from '../drafts/draft-handler'
import { editHandlers } from '../edits/edit-handlers'
import { forkHandler } from '../fork/fork-handler'
import { rerootHandler } from '../reroot/reroot-handler'
import { trashHandlers } from '../trash/trash-handlers'
import type { ChangeHandlers } from './change-handlers'

export const changeHandlers: ChangeHandlers = [
  ...trashHandlers,
  rerootHandler,
  forkHandler,
  draftHandler,
  ...editHandlers,
]
