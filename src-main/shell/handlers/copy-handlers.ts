/** Parts of a session as text to be copied. */
import { err } from '@shared/ipc/result'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'

type Calls = 'session.copyText'

export function copyHandlers({ library, worker }: HandlerDeps): Pick<Handlers, Calls> {
  return {
    'session.copyText': ({ session, tip, span, as }, { signal, progress }) => {
      const place = library.place(session)
      if (place === undefined) return err('not-found', 'That session is not in the library (any more).')
      const input = { ...library.imagePlace(session, place), tip, span, as }
      return worker.run('copyText', input, { signal, onProgress: progress })
    },
  }
}
