/**
 * Rows of one path of one session, fetched in pages as the window comes to need them, with what is folded,
 * which row is current, and where reading was left. Independent of which session is open: the view says
 * what to show.
 */
import type { Outline, TranscriptPage, TranscriptRow } from '@shared/ipc/models/transcript-models'
import type { AppError } from '@shared/ipc/result'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Client } from '../api/client'
import { type Async, LOADING } from './async'
import { createReadingPlaces, nameOf, type ReadingPlace, type RowName } from './reading-places'

/** Rows per call: more than a screen, and small enough to arrive at once. */
export const PAGE_ROWS = 60

export type FoldKind = 'thinking' | 'tool'

export type TranscriptState = {
  session: string | null
  /** Tip that was asked for; null: where reading starts. */
  tip: number | null
  /** Tip of the path that is shown. */
  shownTip: number | null
  state: 'idle' | 'loading' | 'ready' | 'error'
  error: AppError | null
  total: number
  /** Rows above the first one are still to come; all rows have other numbers then. */
  earlier: boolean
  /** Row at which what came first stands; null when it is not there as it was. */
  origin: number | null
  /** Rows by index; those not fetched yet are missing. */
  rows: ReadonlyMap<number, TranscriptRow>
  outline: Outline['items']
  /** Whether the prompts are known: of a large session they come last. */
  outlined: boolean
  /** Row that should be brought into view. */
  jump: { row: number; nonce: number } | null
  /** Row of the keyboard, -1 for none. */
  current: number
  /**
   * What arrived at the end since the reader was there: rows, and how many of them begin a message. `more`: there are messages
   * among rows that were not fetched; they are not counted.
   */
  unseen: { rows: number; messages: number; more: boolean }
  /** Counts loads: measured heights of an earlier one mean nothing. */
  serial: number
  /** Folded or unfolded by hand, by row key. */
  folds: ReadonlyMap<string, boolean>
  unfoldAll: Readonly<Record<FoldKind, boolean>>
  /** Whole texts that were asked for, by `textKey`. */
  whole: ReadonlyMap<string, Async<string>>

  /** Shows a path; the same one again does nothing. */
  show(session: string, tip: number | null): void
  /** Fetches the rows `from` to `to` (inclusive) that are missing or stale. */
  need(from: number, to: number): void
  /** The next path keeps this row where it is: the fork whose continuation is switched. */
  keepRow(row: number): void
  jumpTo(row: number): void
  jumpToEntry(ordinal: number): Promise<void>
  setCurrent(row: number): void
  /** The first row is wished for: where rows above are still to come, it is brought into view once it is there. */
  toStart(): void
  setFold(key: string, unfolded: boolean): void
  setAll(kind: FoldKind, unfolded: boolean): void
  /** Fetches the whole of a text that a row shows cut, and keeps it while this session is shown. */
  loadWhole(ordinal: number, part: string): Promise<Async<string>>
  seenEnd(): void
  leave(place: ReadingPlace): void
  place(): ReadingPlace | null
  /** Stops what is being read of the shown path, until it is shown again. */
  stop(): void
  /** Loads the shown path again, in place. */
  reload(): Promise<void>
}

/** Names a text of an entry among the whole texts. */
export function textKey(ordinal: number, part: string): string {
  return `${ordinal}/${part}`
}

export type TranscriptStore = StoreApi<TranscriptState>

const EMPTY = {
  shownTip: null,
  error: null,
  total: 0,
  earlier: false,
  origin: 0,
  rows: new Map<number, TranscriptRow>(),
  outline: [],
  outlined: false,
  jump: null,
  current: -1,
  unseen: { rows: 0, messages: 0, more: false },
}

