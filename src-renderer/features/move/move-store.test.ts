import type { RerootPlan } from '@shared/ipc/models/change-models'
import type { ProjectView, RootView } from '@shared/ipc/models/library-models'
import { err, ok } from '@shared/ipc/result'
import { describe, expect, it, vi } from 'vitest'
import { draftStoreOf } from '../../stores/draft-store'
import { createFakeClient } from '../../stores/fake-client'
import { targetFolders, targetRoots } from './move-places'
import { createMoveStore } from './move-store'

const plan = (to: string): RerootPlan => ({
  planId: `plan ${to}`,
  from: null,
  to,
  sessions: 2,
  asked: 2,
  projects: 1,
  artifactDirectories: 0,
  bytes: 0,
  breadcrumbs: 0,
  clashes: 0,
  staying: [],
  maybe: [],
  notes: [],
})
const report = { changeId: 'c', done: 2, asked: 2, files: 2, bytes: 0, staying: [], notes: [] }
const names = (client: ReturnType<typeof createFakeClient>) => client.made.map(({ name }) => name)

describe('moving', () => {
  it('plans nothing until a folder or an agent directory is chosen', async () => {
    const client = createFakeClient({ 'move.plan': ({ to }) => ok(plan(to.folder ?? to.root ?? '')) })
    const store = createMoveStore(client, ['a', 'b'])
    await store.getState().choose({ folder: null })
    await store.getState().apply()
    expect(client.made).toEqual([])
    await store.getState().choose({ root: 'r2' })
    expect(store.getState().plan).toMatchObject({ state: 'ready', value: { to: 'r2' } })
    await store.getState().choose({ folder: '/new' })
    expect(client.made.at(-1)?.input).toEqual({
      sessions: ['a', 'b'],
      to: { folder: '/new', root: 'r2' },
    })
    await store.getState().choose({ folder: null, root: null })
    expect(store.getState().plan).toBeNull()
  })

  it('plans nothing while what is typed in a draft cannot be saved', async () => {
    const client = createFakeClient({
      'session.draft': () => ok(null),
      'draft.save': () => err('no-space', 'full'),
      'move.plan': () => ok(plan('/new')),
    })
    const drafts = draftStoreOf(client).getState()
    await drafts.show('a')
    drafts.edit('a', () => 'typed')
    const store = createMoveStore(client, ['a'])
    await store.getState().choose({ folder: '/new' })
    expect(store.getState().plan).toMatchObject({ state: 'error', error: { code: 'no-space' } })
    await store.getState().apply()
    expect(names(client)).not.toContain('move.plan')
  })

  it('shows the plan of the newest choice, whichever answer comes last', async () => {
    const answers = new Map<string | null, () => void>()
    const client = createFakeClient({
      'move.plan': ({ to }) =>
        new Promise(resolve => answers.set(to.folder, () => resolve(ok(plan(to.folder ?? ''))))),
    })
    const store = createMoveStore(client, ['a'])
    const first = store.getState().choose({ folder: '/a' })
    await vi.waitFor(() => expect(answers.has('/a')).toBe(true))
    const second = store.getState().choose({ folder: '/b' })
    await vi.waitFor(() => expect(answers.has('/b')).toBe(true))
    answers.get('/b')?.()
    answers.get('/a')?.()
    await Promise.all([first, second])
    expect(store.getState().plan).toMatchObject({ value: { to: '/b' } })
  })

  it('applies the plan that is shown, and plans anew when that failed', async () => {
    let broken = true
    const client = createFakeClient({
      'reroot.chooseFolder': () => ok({ path: '/chosen' }),
      'move.plan': ({ to }) => ok(plan(to.folder ?? '')),
      'move.apply': () => (broken ? err('no-space', 'full') : ok(report)),
    })
    const store = createMoveStore(client, ['a'])
    await store.getState().chooseFolder(['/known'])
    expect(store.getState().chosen).toEqual(['/chosen'])
    await store.getState().apply()
    expect(names(client).slice(-2)).toEqual(['move.apply', 'move.plan'])
    expect(store.getState()).toMatchObject({ error: { code: 'no-space' }, plan: { state: 'ready' } })
    broken = false
    await store.getState().apply()
    expect(client.made.at(-1)?.input).toEqual({ planId: 'plan /chosen', includeMaybeInUse: false })
    expect(store.getState().report).toEqual(report)
  })
})

describe('places', () => {
  const project = (cwd: string | null, change: Partial<ProjectView> = {}): ProjectView => ({
    ref: `p${cwd}`,
    name: cwd ?? 'unknown',
    cwd,
    shortCwd: cwd ?? '',
    state: 'present',
    stateReason: null,
    sessions: 1,
    bytes: 1,
    lastActivity: 1,
    pinned: false,
    ...change,
  })
  const root = (ref: string, change: Partial<RootView> = {}): RootView => ({
    ref,
    name: ref,
    agentDir: `/${ref}`,
    kind: 'omp',
    readOnly: false,
    state: 'ok',
    note: null,
    sessions: 0,
    bytes: 0,
    ...change,
  })

  it('are folders that are there, newest first, and agent directories that may be written', () => {
    const projects = [
      project('/old', { lastActivity: 1 }),
      project('/gone', { state: 'missing' }),
      project(null),
      project('/new', { lastActivity: 2 }),
    ]
    expect(targetFolders(projects, '').map(({ cwd }) => cwd)).toEqual(['/new', '/old'])
    expect(targetFolders(projects, 'OLD').map(({ cwd }) => cwd)).toEqual(['/old'])
    const roots = [root('a'), root('pi', { readOnly: true }), root('bad', { state: 'unreadable' })]
    expect(targetRoots([...roots, root('b', { state: 'absent' })]).map(({ ref }) => ref)).toEqual(['a', 'b'])
  })
})
