/** The results as the lines of one list: a line for each session, its hits below it, and what leads to more. */
import type { SearchHit, SessionHits, TouchedBy } from '@shared/ipc/models/search-models'
import type { SearchState } from '../../stores/search-store'

export type ResultItem =
  | { kind: 'session'; key: string; found: SessionHits }
  | { kind: 'hit'; key: string; found: SessionHits; hit: SearchHit }
  /** Hits of a session that are not shown. `most`: no more of them are told. */
  | { kind: 'rest'; key: string; found: SessionHits; hidden: number; most: boolean }
  | { kind: 'touch'; key: string; touch: TouchedBy }
  | { kind: 'more'; key: string }

type Shown = Pick<SearchState, 'sessions' | 'opened' | 'more' | 'touched'>

export function resultItems({ sessions, opened, more, touched }: Shown): ResultItem[] {
  if (touched !== null) {
    return touched.found.map(touch => ({
      kind: 'touch',
      key: `touch/${touch.session}/${touch.path}`,
      touch,
    }))
  }
  const items: ResultItem[] = []
  for (const found of sessions) {
    items.push({ kind: 'session', key: `session/${found.session}`, found })
    // The title is marked in the line of the session.
    for (const hit of found.hits)
      if (hit.role !== 'title') items.push({ kind: 'hit', key: hitKey(found, hit), found, hit })
    const hidden = found.matches - found.hits.length
    if (hidden > 0) {
      const most = opened.has(found.session)
      items.push({ kind: 'rest', key: `rest/${found.session}`, found, hidden, most })
    }
  }
  if (more) items.push({ kind: 'more', key: 'more' })
  return items
}

function hitKey({ session }: SessionHits, hit: SearchHit): string {
  return `hit/${session}/${hit.ordinal ?? ''}/${hit.artifact?.ref ?? ''}/${hit.part}/${hit.at}`
}

/** Height of a line before it is measured, in pixels. */
export function estimateItem(item: ResultItem | undefined): number {
  switch (item?.kind) {
    case 'session':
      return 46
    case 'rest':
    case 'more':
      return 34
    default:
      return 50
  }
}
