/**
 * The session list: one query, and the rows of its answer from the first on, without holes. More rows
 * are fetched when they come into view (`loadTo`) or are needed (`loadAll`). A newer query always wins:
 * answers to older ones are dropped. Rows on screen stay until the new ones are there.
 *
 * What is picked stays what it is: a row that is no longer among those that are shown may only stand elsewhere. It is looked for, and
 * only where it is gone the cursor moves on. A row that a filter hides stays picked.
 */
import type { SessionRow, SessionScope, SessionSort } from '@shared/ipc/models/library-models'
import type { AppError } from '@shared/ipc/result'
import { createStore } from 'zustand/vanilla'
import type { Client } from '../api/client'
import { coalesce } from './coalesce'
import { NO_SELECTION, pickedAmong, prune, pruneShown, type Selection } from './selection'

export type ListPhase = 'loading' | 'refreshing' | 'ready' | 'error'

export type ListState = {
  scope: SessionScope
  sort: SessionSort
  reverse: boolean
  filter: string
  /** The query whose rows are shown differs in `refreshing`. */
  phase: ListPhase
  error: AppError | null
  rows: readonly SessionRow[]
  total: number
  selection: Selection
  setScope(scope: SessionScope): void
  setSort(sort: SessionSort, reverse: boolean): void
  setFilter(filter: string): void
  setSelection(selection: Selection): void
  refresh(): Promise<void>
  /** Makes sure that rows up to `index` are there, or all there are. */
  loadTo(index: number): Promise<void>
  loadAll(): Promise<void>
}

type Query = Pick<ListState, 'scope' | 'sort' | 'reverse' | 'filter'>

export type ListStore = ReturnType<typeof createListStore>

const FIRST_PAGE = 200
const PAGE = 500
/** As many as the contract takes in one call. */
const MOST_SOUGHT = 10_000
/** Typing is answered after this pause (ms), so that a word costs one query. */
const TYPING_PAUSE = 90

