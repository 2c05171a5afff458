/**
 * The session that is open: its view, which tip is shown, which tab, and the way back from a subagent to
 * the session it was opened from. Growth on disk refreshes the view by itself.
 */
import { newestTipBelow, toForest } from '@shared/graph/forest'
import type { SessionUse, SessionView } from '@shared/ipc/models/session-models'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Client, Progress } from '../api/client'
import { type Async, LOADING, settled } from './async'
import { coalesce } from './coalesce'

export const SESSION_TABS = ['transcript', 'branches', 'artifacts', 'draft', 'details'] as const
export type SessionTab = (typeof SESSION_TABS)[number]

/** A place to return to. */
export type SessionPlace = { ref: string; title: string; tab: SessionTab; tip: number | null }

export type SessionState = {
  /** Null: no session is open. */
  ref: string | null
  view: Async<SessionView>
  /** How far a large session is read while it is being opened. */
  opening: Progress | null
  /** Tip whose path is shown; null: where reading starts (`view.openTip`). */
  tip: number | null
  tab: SessionTab
  /** Sessions this one was opened from, outermost first. */
  back: readonly SessionPlace[]
  /** Sessions that one came back from, the nearest first. */
  ahead: readonly SessionPlace[]
  /** Which process has the session; null until that is known. */
  use: SessionUse | null
  /** The file is gone from disk; what was loaded stays readable. */
  gone: boolean
  /** Entry that the transcript should bring into view; `nonce` tells two wishes for one entry apart. */
  target: { ordinal: number; nonce: number } | null

  /** A part of the open tab that should be brought into view. */
  part: 'family' | null

  /** Opens a session from the list, perhaps as it was left: forgets the way back. */
  open(ref: string, left?: Pick<SessionPlace, 'tab' | 'tip'>): Promise<void>
  /** Opens a session from inside the open one (subagent, parent, child), with a way back. */
  openFrom(ref: string): Promise<void>
  /** Returns to the session this one was opened from. */
  goBack(): Promise<void>
  /** Goes into the session again that one came back from. */
  goAhead(): Promise<void>
  close(): void
  showTip(tip: number | null): void
  setTab(tab: SessionTab): void
  /** Shows an entry in the transcript, on a path through it when it is not on the shown one. */
  readAt(ordinal: number): Promise<void>
  /** The transcript has taken up `target`. */
  targetShown(): void
  /** Asks for the view again, with the present one on screen; nothing where none is open. */
  refresh(): Promise<void>
  /** Shows the relatives in the details. */
  showFamily(): void
  /** The tab has taken up `part`. */
  partShown(): void
  /** Stops opening a session that takes long. */
  cancelOpening(): void
  /** Loads the view again, after an error. */
  reload(): Promise<void>
}

export type SessionStore = StoreApi<SessionState>

const NOTHING = { view: LOADING, opening: null, tip: null, use: null, gone: false, target: null, part: null }

