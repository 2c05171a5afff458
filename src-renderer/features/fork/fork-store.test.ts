import type { ForkPreview } from '@shared/ipc/models/manage-models'
import { err, ok } from '@shared/ipc/result'
import { describe, expect, it } from 'vitest'
import { createFakeClient } from '../../stores/fake-client'
import { artifactWeight, createForkStore } from './fork-store'

const bare: ForkPreview = { entries: 9, messages: 4, artifactFiles: 0, bytes: 1000, deadLinks: 3, notes: [] }
const full: ForkPreview = { ...bare, artifactFiles: 7, bytes: 5000, deadLinks: 0 }
const report = { changeId: 'c1', done: 1, asked: 1, files: 8, bytes: 5000, staying: [], notes: [] }
const done = { report, session: 'new', resume: { command: 'omp --resume x', note: null } }

describe('forking', () => {
  it('says what the fork holds with and without the artifacts', async () => {
    const client = createFakeClient({
      'session.forkPreview': ({ withArtifacts }) => ok(withArtifacts ? full : bare),
    })
    const store = createForkStore(client, 's', 'e4')
    await store.getState().look()
    expect(store.getState().previews).toEqual({ state: 'ready', value: { full, bare } })
    expect(artifactWeight({ full, bare })).toEqual({ files: 7, bytes: 4000 })
    expect(artifactWeight({ full: { ...full, bytes: null }, bare })?.bytes).toBeNull()
  })

  it('is offered without the artifacts, with the reason, where they cannot be copied', async () => {
    const client = createFakeClient({
      'session.forkPreview': ({ withArtifacts }) =>
        withArtifacts ? err('not-found', 'The folder is not there. Fork without artifacts.') : ok(bare),
    })
    const store = createForkStore(client, 's', null)
    await store.getState().look()
    const { previews, withArtifacts } = store.getState()
    expect(withArtifacts).toBe(false)
    expect(previews).toMatchObject({ state: 'ready', value: { full: { code: 'not-found' }, bare } })
    expect(previews.state === 'ready' && artifactWeight(previews.value)).toBeNull()
  })

  it('tells why when it cannot be made either way', async () => {
    const client = createFakeClient({ 'session.forkPreview': () => err('damaged', 'no header') })
    const store = createForkStore(client, 's', null)
    await store.getState().look()
    expect(store.getState().previews).toMatchObject({ state: 'error', error: { code: 'damaged' } })
  })

  it('asks for the fork once, with the choice that was made', async () => {
    const client = createFakeClient({ 'session.fork': () => ok(done) })
    const store = createForkStore(client, 's', null)
    store.getState().setWithArtifacts(false)
    const both = await Promise.all([store.getState().fork(), store.getState().fork()])
    expect(both).toEqual([done, null])
    expect(client.made).toEqual([
      { name: 'session.fork', input: { session: 's', entry: null, withArtifacts: false } },
    ])
    expect(store.getState()).toMatchObject({ done, work: null })
  })

  it('keeps an error, and can be tried again; a cancelled one is no error', async () => {
    const answers = [err('no-space', 'full'), err('cancelled', 'Cancelled.'), ok(done)]
    const client = createFakeClient({ 'session.fork': () => answers.shift() ?? err('internal', 'no more') })
    const store = createForkStore(client, 's', null)
    await store.getState().fork()
    expect(store.getState().error?.code).toBe('no-space')
    await store.getState().fork()
    expect(store.getState().error).toBeNull()
    expect(await store.getState().fork()).toEqual(done)
  })
})
