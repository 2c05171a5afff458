import type { ChangeReport, RerootPlan } from '@shared/ipc/models/change-models'
import { err, ok, type Result } from '@shared/ipc/result'
import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { createPlanPart, goingCount, type PlanPart } from './plan-part'

const plan = (planId: string): RerootPlan => ({
  planId,
  from: null,
  to: '/x',
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

function parted(apply: () => Result<ChangeReport>) {
  const given: unknown[] = []
  let renewed = 0
  let renew: ReturnType<typeof createPlanPart>['renew'] = async () => undefined
  const store = createStore<PlanPart>()((set, get) => {
    const made = createPlanPart(set, get, {
      apply: async input => {
        given.push(input)
        return apply()
      },
      again: () => renew(async () => ok(plan(`again ${++renewed}`))),
    })
    renew = made.renew
    return made.part
  })
  return { store, given, renew: (make: Parameters<typeof renew>[0]) => renew(make) }
}

describe('the plan of a dialog', () => {
  it('is that of the newest choice, and none where nothing is chosen, whichever answer comes last', async () => {
    const { store, renew } = parted(() => ok(report))
    let answer = () => {}
    const first = renew(() => new Promise(resolve => (answer = () => resolve(ok(plan('first'))))))
    await renew(async () => ok(plan('second')))
    answer()
    await first
    expect(store.getState().plan).toMatchObject({ state: 'ready', value: { planId: 'second' } })
    const third = renew(() => new Promise(resolve => (answer = () => resolve(ok(plan('third'))))))
    await renew(null)
    answer()
    await third
    expect(store.getState().plan).toBeNull()
  })

  it('asks again about those that may be in use for each plan', async () => {
    const { store, given, renew } = parted(() => ok(report))
    await renew(async () => ok(plan('one')))
    store.getState().setIncludeMaybe(true)
    await renew(async () => ok(plan('two')))
    await store.getState().apply()
    expect(given).toEqual([{ planId: 'two', includeMaybeInUse: false }])
    expect(store.getState()).toMatchObject({ report, work: null })
  })

  it('is used once: after a failure there is a new one, and what went wrong', async () => {
    const { store, renew } = parted(() => err('no-space', 'full'))
    await store.getState().apply()
    await renew(async () => ok(plan('one')))
    await store.getState().apply()
    expect(store.getState()).toMatchObject({
      plan: { state: 'ready', value: { planId: 'again 1' } },
      error: { code: 'no-space' },
      report: null,
    })
  })

  it('does not count those that may be in use until the user says so', () => {
    const asked = { ...plan('x'), maybe: [{ ref: 'a', title: 'A', text: 'omp runs there' }] }
    expect(goingCount(asked, false)).toBe(1)
    expect(goingCount(asked, true)).toBe(2)
  })
})
