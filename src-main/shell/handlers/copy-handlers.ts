/** Parts of a session as text to be copied. */
import { err } from '@shared/ipc/result'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'

type Calls = 'session.copyText'

export function copyHandlers(_deps: HandlerDeps): Pick<Handlers, Calls> {
  const later = () => err('internal', 'This is not there yet.')
  return {
    'session.copyText': later,
  }
}
