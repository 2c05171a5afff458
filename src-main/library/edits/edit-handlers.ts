/** The everyday changes, as recovery and undo know them. */
import type { ChangeHandler } from '../changes/change-handlers'
import { continueHandler } from './continue-branch'
import { labelHandler } from './label-entry'
import { renameHandler } from './rename-session'
import { starHandler } from './star-sessions'

export const editHandlers: readonly ChangeHandler[] = [
  renameHandler,
  labelHandler,
  starHandler,
  continueHandler,
]
