/** Moving sessions to another folder or agent directory. */
import { err } from '@shared/ipc/result'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'

type Calls = 'move.plan' | 'move.apply'

export function moveHandlers(_deps: HandlerDeps): Pick<Handlers, Calls> {
  const later = () => err('internal', 'This is not there yet.')
  return {
    'move.plan': later,
    'move.apply': later,
  }
}
