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

export type ReadingPlaces = {
  /** Where it was left in this window. */
  get(session: string, tip: number | null): ReadingPlace | undefined
  /** The same, or where it was left in an earlier one. */
  find(session: string, tip: number | null, signal: AbortSignal): Promise<ReadingPlace | undefined>
  /** `rows`: those of the path, to name the entry that stands there. */
  leave(
    session: string,
    tip: number | null,
    place: ReadingPlace,
    rows: ReadonlyMap<number, TranscriptRow>,
  ): void
  /** The rows of a session are others now. */
  forget(session: string): void
}

export function createReadingPlaces(client: Client): ReadingPlaces {
  const places = new Map<string, ReadingPlace>()
  const asked = new Set<string>()
  let untold: { session: string; tell: () => void; timer: ReturnType<typeof setTimeout> } | null = null
  const keyOf = (session: string, tip: number | null) => `${session}/${tip ?? ''}`

  const tellNow = () => {
    if (untold === null) return
    clearTimeout(untold.timer)
    untold.tell()
    untold = null
  }

  return {
    get: (session, tip) => places.get(keyOf(session, tip)),
    async find(session, tip, signal) {
      const known = places.get(keyOf(session, tip))
      if (known !== undefined || tip !== null || asked.has(session)) return known
      asked.add(session)
      const left = await client.call('session.lastRead', { session }, { signal })
      if (signal.aborted) asked.delete(session)
      if (!left.ok || left.value.place === null) return undefined
      const place = { ...left.value.place, atEnd: false }
      // What was left meanwhile is newer.
      if (!places.has(keyOf(session, tip))) places.set(keyOf(session, tip), place)
      return places.get(keyOf(session, tip))
    },
    leave(session, tip, place, rows) {
      places.set(keyOf(session, tip), place)
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
      for (const key of [...places.keys()]) if (key.startsWith(`${session}/`)) places.delete(key)
      asked.delete(session)
    },
  }
}

/** The entry of a row, and how many rows of that entry stand above it. */
function entryAt(rows: ReadonlyMap<number, TranscriptRow>, { row, offset }: ReadingPlace) {
  const entry = rows.get(row)?.entryId
  if (entry === null || entry === undefined || entry === '' || entry.length > 1000) return undefined
  let below = 0
  while (rows.get(row - below - 1)?.entryId === entry) below++
  return { entry, below, offset }
}
