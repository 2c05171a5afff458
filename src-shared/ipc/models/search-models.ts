/**
 * Search: what the window asks for, and what it is told. Three searches: `search.quick` over what lists show (in memory, for
 * every key that is pressed), `search.text` over all that was said (index, and a scan of the files where there is none yet), and
 * `search.inSession` over the path of the session that is shown. And which sessions changed a file: `files.touched`.
 */
import { z } from 'zod'
import { projectRef, sessionRef, sessionRow } from './library-models'
import { ordinal } from './transcript-models'

/** Start and end (not included) of a match, in UTF-16 units of the text beside it. In order, never overlapping. */
export const matchRange = z.tuple([z.number().int().min(0), z.number().int().min(0)])
export type MatchRange = z.infer<typeof matchRange>

/** One line of text with its matches, fit to be shown as it is. */
export const snippet = z.strictObject({
  text: z.string(),
  ranges: z.array(matchRange),
})
export type Snippet = z.infer<typeof snippet>

/** Whose or what text a hit stands in. `tool`: what a tool was given and what it answered, files, commands. */
export const searchRole = z.enum(['user', 'agent', 'thinking', 'tool', 'summary', 'label', 'title', 'other'])
export type SearchRole = z.infer<typeof searchRole>

export const quickQuery = z.strictObject({
  text: z.string().max(500),
  /** Only sessions of this project; null: of all. */
  project: projectRef.nullable(),
  limit: z.number().int().min(1).max(200),
})
export type QuickQuery = z.infer<typeof quickQuery>

/** A session whose title, project or first prompt hold all words. Ranges are those in the texts of `row`. */
export const quickHit = z.strictObject({
  row: sessionRow,
  titleRanges: z.array(matchRange),
  projectRanges: z.array(matchRange),
  promptRanges: z.array(matchRange),
})
export type QuickHit = z.infer<typeof quickHit>

export const quickAnswer = z.strictObject({
  /** Best first. With an empty text: the sessions that were active last. */
  hits: z.array(quickHit),
  /** Hits without the limit. */
  total: z.number(),
  /** Projects whose name or folder holds all words, at most five. */
  projects: z.array(
    z.strictObject({
      ref: projectRef,
      name: z.string(),
      shortCwd: z.string(),
      sessions: z.number(),
      nameRanges: z.array(matchRange),
      cwdRanges: z.array(matchRange),
    }),
  ),
})
export type QuickAnswer = z.infer<typeof quickAnswer>

/**
 * `words`: every word (what stands between blanks) occurs, as the beginning of a word, in any order; case and accents do not
 * matter; a CJK character counts as a word. `exact`: the text as it stands, case and accents included. `regex`: a JavaScript
 * expression with the flag `u`, line by line (`^` and `$` are those of a line); `(?i)` at its start ignores case.
 */
export const searchMode = z.enum(['words', 'exact', 'regex'])
export type SearchMode = z.infer<typeof searchMode>

/** Null: does not matter. */
export const searchFilters = z.strictObject({
  /** Only this session. */
  session: sessionRef.nullable(),
  project: projectRef.nullable(),
  /** Unix ms: entries from this time on, and before that time. */
  from: z.number().nullable(),
  to: z.number().nullable(),
  /** A part of the model's name. */
  model: z.string().max(200).nullable(),
  role: searchRole.nullable(),
  hasBranches: z.boolean().nullable(),
  hasArtifacts: z.boolean().nullable(),
  /** Sessions that changed such a file: whole path, end of a path, or name. */
  touchedFile: z.string().max(4096).nullable(),
})
export type SearchFilters = z.infer<typeof searchFilters>

export const textQuery = z.strictObject({
  /** Chosen by the window, anew for each search: names it in `search.found`. */
  search: z.string().min(1).max(64),
  text: z.string().max(2000),
  mode: searchMode,
  /** Also what tools were given and answered, and artifacts. */
  allText: z.boolean(),
  /** Also the agent's thinking. */
  thinking: z.boolean(),
  filters: searchFilters,
  /** `relevance`: sessions in which more of it, and in better places, was found first; `recent`: the latest activity first. */
  order: z.enum(['relevance', 'recent']),
  /** Sessions that are answered at most. */
  limit: z.number().int().min(1).max(200),
  /** Hits that are answered of each session at most; all are counted. */
  hitsEach: z.number().int().min(1).max(1000),
  /** Sessions that were answered before, for the next page; 0 for the first. */
  offset: z.number().int().min(0).max(100_000),
})
export type TextQuery = z.infer<typeof textQuery>

