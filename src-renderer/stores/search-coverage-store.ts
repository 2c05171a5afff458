/** How much of the library the search index covers. */
import type { SearchCoverage } from '@shared/ipc/models/search-models'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Client } from '../api/client'
import { perClient } from './per-client'

export type CoverageState = {
  /** Null: not known yet. */
  coverage: SearchCoverage | null
  /** Asks once; from then on it is told. Whoever shows it asks: what was told before anybody listened is lost. */
  load(): Promise<void>
}

function createCoverageStore(client: Client): StoreApi<CoverageState> {
  let asked = false
  const store = createStore<CoverageState>()((set, get) => ({
    coverage: null,
    async load() {
      if (asked) return
      asked = true
      const answer = await client.call('search.coverage', {})
      // What was told meanwhile is newer.
      if (answer.ok && get().coverage === null) set({ coverage: answer.value })
    },
  }))
  client.on('search.coverage', coverage => store.setState({ coverage }))
  return store
}

export const coverageStoreOf = perClient(createCoverageStore)
