/** The re-root dialog's own state: the question and its answer, and the plan for it. */
import type { RerootQuestion, RerootSubject } from '@shared/ipc/models/change-models'
import { createStore } from 'zustand/vanilla'
import type { Client } from '../../api/client'
import { saveDraftsOf } from '../../commands/flows/unsaved-drafts'
import { type Async, LOADING, settled } from '../../stores/async'
import { createPlanPart, type PlanPart } from '../../stores/plan-part'

export type RerootState = PlanPart & {
  /** What the dialog was opened for. */
  opened: RerootSubject
  /** What is asked about now: the same, or a prefix above it. */
  subject: RerootSubject
  question: Async<RerootQuestion>
  /** Folders that were chosen by hand, newest first. */
  chosen: readonly string[]
  to: string | null
  ask(subject: RerootSubject): Promise<void>
  choose(to: string): Promise<void>
  chooseFolder(): Promise<void>
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
  return createStore<RerootState>()((set, get) => {
    const { part, renew } = createPlanPart(set, get, {
      apply: (input, options) => client.call('reroot.apply', input, options),
      again: async () => {
        const { to } = get()
        if (to !== null) await get().choose(to)
      },
    })
    /** Chooses a folder that may not be among the suggestions: it is listed with them. */
    const take = async (path: string) => {
      const { question, chosen } = get()
      const known =
        question.state === 'ready' && question.value.candidates.some(candidate => candidate.path === path)
      if (!known) set({ chosen: [path, ...chosen.filter(other => other !== path)] })
      await get().choose(path)
    }
    return {
      ...part,
      opened: subject,
      subject,
      question: LOADING,
      chosen: [],
      to: null,
      async ask(next) {
        const mine = ++questions
        set({ subject: next, question: LOADING, to: null })
        await renew(null)
        const question = await client.call('reroot.question', next)
        if (mine !== questions) return
        set({ question: settled(question) })
        if (!question.ok) return
        if (given !== null && next === subject) return await take(given)
        const proved = provedCandidate(question.value)
        if (proved !== null) await get().choose(proved)
      },
      async choose(to) {
        const { subject } = get()
        set({ to })
        await renew(async signal => {
          // What is typed goes with them; which sessions are in a folder is not known here.
          const saved = await saveDraftsOf(client, subject.kind === 'sessions' ? subject.sessions : null)
          if (!saved.ok) return saved
          return await client.call('reroot.plan', { subject, to }, { signal })
        })
      },
      async chooseFolder() {
        const { question } = get()
        const near = question.state === 'ready' ? question.value.from : null
        const folder = await client.call('reroot.chooseFolder', { near })
        if (!folder.ok) return set({ error: folder.error })
        if (folder.value.path !== null) await take(folder.value.path)
      },
    }
  })
}

export type RerootStore = ReturnType<typeof createRerootStore>
