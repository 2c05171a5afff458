/** Ends the reading of a session's rows, and of what its tabs show, when it is left or its opening ends without it. */
import {
  artifactsStoreOf,
  detailsStoreOf,
  filesStoreOf,
  treeStoreOf,
} from '../../stores/session-views-stores'
import type { Stores } from '../../stores/stores-context'

/** From now on; the answer ends it. */
export function stopReadingLeft({ client, session, transcript }: Stores): () => void {
  const tabs = [artifactsStoreOf, detailsStoreOf, filesStoreOf, treeStoreOf].map(storeOf => storeOf(client))
  return session.subscribe(({ ref, view }) => {
    for (const store of [transcript, ...tabs]) {
      const { session: read, stop } = store.getState()
      if (read !== null && (ref !== read || view.state === 'error')) stop()
    }
  })
}
