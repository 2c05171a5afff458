/** What the window shows, kept for when it ends by itself. */
import { err } from '@shared/ipc/result'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'

type Calls = 'app.remember' | 'app.lastPlace'

export function placeHandlers(_deps: HandlerDeps): Pick<Handlers, Calls> {
  const later = () => err('internal', 'This is not there yet.')
  return {
    'app.remember': later,
    'app.lastPlace': later,
  }
}
