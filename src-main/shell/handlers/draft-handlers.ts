/** Drafts: edited, discarded, and those of all sessions. */
import { err } from '@shared/ipc/result'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'

type Calls = 'draft.save' | 'draft.discard' | 'drafts.list' | 'drafts.text' | 'drafts.reveal'

export function draftHandlers(_deps: HandlerDeps): Pick<Handlers, Calls> {
  const later = () => err('internal', 'This is not there yet.')
  return {
    'draft.save': later,
    'draft.discard': later,
    'drafts.list': later,
    'drafts.text': later,
    'drafts.reveal': later,
  }
}
