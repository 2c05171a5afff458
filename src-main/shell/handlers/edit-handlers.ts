/** Everyday changes of sessions: title, labels, stars, forks, the branch that goes on. */
import { err } from '@shared/ipc/result'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'

type Calls =
  | 'session.rename'
  | 'session.label'
  | 'session.star'
  | 'session.continueBranch'
  | 'session.forkPreview'
  | 'session.fork'

export function editHandlers(_deps: HandlerDeps): Pick<Handlers, Calls> {
  const later = () => err('internal', 'This is not there yet.')
  return {
    'session.rename': later,
    'session.label': later,
    'session.star': later,
    'session.continueBranch': later,
    'session.forkPreview': later,
    'session.fork': later,
  }
}
