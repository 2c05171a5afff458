/** Calls that search the library. */
import { err, ok, type Result } from '@shared/ipc/result'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'

type Calls =
  | 'search.quick'
  | 'search.text'
  | 'search.coverage'
  | 'search.inSession'
  | 'files.touched'
  | 'files.ofSession'

export function searchHandlers(_deps: HandlerDeps): Pick<Handlers, Calls> {
  const notYet = (): Result<never> => err('internal', 'This search is not there yet.')
  return {
    'search.quick': notYet,
    'search.text': notYet,
    'search.coverage': () => ok({ indexed: 0, all: 0, running: false, problem: null }),
    'search.inSession': notYet,
    'files.touched': notYet,
    'files.ofSession': notYet,
  }
}
