/** The data of the tabs beside the transcript. */
import { perClient } from './per-client'
import { createSessionDataStore } from './session-data-store'

export const artifactsStoreOf = perClient(client =>
  createSessionDataStore(client, (session, signal) =>
    client.call('session.artifacts', { session }, { signal }),
  ),
)

export const detailsStoreOf = perClient(client =>
  createSessionDataStore(client, (session, signal) =>
    client.call('session.details', { session }, { signal }),
  ),
)

export const filesStoreOf = perClient(client =>
  createSessionDataStore(client, (session, signal) =>
    client.call('files.ofSession', { session }, { signal }),
  ),
)

export const treeStoreOf = perClient(client =>
  createSessionDataStore(client, (session, signal) => client.call('session.tree', { session }, { signal })),
)

/** A new fork is in the library before anything of this session's own file changes. */
export const familyStoreOf = perClient(client => {
  const store = createSessionDataStore(client, session => client.call('session.family', { session }))
  client.on('library.changed', () => {
    if (store.getState().session !== null) store.getState().reload()
  })
  return store
})
