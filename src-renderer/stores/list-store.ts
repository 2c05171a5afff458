/**
 * The session list: one query, and the rows of its answer from the first on, without holes. More rows
 * are fetched when they come into view (`loadTo`) or are needed (`loadAll`). A newer query always wins:
 * answers to older ones are dropped. Rows on screen stay until the new ones are there.
 */
import type { SessionRow, SessionScope, SessionSort } from '@shared/ipc/models/library-models'
import type { AppError } from '@shared/ipc/result'
import { createStore } from 'zustand/vanilla'
import type { Client } from '../api/client'
import { coalesce } from './coalesce'
import { NO_SELECTION, prune, type Selection } from './selection'

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

export type ListStore = ReturnType<typeof createListStore>

const FIRST_PAGE = 200
const PAGE = 500
/** Typing is answered after this pause (ms), so that a word costs one query. */
const TYPING_PAUSE = 90

export function createListStore(client: Client) {
  let generation = 0
  let abort = new AbortController()
  let typing: ReturnType<typeof setTimeout> | undefined
  let wanted = 0

  const store = createStore<ListState>()((set, get) => {
    const fetchPage = (offset: number, limit: number, signal: AbortSignal) => {
      const { scope, sort, reverse, filter } = get()
      return client.call('library.sessions', { scope, sort, reverse, filter, offset, limit }, { signal })
    }

    /** Fetches `count` rows from the first on, then shows them in one step. */
    async function reload(count: number): Promise<void> {
      const mine = ++generation
      abort.abort()
      abort = new AbortController()
      const { signal } = abort
      const rows: SessionRow[] = []
      let total = 0
      do {
        const page = await fetchPage(rows.length, rows.length === 0 ? FIRST_PAGE : PAGE, signal)
        if (mine !== generation) return
        if (!page.ok) {
          set({ phase: 'error', error: page.error })
          return
        }
        total = page.value.total
        if (page.value.rows.length === 0) break
        rows.push(...page.value.rows)
      } while (rows.length < Math.min(count, total))
      const before = get().rows.map(row => row.ref)
      const after = rows.map(row => row.ref)
      set({
        rows,
        total: Math.max(total, rows.length),
        phase: 'ready',
        error: null,
        selection: prune(get().selection, before, after),
      })
    }

    const extend = coalesce(async () => {
      const mine = generation
      while (get().rows.length < Math.min(wanted, get().total)) {
        const page = await fetchPage(get().rows.length, PAGE, abort.signal)
        if (mine !== generation || !page.ok) return
        // Rows that moved up from the next page meanwhile came with the page before.
        const known = new Set(get().rows.map(row => row.ref))
        const fresh = page.value.rows.filter(row => !known.has(row.ref))
        if (fresh.length === 0) return
        const rows = [...get().rows, ...fresh]
        set({ rows, total: Math.max(page.value.total, rows.length) })
      }
    })

    /** As many rows as hold what is selected: rows that are not fetched would drop out of the selection. */
    const needed = () => (get().selection.picked.size > 1 ? get().rows.length : 0)
    const requery = () => {
      clearTimeout(typing)
      void reload(needed())
    }
    const restart = (change: Partial<ListState>) => {
      wanted = 0
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
        typing = setTimeout(() => void reload(needed()), TYPING_PAUSE)
      },
      setSelection: selection => set({ selection }),
      refresh: coalesce(() => reload(get().rows.length)),
      loadTo: async index => {
        wanted = Math.max(wanted, index + 1)
        if (get().rows.length < Math.min(wanted, get().total)) await extend()
      },
      loadAll: async () => {
        wanted = get().total
        await extend()
      },
    }
  })

  client.on('library.changed', () => void store.getState().refresh())
  return store
}
