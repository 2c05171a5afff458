/**
 * Where reading of each path was left: in this window by row, and for the next start by the entry that stood there, which main
 * keeps. Only the path where reading starts outlives the window.
 */
import type { TranscriptRow } from '@shared/ipc/models/transcript-models'
import type { Client } from '../api/client'

/** The first visible row, how far it was scrolled out, and whether at the end. */
export type ReadingPlace = { row: number; offset: number; atEnd: boolean }

/** Milliseconds for which reading must rest until main is told. */
const TELL_MS = 400

/** A row named by what stands there, for where its number means another row later: the entry, and how many of its rows are above. */
export type RowName = { ordinal: number; below: number }

export type ReadingPlaces = {
  /** Where it was left in this window. */
  get(session: string, tip: number | null): ReadingPlace | undefined
  /** The same, or where it was left in an earlier one. */
  find(session: string, tip: number | null, signal: AbortSignal): Promise<ReadingPlace | undefined>
  /** `rows`: those of the path, to name the entry that stands there. `earlier`: rows above are still to come. */
  leave(
    session: string,
    tip: number | null,
    place: ReadingPlace,
    rows: ReadonlyMap<number, TranscriptRow>,
    earlier: boolean,
  ): void
  /** The number of a row on the whole path to `tip`; null when it is not on it, and undefined when that cannot be told now. */
  rowOf(
    session: string,
    tip: number | null,
    name: RowName,
    signal: AbortSignal,
  ): Promise<number | null | undefined>
  /** The rows of a session are others now. */
  forget(session: string): void
}

export function createReadingPlaces(client: Client): ReadingPlaces {
  const places = new Map<string, ReadingPlace>()
  /** Of places whose row is numbered from the end of a path that was not planned whole: what stands there. */
  const names = new Map<string, RowName | null>()
  const asked = new Set<string>()
  let untold: { session: string; tell: () => void; timer: ReturnType<typeof setTimeout> } | null = null
  const keyOf = (session: string, tip: number | null) => `${session}/${tip ?? ''}`

  const tellNow = () => {
    if (untold === null) return
    clearTimeout(untold.timer)
    untold.tell()
    untold = null
  }

  const rowOf: ReadingPlaces['rowOf'] = async (session, tip, { ordinal, below }, signal) => {
    const found = await client.call('session.rowOf', { session, tip, ordinal }, { signal })
    if (!found.ok) return undefined
    return found.value.row === null ? null : found.value.row + below
  }

  /** A place that was left before the path was planned whole, by the number that its row has there. */
  const numbered = async (session: string, tip: number | null, place: ReadingPlace, signal: AbortSignal) => {
    const key = keyOf(session, tip)
    const name = names.get(key)
    if (name === undefined || place.atEnd) return place
    const row = name === null ? null : await rowOf(session, tip, name, signal)
    // Left again meanwhile, or not at all: the session was left.
    if (places.get(key) !== place || signal.aborted) return undefined
    // It may well stand there: the place is kept for the next time.
    if (row === undefined) return undefined
    names.delete(key)
    places.delete(key)
    if (row !== null) places.set(key, { ...place, row })
    return places.get(key)
  }

  return {
    rowOf,
    get: (session, tip) => places.get(keyOf(session, tip)),
    async find(session, tip, signal) {
      const known = places.get(keyOf(session, tip))
      if (known !== undefined) return numbered(session, tip, known, signal)
      if (tip !== null || asked.has(session)) return undefined
      asked.add(session)
      const left = await client.call('session.lastRead', { session }, { signal })
      if (signal.aborted) asked.delete(session)
      if (!left.ok || left.value.place === null) return undefined
      const place = { ...left.value.place, atEnd: false }
      // What was left meanwhile is newer.
      if (!places.has(keyOf(session, tip))) places.set(keyOf(session, tip), place)
      return places.get(keyOf(session, tip))
    },
    leave(session, tip, place, rows, earlier) {
      places.set(keyOf(session, tip), place)
      if (earlier) names.set(keyOf(session, tip), nameOf(rows, place.row))
      else names.delete(keyOf(session, tip))
      asked.add(session)
      if (tip !== null) return
      if (untold !== null && untold.session !== session) tellNow()
      if (untold !== null) clearTimeout(untold.timer)
      const tell = () => {
        const left = place.atEnd ? null : entryAt(rows, place)
        // A row of no entry that has an id: it cannot be named, and the last that could be stays.
        if (left === undefined) return
        void client.call('session.leave', { session, place: left })
      }
      untold = { session, tell, timer: setTimeout(tellNow, TELL_MS) }
    },
    forget(session) {
      for (const key of [...places.keys()]) {
        if (!key.startsWith(`${session}/`)) continue
        places.delete(key)
        names.delete(key)
      }
      asked.delete(session)
    },
  }
}

/** What stands at a row; null where that was not fetched. */
export function nameOf(rows: ReadonlyMap<number, TranscriptRow>, row: number): RowName | null {
  const ordinal = rows.get(row)?.ordinal
  if (ordinal === undefined) return null
  let below = 0
  while (rows.get(row - below - 1)?.ordinal === ordinal) below++
  return { ordinal, below }
}

/** The entry of a row, and how many rows of that entry stand above it. */
function entryAt(rows: ReadonlyMap<number, TranscriptRow>, { row, offset }: ReadingPlace) {
  const entry = rows.get(row)?.entryId
  if (entry === null || entry === undefined || entry === '' || entry.length > 1000) return undefined
  let below = 0
  while (rows.get(row - below - 1)?.entryId === entry) below++
  return { entry, below, offset }
}
