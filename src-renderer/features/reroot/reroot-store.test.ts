import type {
  RerootCandidate,
  RerootPlan,
  RerootQuestion,
  RerootSubject,
} from '@shared/ipc/models/change-models'
import { ok } from '@shared/ipc/result'
import { describe, expect, it, vi } from 'vitest'
import { createFakeClient } from '../../stores/fake-client'
import { createRerootStore, provedCandidate } from './reroot-store'

const subject: RerootSubject = { kind: 'project', project: 'p' }
const candidate = (path: string, evidence: RerootCandidate['evidence']) => ({ path, evidence, text: '' })
const question = (...candidates: RerootCandidate[]): RerootQuestion => ({
  title: 'old-app',
  from: '/old',
  state: 'missing',
  stateReason: null,
  sessions: 3,
  projects: 1,
  candidates,
  prefixes: [],
})
const plan = (to: string): RerootPlan => ({
  planId: `plan ${to}`,
  from: '/old',
  to,
  sessions: 3,
  asked: 3,
  projects: 1,
  artifactDirectories: 0,
  bytes: 0,
  breadcrumbs: 0,
  clashes: 0,
  staying: [],
  maybe: [],
  notes: [],
})

describe('re-root', () => {
  it('takes a suggestion by itself only when it is proved and the only one', () => {
    const same = candidate('/new', 'same-folder')
    expect(provedCandidate(question(same, candidate('/x', 'same-name')))).toBe('/new')
    expect(provedCandidate(question(same, candidate('/y', 'same-folder')))).toBeNull()
    expect(provedCandidate(question(candidate('/r', 'same-repository')))).toBe('/r')
    expect(provedCandidate(question(candidate('/x', 'same-name')))).toBeNull()
    expect(provedCandidate(question())).toBeNull()
  })

  it('previews a folder that was dropped at once, before any suggestion, and changes nothing', async () => {
    const client = createFakeClient({
      'reroot.question': () => ok(question(candidate('/new', 'same-folder'))),
      'reroot.plan': ({ to }) => ok(plan(to)),
    })
    const store = createRerootStore(client, subject, '/dropped')
    await store.getState().ask(subject)
    expect(store.getState()).toMatchObject({ to: '/dropped', chosen: ['/dropped'], plan: { state: 'ready' } })
    // Asked about a prefix instead, the folder of one project is not meant.
    await store.getState().ask({ kind: 'prefix', prefix: '/old' })
    expect(store.getState()).toMatchObject({ to: '/new' })
    expect(client.made.map(({ name }) => name)).not.toContain('reroot.apply')
  })

  it('shows the plan of the newest choice, whichever answer comes last', async () => {
    const answers = new Map<string, () => void>()
    const client = createFakeClient({
      'reroot.question': () => ok(question()),
      'reroot.plan': ({ to }) => new Promise(resolve => answers.set(to, () => resolve(ok(plan(to))))),
    })
    const store = createRerootStore(client, subject)
    await store.getState().ask(subject)
    const first = store.getState().choose('/a')
    await vi.waitFor(() => expect(answers.has('/a')).toBe(true))
    const second = store.getState().choose('/b')
    await vi.waitFor(() => expect(answers.has('/b')).toBe(true))
    answers.get('/b')?.()
    answers.get('/a')?.()
    await Promise.all([first, second])
    expect(store.getState().plan).toMatchObject({ state: 'ready', value: { to: '/b' } })
  })

  it('applies nothing without a plan, and the plan that is shown with one', async () => {
    const report = { changeId: 'c', done: 3, asked: 3, files: 3, bytes: 0, staying: [], notes: [] }
    const client = createFakeClient({
      'reroot.question': () => ok(question()),
      'reroot.chooseFolder': () => ok({ path: '/chosen' }),
      'reroot.plan': ({ to }) => ok(plan(to)),
      'reroot.apply': () => ok(report),
    })
    const store = createRerootStore(client, subject)
    await store.getState().ask(subject)
    await store.getState().apply()
    expect(client.made.map(({ name }) => name)).not.toContain('reroot.apply')
    await store.getState().chooseFolder()
    expect(store.getState().chosen).toEqual(['/chosen'])
    await store.getState().apply()
    expect(client.made.at(-1)).toEqual({
      name: 'reroot.apply',
      input: { planId: 'plan /chosen', includeMaybeInUse: false },
    })
    expect(store.getState().report).toEqual(report)
  })
})
