/** What of an entry matches a query, as it is told. Pure. */
import type { MatchRange, SearchRole, Snippet } from '@shared/ipc/models/search-models'
import { limits } from '@shared/limits'
import type { Matcher } from '@shared/search/matcher'
import { snippetOf } from '@shared/search/snippet'
import { type JsonObject, stringOrNull } from '@shared/session/json'
import { cutAtCharacter } from '@shared/session/text'
import { entryTime } from '../reading/transcript-rows'
import { type EntryText, entryTexts, type TextKind } from './entry-texts'
import { isInTime, type TargetFilters } from './search-target'

export type FoundHit = {
  ordinal: number | null
  entryId: string | null
  /** Name of the artifact in which it stands. */
  artifact: string | null
  role: SearchRole
  time: number | null
  part: string
  at: number
  snippet: Snippet
}

/** What is looked for, and in which texts. */
export type SearchSpec = {
  matcher: Matcher
  kinds: ReadonlySet<TextKind>
  filters: Pick<TargetFilters, 'role' | 'from' | 'to'>
}

/** Matches shown in one snippet. */
const RANGES = 40

/** The kinds of texts of an entry that match, each with its hit: every kind is a text by itself. */
export function entryHits(
  record: JsonObject,
  place: { ordinal: number; id: string | null },
  spec: SearchSpec,
  now: number,
): FoundHit[] {
  const byKind = new Map<TextKind, EntryText[]>()
  for (const text of entryTexts(record)) {
    if (!spec.kinds.has(text.kind) || !isRole(text.role, spec.filters.role)) continue
    const list = byKind.get(text.kind)
    if (list === undefined) byKind.set(text.kind, [text])
    else list.push(text)
  }
  const hits: FoundHit[] = []
  let time: number | null | undefined
  for (const texts of byKind.values()) {
    if (!spec.matcher.matches(texts.map(({ text }) => text))) continue
    time ??= entryTime(record, now).time
    if (!isInTime(time, spec.filters)) continue
    const hit = firstHit(texts, spec.matcher)
    if (hit === null) continue
    const entryId = stringOrNull(record.id) ?? place.id
    hits.push({
      ordinal: place.ordinal,
      entryId: entryId === null ? null : cutAtCharacter(entryId, 1000),
      artifact: null,
      time,
      ...hit,
    })
  }
  return hits
}

function isRole(role: SearchRole, wanted: SearchRole | null): boolean {
  return wanted === null || role === wanted
}

function firstHit(
  texts: readonly EntryText[],
  matcher: Matcher,
): Pick<FoundHit, 'role' | 'part' | 'at' | 'snippet'> | null {
  for (const { part, role, text } of texts) {
    const ranges: MatchRange[] = matcher.ranges(text, RANGES)
    const first = ranges[0]
    if (first !== undefined) return { part, role, at: first[0], snippet: snippetOf(text, ranges) }
  }
  return null
}

/** Whether the title of a session is a hit. */
export function isTitleHit(title: string, { matcher, filters }: SearchSpec): boolean {
  return isRole('title', filters.role) && matcher.matches([title])
}

/** The title of a session as a hit, where it matches. */
export function titleHit(title: string, spec: SearchSpec): FoundHit | null {
  if (!isTitleHit(title, spec)) return null
  const { matcher } = spec
  const ranges = matcher.ranges(title, RANGES)
  const none = { ordinal: null, entryId: null, artifact: null, time: null }
  return {
    ...none,
    role: 'title',
    part: 'title',
    at: ranges[0]?.[0] ?? 0,
    snippet: shownTitle(title, matcher),
  }
}

export function shownTitle(title: string, matcher: Matcher): Snippet {
  return snippetOf(title, matcher.ranges(title, RANGES), limits.firstPromptChars)
}
