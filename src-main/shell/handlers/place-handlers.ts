/** What the window shows, kept for when it ends by itself, and where reading was left, for the next start. */
import { ok } from '@shared/ipc/result'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'

type Calls = 'app.remember' | 'app.lastPlace' | 'session.lastRead' | 'session.lastRows' | 'session.leave'

export function placeHandlers({ window, library, places, worker }: HandlerDeps): Pick<Handlers, Calls> {
  return {
    'app.remember': ({ place }) => {
      window.rememberShown(place)
      return ok({})
    },
    'app.lastPlace': () => ok(window.takeShown()),

    'session.lastRead': async ({ session }, { signal }) => {
      const place = library.place(session)
      const left = place === undefined ? null : places.of(place)
      if (place === undefined || left === null) return ok({ place: null })
      const row = await worker.run('rowOfEntry', { journal: place.file, entry: left.entry }, { signal })
      // An entry that is not there any more, or on another branch now: reading begins at the newest end.
      if (!row.ok && row.error.code === 'cancelled') return row
      if (!row.ok || row.value === null) return ok({ place: null })
      return ok({ place: { row: row.value + left.below, offset: left.offset } })
    },
    'session.lastRows': ({ session, count }) => {
      const place = library.place(session)
      // Where reading was left elsewhere, the end is not what will be shown.
      if (place === undefined || places.of(place) !== null) return ok(null)
      // Nothing in them can be opened, so that nothing need be named.
      return worker.run('lastRows', { ...library.imagePlace(session, place), count, subagents: {} })
    },
    'session.leave': ({ session, place: left }) => {
      const place = library.place(session)
      if (place !== undefined) places.leave(place, left)
      return ok({})
    },
  }
}