export function createListStore(client: Client) {
  let generation = 0
  let abort = new AbortController()
  let typing: ReturnType<typeof setTimeout> | undefined
  let wanted = 0
  /** Rows up to the last one that the list shows. */
  let seen = 0
  /** The query whose rows are shown: while a word is typed, the state names the next one. */
  let shown: Query | null = null
  let turn = Promise.resolve()

  const store = createStore<ListState>()((set, get) => {
    const asked = (): Query => {
      const { scope, sort, reverse, filter } = get()
      return { scope, sort, reverse, filter }
    }
    const fetchPage = (
      query: Query,
      offset: number,
      limit: number,
      signal: AbortSignal,
      find: readonly string[] = [],
    ) => {
      const asked = { ...query, offset, limit }
      return client.call('library.sessions', find.length === 0 ? asked : { ...asked, find: [...find] }, {
        signal,
      })
    }

    /** One fetch of a query after the other: what they make of the rows would get mixed. A newer query waits for none. */
    const inTurn = (task: () => Promise<void>): Promise<void> => {
      const mine = generation
      turn = turn.then(() => (mine === generation ? task() : undefined))
      return turn
    }

    /**
     * Fetches rows from the first on until there are as many as are needed by then and those that were picked among the rows are there
     * again, and shows them in one step. Where one of those is not among the first, main is asked how far down they stand: that of a
     * session that is gone costs one call and not the whole list.
     */
    async function load(needed: () => number): Promise<void> {
      const mine = generation
      const { signal } = abort
      const query = asked()
      // Where another filter is asked for, what is no longer there is hidden, not gone.
      const before = () => (query.filter === shown?.filter ? get().rows.map(row => row.ref) : [])
      const rows: SessionRow[] = []
      const known = new Set<string>()
      const sought = new Set<string>()
      let total = 0
      let through = 0
      let missing: readonly string[] = []
      do {
        for (const ref of missing) sought.add(ref)
        const size = rows.length === 0 ? FIRST_PAGE : PAGE
        const page = await fetchPage(query, rows.length, size, signal, missing)
        if (mine !== generation) return
        if (!page.ok) {
          set({ phase: 'error', error: page.error })
          return
        }
        total = page.value.total
        through = Math.max(through, page.value.through ?? 0)
        // Rows that moved down from the page before meanwhile came with it.
        const fresh = page.value.rows.filter(({ ref }) => !known.has(ref))
        if (fresh.length === 0) break
        for (const { ref } of fresh) known.add(ref)
        rows.push(...fresh)
        missing = missingOf(get().selection, before(), rows)
          .filter(ref => !sought.has(ref))
          .slice(0, MOST_SOUGHT)
      } while (rows.length < total && (rows.length < Math.max(needed(), through) || missing.length > 0))
      const after = rows.map(row => row.ref)
      const isAll = query.filter === '' && rows.length >= total
      const selection = (isAll ? prune : pruneShown)(get().selection, before(), after)
      shown = query
      set({ rows, total: Math.max(total, rows.length), phase: 'ready', error: null, selection })
    }

    /** In one step: the way to the end of ten thousand rows is drawn once. */
    async function extend(): Promise<void> {
      const mine = generation
      const rows = [...get().rows]
      const known = new Set(rows.map(row => row.ref))
      let { total } = get()
      const query = shown ?? asked()
      while (rows.length < Math.min(wanted, total)) {
        const page = await fetchPage(query, rows.length, PAGE, abort.signal)
        if (mine !== generation) return
        if (!page.ok) break
        // Rows that moved down from the page before meanwhile came with it.
        const fresh = page.value.rows.filter(row => !known.has(row.ref))
        if (fresh.length === 0) break
        for (const row of fresh) known.add(row.ref)
        rows.push(...fresh)
        total = Math.max(page.value.total, rows.length)
      }
      wanted = 0
      if (rows.length > get().rows.length) set({ rows, total })
    }
    const extended = coalesce(() => inTurn(extend))

    /** As many rows as are in view, and to the cursor: what is further down is fetched again when it comes into view. */
    const inUse = () => {
      const { rows, selection } = get()
      const cursor = rows.findIndex(row => row.ref === selection.cursor) + 1
      return Math.min(rows.length, Math.max(seen, cursor))
    }
    const requery = () => {
      clearTimeout(typing)
      generation++
      abort.abort()
      abort = new AbortController()
      turn = load(() => 0)
    }
    const restart = (change: Partial<ListState>) => {
      wanted = 0
      seen = 0
      set({ ...change, phase: 'loading', error: null, rows: [], total: 0, selection: NO_SELECTION })
      requery()
    }

    return {
      scope: { kind: 'all' },
      sort: 'activity',
      reverse: false,
      filter: '',
      phase: 'loading',
      error: null,
      rows: [],
      total: 0,
      selection: NO_SELECTION,
      setScope: scope => restart({ scope }),
      setSort: (sort, reverse) => {
        set({ sort, reverse, phase: get().phase === 'ready' ? 'refreshing' : 'loading' })
        requery()
      },
      setFilter: filter => {
        set({ filter, phase: get().phase === 'ready' ? 'refreshing' : get().phase })
        clearTimeout(typing)
        // No filter is no word that goes on; whoever takes it away goes to a row at once.
        if (filter === '') requery()
        else typing = setTimeout(requery, TYPING_PAUSE)
      },
      setSelection: selection => set({ selection }),
      refresh: coalesce(() => inTurn(() => load(inUse))),
      loadTo: async index => {
        seen = index + 1
        wanted = Math.max(wanted, index + 1)
        if (get().rows.length < Math.min(wanted, get().total)) await extended()
      },
      loadAll: async () => {
        wanted = get().total
        // Whoever asks for all goes to where they are; until the list shows that, they stay.
        seen = wanted
        await extended()
      },
    }
  })

  client.on('library.changed', () => void store.getState().refresh())
  return store
}

/** The sessions that are picked, in the order of the rows: of those that the list shows, since what is done to them is done to no other. */
export function pickedInList({ rows, selection }: Pick<ListState, 'rows' | 'selection'>): string[] {
  return pickedAmong(
    selection,
    rows.map(row => row.ref),
  )
}

/** The session of the cursor; none where the list does not show it. */
export function cursorInList({ rows, selection }: Pick<ListState, 'rows' | 'selection'>): string | null {
  return rows.some(row => row.ref === selection.cursor) ? selection.cursor : null
}

/** Rows that are picked, stood among those before and are not among these. A cursor alone is not followed: it means no session. */
function missingOf({ picked }: Selection, before: readonly string[], rows: readonly SessionRow[]): string[] {
  const there = new Set(rows.map(row => row.ref))
  return before.filter(ref => picked.has(ref) && !there.has(ref))
}
