/** What the window shows, kept for when it ends by itself. */
import { ok } from '@shared/ipc/result'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'

type Calls = 'app.remember' | 'app.lastPlace'

export function placeHandlers({ window }: HandlerDeps): Pick<Handlers, Calls> {
  return {
    'app.remember': ({ place }) => {
      window.rememberShown(place)
      return ok({})
    },
    'app.lastPlace': () => ok(window.takeShown()),
  }
}
