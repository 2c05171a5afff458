/** Sessions that are opened by their file. */
import { err } from '@shared/ipc/result'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'

type Calls = 'library.openPath' | 'library.openFile'

export function openHandlers(_deps: HandlerDeps): Pick<Handlers, Calls> {
  const later = () => err('internal', 'This is not there yet.')
  return {
    'library.openPath': later,
    'library.openFile': later,
  }
}
