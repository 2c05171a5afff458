import type { TranscriptRow } from '@shared/ipc/models/transcript-models'
import { err, ok, type Result } from '@shared/ipc/result'
import { expect, test } from 'vitest'
import { createFakeClient } from './fake-client'
import { createLastRowsStore } from './last-rows-store'

const row = (key: string): TranscriptRow => {
  const base = { key, ordinal: 0, entryId: null, time: null, rawTime: null, labels: [], fork: null }
  const text = { text: key, cut: false, chars: 1, lines: 1, part: 'text' }
  return { kind: 'prompt', ...base, text, images: [], injected: null, synthetic: false }
}

test('has the last rows of the session that is shown, and never those of one before', async () => {
  const answers = new Map<string, (rows: Result<TranscriptRow[] | null>) => void>()
  const client = createFakeClient({
    'session.lastRows': ({ session }) => new Promise(resolve => answers.set(session, resolve)),
  })
  const store = createLastRowsStore(client)
  const one = store.getState().show('one')
  const two = store.getState().show('two')
  answers.get('two')?.(ok([row('2')]))
  answers.get('one')?.(ok([row('1')]))
  await Promise.all([one, two])
  expect(store.getState().rows.map(({ key }) => key)).toEqual(['2'])
  const three = store.getState().show('three')
  expect(store.getState().rows).toEqual([])
  store.getState().clear()
  answers.get('three')?.(ok([row('3')]))
  await three
  expect(store.getState().rows).toEqual([])
})

test('has none where the end does not tell, and where it cannot be read', async () => {
  for (const answer of [ok(null), err('io', 'no')]) {
    const store = createLastRowsStore(createFakeClient({ 'session.lastRows': () => answer }))
    await store.getState().show('one')
    expect(store.getState().rows).toEqual([])
  }
})