export const searchHit = z.strictObject({
  /**
   * The entry; null for the title of a session or for an artifact. `session.rowOf` with `tip: null` tells the path and the row on
   * which it is shown: that of the branch which is open, where it is on it, else that of the newest branch beyond it.
   */
  ordinal: ordinal.nullable(),
  entryId: z.string().nullable(),
  /** Name of the artifact in which it stands; null: in the journal. */
  artifact: z.strictObject({ ref: z.string(), name: z.string() }).nullable(),
  role: searchRole,
  time: z.number().nullable(),
  /** Address of the text in its entry, as in `shownText.part`: the block to unfold, and what `session.text` answers whole. */
  part: z.string(),
  /** Place of the first match in that text, in UTF-16 units. */
  at: z.number(),
  snippet,
})
export type SearchHit = z.infer<typeof searchHit>

/** What was found in one session. */
export const sessionHits = z.strictObject({
  session: sessionRef,
  title: snippet,
  project: projectRef,
  projectName: z.string(),
  lastActivity: z.number().nullable(),
  branches: z.number(),
  /** Entries that match, each kind of text by itself, and the title; beyond those in `hits` too. */
  matches: z.number(),
  /** There may be more than `matches`: not all were looked at. */
  atLeast: z.boolean(),
  hits: z.array(searchHit),
})
export type SessionHits = z.infer<typeof sessionHits>

/** What the index covers now. */
export const searchCoverage = z.strictObject({
  /** Sessions whose newest state is in the index, of all that there are. The others are searched by reading their files. */
  indexed: z.number(),
  all: z.number(),
  /** The index is being built or brought up to date. */
  running: z.boolean(),
  /** Why there is no index, in one sentence, or null. Everything is found nevertheless, by reading the files. */
  problem: z.string().nullable(),
})
export type SearchCoverage = z.infer<typeof searchCoverage>

export const textAnswer = z.strictObject({
  /** Sessions from `offset` on, in order. What `search.found` told meanwhile is among them. */
  sessions: z.array(sessionHits),
  /** Sessions with matches; with `atLeast`, as many as were found before the search ended. */
  total: z.number(),
  atLeast: z.boolean(),
  /** There is another page: ask again with a larger `offset`. */
  more: z.boolean(),
  coverage: searchCoverage,
  /** What could not be searched, one sentence each. */
  notes: z.array(z.string()),
})
export type TextAnswer = z.infer<typeof textAnswer>

/** The event `search.found`: what was found so far of a search that runs. */
export const searchFound = z.strictObject({
  search: z.string(),
  /** Sessions not told before, in the order in which they were found. */
  sessions: z.array(sessionHits),
  /** Sessions that were looked through, of those that have to be. */
  done: z.number(),
  total: z.number(),
})
export type SearchFound = z.infer<typeof searchFound>

export const findQuery = z.strictObject({
  session: sessionRef,
  /** As for `session.transcript`. */
  tip: ordinal.nullable(),
  text: z.string().max(1000),
  /** Case and accents matter. */
  exact: z.boolean(),
})
export type FindQuery = z.infer<typeof findQuery>

/** The texts on a path in which something occurs, in the order in which they are read. */
export const findAnswer = z.strictObject({
  revision: z.number(),
  tip: ordinal.nullable(),
  matches: z.array(
    z.strictObject({
      /** The entry in which the text stands: for a tool's output that of its result. */
      ordinal,
      /** As in `shownText.part`: which text of it. */
      part: z.string(),
      /** Row of the path on which it is shown. */
      row: z.number(),
      /** How often it occurs in this text. `findMatcher` of src-shared/search/matcher.ts tells where. */
      count: z.number(),
    }),
  ),
  /** Occurrences in all of `matches`. */
  total: z.number(),
  /** There are more than are told. */
  cut: z.boolean(),
})
export type FindAnswer = z.infer<typeof findAnswer>

export const touch = z.enum(['write', 'edit', 'delete', 'move'])
export type Touch = z.infer<typeof touch>

export const touchedQuery = z.strictObject({
  /** A whole path, the end of one (`src/app.ts`), or a name. */
  path: z.string().min(1).max(4096),
  limit: z.number().int().min(1).max(1000),
})

/** A session that changed a file. */
export const touchedBy = z.strictObject({
  session: sessionRef,
  title: z.string(),
  project: projectRef,
  projectName: z.string(),
  /** Absolute where that can be told, else as the agent wrote it. */
  path: z.string(),
  count: z.number(),
  /** The last change of it in the file of the session. */
  ordinal,
  entryId: z.string().nullable(),
  how: touch,
  time: z.number().nullable(),
})
export type TouchedBy = z.infer<typeof touchedBy>

export const touchedAnswer = z.strictObject({
  /** The latest change first. */
  found: z.array(touchedBy),
  more: z.boolean(),
  coverage: searchCoverage,
})
export type TouchedAnswer = z.infer<typeof touchedAnswer>

/** One file that a session changed, for Details. */
export const touchedFile = z.strictObject({
  path: z.string(),
  count: z.number(),
  /** Ordinals of the entries with the calls, in the order of the file, at most 200. */
  ordinals: z.array(ordinal),
  how: touch,
  time: z.number().nullable(),
})
export type TouchedFile = z.infer<typeof touchedFile>
