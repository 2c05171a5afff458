import { ok } from '@shared/ipc/result'
import { expect, test } from 'vitest'
import { createFakeClient } from '../stores/fake-client'
import { coverageStoreOf } from '../stores/search-coverage-store'
import { createStores } from '../stores/stores-context'
import { loadFirstScreen } from './start'

test('the bar at the foot knows of the search index where nothing is told of it', async () => {
  const coverage = { indexed: 7, all: 7, running: false, problem: null }
  const client = createFakeClient({ 'search.coverage': () => ok(coverage) })
  await loadFirstScreen(createStores(client))
  expect(coverageStoreOf(client).getState().coverage).toEqual(coverage)
})