/** Creates the store; it listens to the client for as long as the window lives. */
export function createTranscriptStore(client: Client): TranscriptStore {
  let visit = 0
  let nonce = 0
  /** The row that the next path of this session keeps, and what stands there while its number counts from the end of the path. */
  let keep: { session: string; row: number; tip: number | null; name: RowName | null } | null = null
  /** The first row was wished for while rows above it were still to come. */
  let startWanted = false
  /** Ends the reading of the path that is shown. */
  let reading = new AbortController()
  /** Pages that are being fetched, and those whose rows may have changed since. */
  let fetching = new Set<number>()
  let stale = new Set<number>()
  const places = createReadingPlaces(client)

  const readPage = (session: string, tip: number | null, from: number | null, count = PAGE_ROWS) => {
    const input = { session, tip, from, count }
    return client.call('session.transcript', input, { signal: reading.signal })
  }
  const readOutline = (session: string, tip: number | null) =>
    client.call('session.outline', { session, tip }, { signal: reading.signal })

  const store = createStore<TranscriptState>()((set, get) => {
    const load = async (session: string, tip: number | null, keeps: typeof keep = null) => {
      const mine = ++visit
      startWanted = false
      reading.abort()
      reading = new AbortController()
      const { signal } = reading
      fetching = new Set()
      stale = new Set()
      const kept =
        keeps === null || keeps.name === null
          ? (keeps?.row ?? null)
          : ((await places.rowOf(session, keeps.tip, keeps.name, signal)) ?? null)
      if (mine !== visit) return
      const place = kept === null ? await places.find(session, tip, signal) : undefined
      if (mine !== visit) return
      const first = kept ?? (place && !place.atEnd ? place.row : null)
      const from = first === null ? null : Math.max(0, first - PAGE_ROWS / 2)
      const result = await readPage(session, tip, from)
      if (mine !== visit) return
      if (!result.ok) {
        set({ state: 'error', error: result.error })
        return
      }
      const page = result.value
      const row = kept === null ? null : Math.min(kept, page.total - 1)
      set({
        state: 'ready',
        shownTip: page.tip,
        total: page.total,
        earlier: page.earlier,
        origin: page.origin,
        rows: withRows(new Map(), page),
        serial: get().serial + 1,
        // A jump that was asked for meanwhile stays.
        ...(row === null || row < 0 ? {} : { jump: { row, nonce: ++nonce }, current: row }),
      })
      void loadOutline(session, tip, mine)
    }

    const fetchPage = async (index: number) => {
      const { session, tip } = get()
      if (session === null) return
      const mine = visit
      const { origin } = get()
      fetching.add(index)
      const again = stale.delete(index)
      const end = (index + 1) * PAGE_ROWS
      // Of large rows fewer come at once than were asked for.
      for (let at = index * PAGE_ROWS; ; ) {
        while (!again && at < end && get().rows.has(at)) at++
        if (at >= Math.min(end, get().total) || get().origin !== origin) break
        const result = await readPage(session, tip, at, end - at)
        if (mine !== visit) return
        if (!result.ok) set({ error: result.error })
        else if (!renumber(result.value)) return
        else set({ rows: withRows(get().rows, result.value), total: result.value.total })
        if (!result.ok || result.value.rows.length === 0) break
        at = result.value.from + result.value.rows.length
      }
      fetching.delete(index)
    }

    return {
      ...EMPTY,
      session: null,
      tip: null,
      serial: 0,
      state: 'idle',
      folds: new Map(),
      unfoldAll: { thinking: false, tool: false },
      whole: new Map(),

      show(session, tip) {
        const before = get()
        if (before.session === session && before.tip === tip && before.state !== 'error') {
          if (reading.signal.aborted) void load(session, tip)
          return
        }
        const keeps = keep?.session === session ? keep : null
        keep = null
        const other = before.session !== session
        set({
          ...EMPTY,
          session,
          tip,
          state: 'loading',
          ...(other
            ? { folds: new Map(), unfoldAll: { thinking: false, tool: false }, whole: new Map() }
            : {}),
        })
        void load(session, tip, keeps)
      },
      need(from, to) {
        const { state, total, rows } = get()
        if (state !== 'ready' || total === 0 || reading.signal.aborted) return
        const last = Math.floor(Math.min(to, total - 1) / PAGE_ROWS)
        for (let page = Math.max(0, Math.floor(from / PAGE_ROWS)); page <= last; page++) {
          if (fetching.has(page)) continue
          if (stale.has(page) || !hasPage(rows, page, total)) void fetchPage(page)
        }
      },
      keepRow(row) {
        const { session, tip, rows, earlier } = get()
        const name = earlier ? nameOf(rows, row) : null
        keep = session === null || (earlier && name === null) ? null : { session, row, tip, name }
      },
      jumpTo(row) {
        const { total } = get()
        if (total > 0) set({ jump: { row: Math.max(0, Math.min(row, total - 1)), nonce: ++nonce } })
      },
      async jumpToEntry(ordinal) {
        const { session, tip } = get()
        if (session === null) return
        const mine = visit
        const result = await client.call(
          'session.rowOf',
          { session, tip, ordinal },
          { signal: reading.signal },
        )
        if (mine !== visit || !result.ok || result.value.row === null) return
        const isWhole = await loadWhole()
        // It may be loaded anew for that, where it does not stay in place.
        if (!isWhole || get().session !== session || get().tip !== tip) return
        set({ jump: { row: result.value.row, nonce: ++nonce }, current: result.value.row })
      },
      setCurrent(row) {
        if (row !== 0) startWanted = false
        if (get().current !== row) set({ current: row })
      },
      toStart() {
        startWanted = get().earlier
      },
      setFold(key, unfolded) {
        set({ folds: new Map(get().folds).set(key, unfolded) })
      },
      setAll(kind, unfolded) {
        // What was chosen by hand gives way: the command means all.
        set({ unfoldAll: { ...get().unfoldAll, [kind]: unfolded }, folds: new Map() })
      },
      async loadWhole(ordinal, part) {
        const key = textKey(ordinal, part)
        const { session, whole } = get()
        const known = whole.get(key)
        if (session === null || known?.state === 'ready') return known ?? LOADING
        const keepText = (text: Async<string>) => {
          if (get().session === session) set({ whole: new Map(get().whole).set(key, text) })
          return text
        }
        keepText(LOADING)
        const result = await client.call('session.text', { session, ordinal, part })
        return keepText(
          result.ok ? { state: 'ready', value: result.value.text } : { state: 'error', error: result.error },
        )
      },
      seenEnd() {
        if (get().unseen.rows !== 0) set({ unseen: { rows: 0, messages: 0, more: false } })
      },
      leave(place) {
        const { session, tip, rows, earlier } = get()
        if (session !== null) places.leave(session, tip, place, rows, earlier)
      },
      place() {
        const { session, tip } = get()
        return session === null ? null : (places.get(session, tip) ?? null)
      },
      stop() {
        visit++
        reading.abort()
      },
      async reload() {
        const { session, tip, state } = get()
        if (session === null) return
        if (state === 'error') set({ state: 'loading', error: null })
        await load(session, tip)
      },
    }
  })

  /**
   * The rows above what came first are there now: all rows get other numbers, and what is on screen stays. False when it cannot stay,
   * so that the path is loaded anew.
   */
  const renumber = (page: TranscriptPage): boolean => {
    const { origin, earlier, rows, total, current, jump, serial, session, tip } = store.getState()
    if (page.origin === origin) {
      if (page.earlier !== earlier) store.setState({ earlier: page.earlier })
      return true
    }
    if (page.origin === null || origin === null) {
      // Numbers from before mean other rows now.
      store.setState({ origin: page.origin, earlier: page.earlier, jump: null, current: -1 })
      void store.getState().reload()
      return false
    }
    const by = page.origin - origin
    const moved = new Map([...rows].map(([at, row]) => [at + by, row]))
    const place = session === null ? undefined : places.get(session, tip)
    if (session !== null && place)
      places.leave(session, tip, { ...place, row: place.row + by }, moved, page.earlier)
    fetching = new Set()
    stale = new Set()
    store.setState({
      origin: page.origin,
      earlier: page.earlier,
      total: total + by,
      rows: moved,
      current: current < 0 ? current : current + by,
      jump: jump && { ...jump, row: jump.row + by },
      serial: serial + 1,
    })
    if (startWanted && !page.earlier) {
      startWanted = false
      store.setState({ jump: { row: 0, nonce: ++nonce }, current: 0 })
    }
    return true
  }

  const loadOutline = async (session: string, tip: number | null, mine: number) => {
    const result = await readOutline(session, tip)
    if (mine !== visit || !result.ok) return
    // The rows above are there by now, and the prompts are numbered with them.
    if (!(await loadWhole()) || mine !== visit) return
    store.setState({ outline: result.value.items, outlined: true })
  }

  /** Where rows above are still to come, those that came since; false where the rows are still numbered without them. */
  const loadWhole = async (): Promise<boolean> => {
    if (store.getState().earlier) await loadNewest()
    return !store.getState().earlier
  }

  const refresh = async () => {
    const { session, tip } = store.getState()
    const mine = visit
    if (session !== null && (await loadNewest())) await loadOutline(session, tip, mine)
  }

  /** The newest rows, among those that are there; false where nothing came of it. */
  const loadNewest = async (): Promise<boolean> => {
    const { session, tip } = store.getState()
    if (session === null) return false
    const mine = visit
    const result = await readPage(session, tip, null)
    if (mine !== visit || !result.ok) return false
    const page = result.value
    if (!renumber(page)) return false
    const { rows, unseen, total: before } = store.getState()
    for (const index of rows.keys()) stale.add(Math.floor(index / PAGE_ROWS))
    for (let at = page.from; at < page.from + page.rows.length; at++) stale.delete(Math.floor(at / PAGE_ROWS))
    // A page that the newest rows only reach into may have changed in its earlier part.
    stale.add(Math.floor(page.from / PAGE_ROWS))
    store.setState({
      rows: withRows(trimmed(rows, page.total), page),
      total: page.total,
      shownTip: page.tip,
      unseen: {
        rows: unseen.rows + Math.max(0, page.total - before),
        messages: unseen.messages + newMessages(page, before),
        more: unseen.more || page.from > before,
      },
    })
    return true
  }

  client.on('session.changed', event => {
    const { session } = store.getState()
    if (event.session !== session) {
      if (event.how !== 'grown') places.forget(event.session)
      return
    }
    if (event.how === 'grown') void refresh()
    else if (event.how === 'rewritten') {
      // Ordinals mean other entries now; the old rows stay on screen until the new ones are there.
      store.setState({ whole: new Map(), folds: new Map() })
      void store.getState().reload()
    }
  })
  return store
}

/** Messages (not rows) among those past `before`: prompts, and first rows of the agent's messages. */
export function newMessages(page: TranscriptPage, before: number): number {
  let count = 0
  page.rows.forEach((row, index) => {
    if (page.from + index < before) return
    if (row.kind === 'prompt' || ('head' in row && row.head)) count++
  })
  return count
}

function withRows(old: ReadonlyMap<number, TranscriptRow>, page: TranscriptPage): Map<number, TranscriptRow> {
  const rows = new Map(old)
  page.rows.forEach((row, index) => {
    rows.set(page.from + index, row)
  })
  return rows
}

function trimmed(old: ReadonlyMap<number, TranscriptRow>, total: number): Map<number, TranscriptRow> {
  const rows = new Map<number, TranscriptRow>()
  for (const [index, row] of old) if (index < total) rows.set(index, row)
  return rows
}

function hasPage(rows: ReadonlyMap<number, TranscriptRow>, page: number, total: number): boolean {
  const end = Math.min(total, (page + 1) * PAGE_ROWS)
  for (let index = page * PAGE_ROWS; index < end; index++) if (!rows.has(index)) return false
  return true
}
