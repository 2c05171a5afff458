/**
 * The re-root dialog's own state: the question and its answer, the plan for it, the work and its report.
 * Nothing changes on disk before `apply`. A newer choice always wins over an older one's plan.
 */
import type {
  ChangeReport,
  RerootPlan,
  RerootQuestion,
  RerootSubject,
} from '@shared/ipc/models/change-models'
import type { AppError } from '@shared/ipc/result'
import { createStore } from 'zustand/vanilla'
import type { Client } from '../../api/client'
import { saveDraftsOf } from '../../commands/flows/unsaved-drafts'
import { type Async, LOADING, settled } from '../../stores/async'

export type RerootState = {
  /** What the dialog was opened for. */
  opened: RerootSubject
  /** What is asked about now: the same, or a prefix above it. */
  subject: RerootSubject
  question: Async<RerootQuestion>
  /** Folders that were chosen by hand, newest first. */
  chosen: readonly string[]
  to: string | null
  /** Null until a folder is chosen. */
  plan: Async<RerootPlan> | null
  includeMaybe: boolean
  work: { done: number; total: number; text: string } | null
  error: AppError | null
  report: ChangeReport | null
  ask(subject: RerootSubject): Promise<void>
  choose(to: string): Promise<void>
  chooseFolder(): Promise<void>
  setIncludeMaybe(include: boolean): void
  apply(): Promise<void>
  cancel(): void
}

/** A suggestion is taken as the answer at first only when it is proved and the only one of its kind. */
export function provedCandidate(question: RerootQuestion): string | null {
  const proved = question.candidates.filter(candidate => candidate.evidence === 'same-folder')
  if (proved.length > 0) return proved.length === 1 ? (proved[0]?.path ?? null) : null
  const likely = question.candidates.filter(candidate => candidate.evidence === 'same-repository')
  return likely.length === 1 ? (likely[0]?.path ?? null) : null
}

/** `given`: a folder that is known before anything is asked, and previewed at once. */
export function createRerootStore(client: Client, subject: RerootSubject, given: string | null = null) {
  let questions = 0
  let plans = 0
  let abort: AbortController | null = null
  return createStore<RerootState>()((set, get) => {
    /** Chooses a folder that may not be among the suggestions: it is listed with them. */
    const take = async (path: string) => {
      const { question, chosen } = get()
      const known =
        question.state === 'ready' && question.value.candidates.some(candidate => candidate.path === path)
      if (!known) set({ chosen: [path, ...chosen.filter(other => other !== path)] })
      await get().choose(path)
    }
    return {
      opened: subject,
      subject,
      question: LOADING,
      chosen: [],
      to: null,
      plan: null,
      includeMaybe: false,
      work: null,
      error: null,
      report: null,
      async ask(next) {
        const mine = ++questions
        plans++
        set({ subject: next, question: LOADING, to: null, plan: null, error: null, includeMaybe: false })
        const question = await client.call('reroot.question', next)
        if (mine !== questions) return
        set({ question: settled(question) })
        if (!question.ok) return
        if (given !== null && next === subject) return await take(given)
        const proved = provedCandidate(question.value)
        if (proved !== null) await get().choose(proved)
      },
      async choose(to) {
        const mine = ++plans
        set({ to, plan: LOADING, error: null, includeMaybe: false })
        const { subject } = get()
        // What is typed goes with them; which sessions are in a folder is not known here.
        const saved = await saveDraftsOf(client, subject.kind === 'sessions' ? subject.sessions : null)
        if (mine !== plans) return
        if (!saved.ok) return set({ plan: { state: 'error', error: saved.error } })
        const plan = await client.call('reroot.plan', { subject, to })
        if (mine === plans) set({ plan: settled(plan) })
      },
      async chooseFolder() {
        const { question } = get()
        const near = question.state === 'ready' ? question.value.from : null
        const folder = await client.call('reroot.chooseFolder', { near })
        if (!folder.ok) return set({ error: folder.error })
        if (folder.value.path !== null) await take(folder.value.path)
      },
      setIncludeMaybe: includeMaybe => set({ includeMaybe }),
      async apply() {
        const { plan, includeMaybe, work } = get()
        if (plan?.state !== 'ready' || work) return
        abort = new AbortController()
        set({ work: { done: 0, total: plan.value.sessions, text: '' }, error: null })
        const result = await client.call(
          'reroot.apply',
          { planId: plan.value.planId, includeMaybeInUse: includeMaybe },
          {
            signal: abort.signal,
            onProgress: ({ done, total, text }) => set({ work: { done, total, text } }),
          },
        )
        set({ work: null })
        if (result.ok) set({ report: result.value })
        else set({ error: result.error })
      },
      cancel: () => abort?.abort(),
    }
  })
}

export type RerootStore = ReturnType<typeof createRerootStore>