/** Creates the store; it listens to the client for as long as the window lives. */
export function createSessionStore(client: Client): SessionStore {
  // Answers that belong to an earlier session are dropped by comparing this.
  let visit = 0
  let nonce = 0
  /** Ends the reading of the session that is shown: its opening, then what opening left out. */
  let reading = new AbortController()
  /** Session whose rest is being learnt. */
  let learning: string | null = null
  /** Sessions that main has open for this window. */
  const held = new Set<string>()

  /** A session that was moved is opened under the name that it has there. */
  const follow = ({ row }: SessionView) => {
    const { ref } = store.getState()
    if (ref === null || ref === row.ref) return
    held.delete(ref)
    held.add(row.ref)
    store.setState({ ref: row.ref, gone: false })
    void client.call('session.close', { session: ref })
  }

  /** What opening a large session left out; that it is there is told as a change. */
  const learnRest = ({ row, complete }: SessionView) => {
    if (complete || learning === row.ref) return
    learning = row.ref
    const { signal } = reading
    void client.call('session.complete', { session: row.ref }, { signal }).then(() => {
      if (learning === row.ref) learning = null
    })
  }

  const store = createStore<SessionState>()((set, get) => {
    const enter = async (
      place: Omit<SessionPlace, 'title'>,
      back: readonly SessionPlace[],
      ahead: readonly SessionPlace[] = [],
    ) => {
      const mine = ++visit
      reading.abort()
      reading = new AbortController()
      held.add(place.ref)
      set({ ...NOTHING, ref: place.ref, back, ahead, tab: place.tab, tip: place.tip })
      const result = await client.call(
        'session.open',
        { session: place.ref },
        {
          signal: reading.signal,
          onProgress: opening => {
            if (mine === visit) set({ opening })
          },
        },
      )
      if (mine !== visit) {
        // Its opening may have come after everything else was let go.
        if (get().ref !== place.ref) letGo(place.ref)
        return
      }
      if (result.ok) follow(result.value)
      // Only now, so that main never drops what both visits share.
      letGoOthers()
      // The file may have been rewritten since it was left: the tip of then is not there any more.
      const lost = result.ok && place.tip !== null && place.tip >= result.value.entries
      set({ view: settled(result), opening: null, ...(lost ? { tip: null } : {}) })
      if (result.ok) learnRest(result.value)
      if (result.ok) await learnUse(mine, result.value.row.ref)
    }
    const letGo = (session: string) => {
      held.delete(session)
      void client.call('session.close', { session })
    }
    /** Never the one that is shown: it would not be followed any more. */
    const letGoOthers = () => {
      const { ref } = get()
      for (const session of [...held]) if (session !== ref) letGo(session)
    }
    // After the view, never before it: looking at all processes takes a while.
    const learnUse = async (mine: number, session: string) => {
      const use = await client.call('session.use', { session })
      if (mine === visit && use.ok) set({ use: use.value })
    }
    const here = (): SessionPlace | null => {
      const { ref, view, tab, tip } = get()
      if (ref === null) return null
      return { ref, title: view.state === 'ready' ? view.value.row.title : 'Session', tab, tip }
    }
    return {
      ...NOTHING,
      ref: null,
      tab: 'transcript',
      back: [],
      ahead: [],

      async open(ref, left) {
        const { ref: current, view } = get()
        if (ref === current && view.state !== 'error') {
          if (left) set({ tab: left.tab, tip: left.tip })
        } else await enter({ tab: 'transcript', tip: null, ...left, ref }, [])
      },
      async openFrom(ref) {
        const place = here()
        if (place?.ref === ref) return
        const back = get().back
        // Going to where one came from is going back, not a longer way.
        if (back[back.length - 1]?.ref === ref) return get().goBack()
        await enter({ ref, tab: 'transcript', tip: null }, place ? [...back, place] : [])
      },
      async goBack() {
        const { back } = get()
        const place = back[back.length - 1]
        const left = here()
        if (place) await enter(place, back.slice(0, -1), left ? [left, ...get().ahead] : [])
      },
      async goAhead() {
        const { ahead, back } = get()
        const [place, ...further] = ahead
        const left = here()
        if (place && left) await enter(place, [...back, left], further)
      },
      cancelOpening() {
        if (get().view.state === 'loading') reading.abort()
      },
      close() {
        visit++
        reading.abort()
        set({ ...NOTHING, ref: null, back: [], ahead: [], tab: 'transcript' })
        letGoOthers()
      },
      showTip(tip) {
        set({ tip, target: null })
      },
      setTab(tab) {
        set({ tab })
      },
      async readAt(ordinal) {
        const mine = visit
        const { ref, tip } = get()
        if (ref === null) return
        const { signal } = reading
        const place = await client.call('session.rowOf', { session: ref, tip, ordinal }, { signal })
        if (mine !== visit) return
        if (!place.ok || place.value.row === null) {
          const tree = await client.call('session.tree', { session: ref }, { signal })
          if (mine !== visit) return
          if (tree.ok) set({ tip: newestTipBelow(toForest(tree.value.parents), ordinal) })
        } else {
          // The row is on the path to this tip, which may be another than the one that is shown, or than is known to be.
          const { view } = get()
          const shown = tip ?? (view.state === 'ready' ? view.value.openTip : null)
          if (place.value.tip !== shown) set({ tip: place.value.tip })
        }
        set({ tab: 'transcript', target: { ordinal, nonce: ++nonce } })
      },
      targetShown() {
        set({ target: null })
      },
      refresh: () => refresh(),
      showFamily() {
        set({ tab: 'details', part: 'family' })
      },
      partShown() {
        set({ part: null })
      },
      async reload() {
        const { ref, tab, tip, back, ahead } = get()
        if (ref !== null) await enter({ ref, tab, tip }, back, ahead)
      },
    }
  })

  const refresh = coalesce(async () => {
    const mine = visit
    const { ref, view: old } = store.getState()
    if (ref === null) return
    const result = await client.call('session.open', { session: ref })
    if (mine !== visit) return
    // A view that is there stays readable when a refresh fails.
    if (!result.ok && old.state === 'ready') return
    const { tip } = store.getState()
    const followed = old.state === 'ready' && result.ok && followTip(tip, old.value, result.value)
    store.setState({ view: settled(result), ...(followed ? { tip: result.value.leaf } : {}) })
    if (!result.ok) return
    follow(result.value)
    learnRest(result.value)
  })
  client.on('session.use', event => {
    if (event.session === store.getState().ref) store.setState({ use: event.use })
  })
  client.on('session.changed', event => {
    const { ref, tip } = store.getState()
    if (event.session !== ref) return
    if (event.how === 'gone') {
      store.setState({ gone: true })
      return
    }
    // Ordinals mean other entries after a rewrite: the shown path starts anew.
    if (event.how === 'rewritten') store.setState({ tip: null, target: null, gone: false })
    else if (tip === null) store.setState({ gone: false })
    void refresh()
  })
  return store
}

/** Whether the chosen tip was omp's, has been continued, and so the newer one is meant. */
function followTip(tip: number | null, old: SessionView, now: SessionView): boolean {
  if (tip === null || tip !== old.leaf || now.leaf === old.leaf) return false
  return !now.tips.some(other => other.ordinal === tip)
}
