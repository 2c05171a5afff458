/**
 * Drafts that are being edited: what is typed, what of it is on the disk, and why not all of it is.
 *
 * Typing is saved after a pause, one save at a time, each over the version that the last one left. What is typed is
 * kept here until it is on the disk, whichever tab or session is shown. A draft that another program wrote meanwhile
 * is never overwritten without the user's word; one that nobody types in follows the disk.
 */
import type { ChangeReport } from '@shared/ipc/models/change-models'
import type { DraftView } from '@shared/ipc/models/session-models'
import { type AppError, err, ok, type Result } from '@shared/ipc/result'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Client } from '../api/client'
import { type Async, LOADING, readyValue } from './async'
import { perClient } from './per-client'

export type SaveState =
  | { state: 'saved' }
  /** Waits for a pause in typing. */
  | { state: 'typed' }
  | { state: 'saving' }
  | { state: 'failed'; error: AppError }
  /** Another program wrote, or took away (null), the draft. Nothing is saved until the user has chosen. */
  | { state: 'conflict'; theirs: DraftView | null }

export type OpenDraft = {
  /** As last taken from the editor. */
  text: string
  /** Counts the texts that did not come from the editor: it then shows another one. */
  serial: number
  /** What is on the disk as far as is known; null: no draft. */
  disk: DraftView | null
  save: SaveState
  /** Texts that were typed before another one was chosen, oldest first; each is kept until it is forgotten. */
  aside: readonly AsideText[]
}

export type AsideText = { id: number; text: string }

export type DraftState = {
  drafts: ReadonlyMap<string, Async<OpenDraft>>
  /** Session whose editor should take the keyboard when it is there. */
  focus: string | null
  /** The change of the newest round of editing: what Undo takes back. */
  round: string | null
  /** Loads the draft of a session; one that is here already is compared with the disk. */
  show(session: string): Promise<void>
  wantFocus(session: string | null): void
  /** Something was typed; `read` tells the text when it is needed. */
  edit(session: string, read: () => string): void
  /** Saves what is typed now; resolves when it is saved or cannot be. */
  flush(session: string): Promise<void>
  /** The editor goes away: saves, and ends the round of editing. */
  leave(session: string): Promise<void>
  /** Saves all that is typed anywhere, as far as it can be. */
  flushAll(): Promise<void>
  /** What is typed and not on the disk, by session. */
  unsaved(): ReadonlyMap<string, string>
  /** Saves although an omp that nothing ties to a session runs in the folder. */
  saveAnyway(session: string): Promise<void>
  /** Answers to a conflict. */
  keepMine(session: string): Promise<void>
  useTheirs(session: string): void
  /** Takes up a text that was set aside; the present one is set aside for it. */
  putBack(session: string, id: number): Promise<void>
  forgetAside(session: string, id: number): void
  /**
   * Saves what is typed, then discards it, so that Undo brings all of it back. What is typed after that stays.
   * Null: there was nothing on disk. An error says why it was not done.
   */
  discard(session: string): Promise<Result<ChangeReport | null>>
}

export type DraftStore = StoreApi<DraftState>

/** Typing is saved after this pause (ms). */
export const TYPING_PAUSE = 400
/** A file that is touched again and again is not chased for ever. */
const MOST_TRIES = 4

/** Why a draft is not discarded, by what stands in the way. */
const NOT_DISCARDED = {
  typed: 'The draft was not discarded: it is being typed in.',
  saving: 'The draft was not discarded: it is being saved.',
  conflict: 'The draft was not discarded: omp changed it too. Open it and choose one of the two texts first.',
}

/** How a save ended; `other`: the disk held another version, which is taken up. */
type Outcome = 'saved' | 'other' | 'stop'

type Work = {
  timer: ReturnType<typeof setTimeout> | undefined
  /** Tells what is typed and not taken over yet. */
  read: (() => string) | null
  saving: Promise<void> | null
  /** Set while the draft is discarded: a save waits for what the disk then holds. */
  discarding: Promise<unknown> | null
  change: string | null
  includeMaybe: boolean
  /** Counts what was typed: an answer that was asked for before tells nothing of the draft since. */
  edits: number
}

/** Whether all that is typed is on the disk. */
export function isSafe({ save }: OpenDraft): boolean {
  return save.state === 'saved'
}

