import { ok } from '@shared/ipc/result'
import { expect, it } from 'vitest'
import { createDraftsStore } from './drafts-store'
import { createFakeClient } from './fake-client'

const settle = () => new Promise(resolve => setTimeout(resolve, 0))

it('lists the drafts when they are shown, and again on changes only while they are', async () => {
  const client = createFakeClient({ 'drafts.list': () => ok({ items: [], bytes: 0 }) })
  const store = createDraftsStore(client)
  const change = async () => {
    client.raise('changes.changed', {})
    await settle()
    return client.made.length
  }
  expect(await change()).toBe(0)
  const end = store.getState().shown()
  await settle()
  expect(client.made).toHaveLength(1)
  expect(await change()).toBe(2)
  end()
  expect(await change()).toBe(2)
  store.getState().shown()
  await settle()
  expect(client.made).toHaveLength(3)
})
