/** Calls that search the library. */
import { err, ok } from '@shared/ipc/result'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'

type Calls =
  | 'search.quick'
  | 'search.text'
  | 'search.coverage'
  | 'search.inSession'
  | 'files.touched'
  | 'files.ofSession'

export function searchHandlers({ search, library, worker }: HandlerDeps): Pick<Handlers, Calls> {
  return {
    'search.quick': query => ok(search.quick(query)),
    'search.text': (query, context) => search.text(query, context),
    'search.coverage': () => search.coverage(),
    'search.inSession': ({ session, tip, text, exact }, { signal }) => {
      const place = library.place(session)
      if (place === undefined) return err('not-found', 'That session is not in the library (any more).')
      return worker.run('findInSession', { journal: place.file, tip, text, exact }, { signal })
    },
    'files.touched': ({ path, limit }, { signal, progress }) =>
      search.touched(path, limit, { signal, onProgress: progress }),
    'files.ofSession': ({ session }, { signal }) => search.filesOf(session, { signal }),
  }
}