/** Creates the store; it listens to the client for as long as the window lives. */
export function createDraftStore(client: Client): DraftStore {
  const works = new Map<string, Work>()
  const workOf = (session: string): Work => {
    const known = works.get(session)
    const work = known ?? {
      timer: undefined,
      read: null,
      saving: null,
      discarding: null,
      change: null,
      includeMaybe: false,
      edits: 0,
    }
    works.set(session, work)
    return work
  }

  const store = createStore<DraftState>()((set, get) => {
    const draftOf = (session: string): OpenDraft | null => readyValue(get().drafts.get(session) ?? LOADING)
    const put = (session: string, draft: Async<OpenDraft>) =>
      set({ drafts: new Map(get().drafts).set(session, draft) })
    const patch = (session: string, change: Partial<OpenDraft>) => {
      const draft = draftOf(session)
      if (draft) put(session, { state: 'ready', value: { ...draft, ...change } })
    }
    const takeTyped = (session: string) => {
      const work = workOf(session)
      const text = work.read?.()
      work.read = null
      if (text !== undefined) patch(session, { text })
    }
    const isIdle = (session: string): boolean => {
      const draft = draftOf(session)
      return draft !== null && isSafe(draft) && workOf(session).read === null
    }

    const load = async (session: string) => {
      const { edits } = workOf(session)
      const result = await client.call('session.draft', { session })
      const draft = draftOf(session)
      if (draft === null) {
        if (result.ok) put(session, { state: 'ready', value: fresh(result.value) })
        else put(session, { state: 'error', error: result.error })
      } else if (result.ok && isIdle(session) && edits === workOf(session).edits) {
        const same = result.value?.text === draft.disk?.text
        const serial = same ? draft.serial : draft.serial + 1
        patch(session, { disk: result.value, text: result.value?.text ?? '', serial })
      }
    }

    /** The draft is another than the one that was read: whose is it, and is there anything to choose? */
    const meetOther = async (session: string): Promise<Outcome> => {
      const theirs = await client.call('session.draft', { session })
      takeTyped(session)
      const draft = draftOf(session)
      if (draft === null) return 'stop'
      if (!theirs.ok) {
        patch(session, { save: { state: 'failed', error: theirs.error } })
        return 'stop'
      }
      const text = theirs.value?.text ?? ''
      // Only touched, or the very text that is typed: nothing of anybody's is lost.
      if (text === (draft.disk?.text ?? '') || text === draft.text) {
        patch(session, { disk: theirs.value })
        return 'other'
      }
      patch(session, { save: { state: 'conflict', theirs: theirs.value } })
      return 'stop'
    }

    const saveOnce = async (session: string, draft: OpenDraft): Promise<Outcome> => {
      const work = workOf(session)
      const { text } = draft
      patch(session, { save: { state: 'saving' } })
      const result = await client.call('draft.save', {
        session,
        text,
        version: draft.disk?.version ?? null,
        change: work.change,
        ...(work.includeMaybe ? { includeMaybe: true } : {}),
      })
      if (result.ok) {
        const { version, modified, bytes, alreadySent, change } = result.value
        if (change !== null && change !== work.change) set({ round: change })
        work.change = change
        const disk = version === null ? null : { text, bytes, modified, alreadySent, version }
        patch(session, { disk })
        return 'saved'
      }
      if (result.error.code === 'changed-on-disk') return await meetOther(session)
      patch(session, { save: { state: 'failed', error: result.error } })
      return 'stop'
    }

    const saveAll = async (session: string) => {
      let others = 0
      for (;;) {
        const draft = draftOf(session)
        if (draft === null || draft.save.state === 'conflict') return
        if (draft.text === (draft.disk?.text ?? '')) {
          patch(session, { save: { state: workOf(session).read === null ? 'saved' : 'typed' } })
          return
        }
        const outcome = await saveOnce(session, draft)
        if (outcome === 'stop') return
        if (outcome === 'other' && ++others === MOST_TRIES) {
          const message = 'Another program keeps writing the draft.'
          patch(session, { save: { state: 'failed', error: { code: 'changed-on-disk', message } } })
          return
        }
      }
    }

    const flush = async (session: string) => {
      const work = workOf(session)
      clearTimeout(work.timer)
      takeTyped(session)
      while (work.discarding !== null) await work.discarding
      work.saving ??= saveAll(session).finally(() => {
        work.saving = null
      })
      await work.saving
    }

    return {
      drafts: new Map(),
      focus: null,
      round: null,

      async show(session) {
        if (get().drafts.get(session)?.state !== 'ready') put(session, LOADING)
        await load(session)
      },
      wantFocus: focus => set({ focus }),
      edit(session, read) {
        const work = workOf(session)
        work.read = read
        work.edits++
        const draft = draftOf(session)
        if (draft === null || draft.save.state === 'conflict') return
        if (draft.save.state === 'saved') patch(session, { save: { state: 'typed' } })
        clearTimeout(work.timer)
        work.timer = setTimeout(() => void flush(session), TYPING_PAUSE)
      },
      flush,
      async leave(session) {
        await flush(session)
        const work = workOf(session)
        work.change = null
        work.includeMaybe = false
      },
      async flushAll() {
        await Promise.all([...get().drafts.keys()].map(flush))
      },
      unsaved() {
        const texts = new Map<string, string>()
        for (const session of get().drafts.keys()) {
          const draft = draftOf(session)
          if (draft && !isSafe(draft)) texts.set(session, workOf(session).read?.() ?? draft.text)
        }
        return texts
      },
      async saveAnyway(session) {
        workOf(session).includeMaybe = true
        await flush(session)
      },
      async keepMine(session) {
        takeTyped(session)
        const draft = draftOf(session)
        if (draft?.save.state !== 'conflict') return
        patch(session, { disk: draft.save.theirs, save: { state: 'typed' } })
        await flush(session)
      },
      useTheirs(session) {
        takeTyped(session)
        const draft = draftOf(session)
        if (draft?.save.state !== 'conflict') return
        const { theirs } = draft.save
        patch(session, {
          text: theirs?.text ?? '',
          serial: draft.serial + 1,
          disk: theirs,
          save: { state: 'saved' },
          aside: withAside(draft.aside, draft.text),
        })
      },
      async putBack(session, id) {
        takeTyped(session)
        const draft = draftOf(session)
        const wanted = draft?.aside.find(one => one.id === id)
        if (draft === null || wanted === undefined) return
        const { serial, save, text } = draft
        const aside = withAside(without(draft.aside, id), text)
        // A conflict stays one: the other program's text is still on the disk.
        const next: SaveState = save.state === 'conflict' ? save : { state: 'typed' }
        workOf(session).edits++
        patch(session, { text: wanted.text, aside, serial: serial + 1, save: next })
        await flush(session)
      },
      forgetAside(session, id) {
        const draft = draftOf(session)
        if (draft) patch(session, { aside: without(draft.aside, id) })
      },
      async discard(session) {
        for (let tries = 0; tries < MOST_TRIES; tries++) {
          await flush(session)
          // Typed while the save was on its way.
          if (draftOf(session)?.save.state !== 'typed') break
        }
        const known = get().drafts.get(session)
        if (known?.state === 'error') return { ok: false, error: known.error }
        const draft = draftOf(session)
        if (draft === null) return ok(null)
        const { save, disk } = draft
        if (save.state === 'failed') return { ok: false, error: save.error }
        if (save.state !== 'saved') return err('changed-on-disk', NOT_DISCARDED[save.state])
        if (disk === null) return ok(null)
        const work = workOf(session)
        const { edits, includeMaybe } = work
        const wish = { session, version: disk.version, ...(includeMaybe ? { includeMaybe } : {}) }
        const discard = async () => {
          const result = await client.call('draft.discard', wish)
          work.change = null
          if (!result.ok || result.value.done === 0) await load(session)
          // What was typed meanwhile is a new draft.
          else if (edits !== work.edits) patch(session, { disk: null, save: { state: 'typed' } })
          else patch(session, { text: '', disk: null, serial: draft.serial + 1, save: { state: 'saved' } })
          return result
        }
        const discarding = discard().finally(() => {
          work.discarding = null
        })
        work.discarding = discarding
        return await discarding
      },
    }
  })

  /** Compares drafts that nobody types in with the disk. */
  const follow = (session: string) => {
    const draft = readyValue(store.getState().drafts.get(session) ?? LOADING)
    if (draft && isSafe(draft)) void store.getState().show(session)
  }
  client.on('draft.changed', ({ session, version }) => {
    const draft = readyValue(store.getState().drafts.get(session) ?? LOADING)
    if (draft && version !== (draft.disk?.version ?? null)) follow(session)
  })
  // The last prompt may be another one now; an undo may have written drafts.
  client.on('session.changed', ({ session, how }) => {
    if (how !== 'gone') follow(session)
  })
  client.on('session.use', ({ session, use }) => {
    // The user's word was about who had it until now.
    workOf(session).includeMaybe = false
    const draft = readyValue(store.getState().drafts.get(session) ?? LOADING)
    const wasInUse = draft?.save.state === 'failed' && draft.save.error.code === 'in-use'
    if (use.state === 'free' && wasInUse) void store.getState().flush(session)
  })
  client.on('changes.changed', () => {
    for (const session of store.getState().drafts.keys()) follow(session)
  })
  return store
}

/** The texts that are set aside with one more; nothing, and what is there already, is not kept again. */
function withAside(aside: readonly AsideText[], text: string): readonly AsideText[] {
  if (text === '' || aside.some(one => one.text === text)) return aside
  return [...aside, { id: (aside.at(-1)?.id ?? 0) + 1, text }]
}

function without(aside: readonly AsideText[], id: number): readonly AsideText[] {
  return aside.filter(one => one.id !== id)
}

function fresh(disk: DraftView | null): OpenDraft {
  return { text: disk?.text ?? '', serial: 0, disk, save: { state: 'saved' }, aside: [] }
}

export const draftStoreOf = perClient(createDraftStore)
