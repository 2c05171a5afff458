/**
 * Titles, projects and first prompts of all sessions, searched for every key that is pressed. Their folded texts are kept, and can be made
 * ahead. Who types on looks only at what was found before. All words must occur. Pure, in memory.
 */
import type { ProjectView, SessionRow } from '@shared/ipc/models/library-models'
import type { MatchRange, QuickAnswer } from '@shared/ipc/models/search-models'
import { foldText, foldWithPlaces } from '@shared/search/fold'
import { queryWords } from '@shared/search/matcher'
import { isWordStart } from '@shared/search/tokens'
import { BestFew } from './best-few'

type Folded = { title: string; project: string; prompt: string }
type Kept = { row: SessionRow; folded: Folded | null }

/** Days in which what is new weighs more. */
const DAY_MS = 86_400_000
const PROJECTS = 5
/** A word that is in most texts: with it, all that a key does is done. */
const WARMING = ['e']

export class QuickSearch {
  private taken: readonly SessionRow[] | null = null
  private kept: Kept[] = []
  private byRef = new Map<string, Kept>()
  /** Of `kept`, those before this one were made ready. */
  private ahead = 0
  private last: { words: readonly string[]; project: string | null; found: Kept[] } | null = null
  /** Rows that were looked at last. */
  looked = 0

  /** The rows as they are now; of those that are as they were, the folded texts are kept. */
  take(rows: readonly SessionRow[]): void {
    if (rows === this.taken) return
    this.taken = rows
    this.kept = rows.map(row => {
      const known = this.byRef.get(row.ref)
      if (known?.row === row) return known
      const kept = { row, folded: sameTexts(known, row) }
      this.byRef.set(row.ref, kept)
      return kept
    })
    if (this.byRef.size > rows.length * 2 + 100)
      this.byRef = new Map(this.kept.map(kept => [kept.row.ref, kept]))
    this.ahead = 0
    this.last = null
  }

  /**
   * Does with some more rows what a key would, so that the first key finds texts folded and code compiled; false when there is none left.
   * Rows whose texts are folded already cost nothing.
   */
  warm(rows: number): boolean {
    const some: Kept[] = []
    for (; some.length < rows && this.ahead < this.kept.length; this.ahead++) {
      const kept = this.kept[this.ahead]
      if (kept?.folded === null) some.push(kept)
    }
    this.looked = some.length
    if (some.length > 0) rank(some, { words: WARMING, project: null, limit: 1 }, 0)
    return this.ahead < this.kept.length
  }

  search(
    { text, project, limit }: { text: string; project: string | null; limit: number },
    projects: readonly ProjectView[],
    now: number,
  ): QuickAnswer {
    const words = queryWords(text)
    const rows = this.rowsFor(words, project)
    this.looked = rows.length
    const { found, hits } = rank(rows, { words, project, limit }, now)
    this.last = { words, project, found }
    return { total: found.length, hits, projects: words.length === 0 ? [] : projectHits(projects, words) }
  }

  /** What was found last, where nothing else can hold these words; else all rows. */
  private rowsFor(words: readonly string[], project: string | null): readonly Kept[] {
    const { last } = this
    const narrows =
      last !== null &&
      (last.project === null || last.project === project) &&
      last.words.every(before => words.some(word => word.includes(before)))
    return narrows ? last.found : this.kept
  }
}

/** Rows that hold all words, and the best of them. */
function rank(
  rows: readonly Kept[],
  { words, project, limit }: { words: readonly string[]; project: string | null; limit: number },
  now: number,
): { found: Kept[]; hits: QuickAnswer['hits'] } {
  const found: Kept[] = []
  const best = new BestFew<SessionRow>(limit, (a, b) => (b.lastActivity ?? 0) - (a.lastActivity ?? 0))
  for (const kept of rows) {
    const { row } = kept
    if (project !== null && row.project !== project) continue
    const score = words.length === 0 ? 0 : scoreOf(foldedOf(kept), words)
    if (score === null) continue
    found.push(kept)
    best.add(row, score + freshness(row, now))
  }
  const hits = best.all().map(row => ({
    row,
    titleRanges: wordRanges(row.title, words),
    projectRanges: wordRanges(row.projectName, words),
    promptRanges: wordRanges(row.firstPrompt, words),
  }))
  return { found, hits }
}

function foldedOf(kept: Kept): Folded {
  const { row } = kept
  kept.folded ??= {
    title: foldText(row.title),
    project: foldText(`${row.projectName} ${row.shortCwd}`),
    prompt: foldText(row.firstPrompt),
  }
  return kept.folded
}

/** Of a row that changed in other ways, what was folded is good still. */
function sameTexts(known: Kept | undefined, row: SessionRow): Folded | null {
  if (known === undefined) return null
  const { title, firstPrompt, projectName, shortCwd } = known.row
  const same =
    title === row.title &&
    firstPrompt === row.firstPrompt &&
    projectName === row.projectName &&
    shortCwd === row.shortCwd
  return same ? known.folded : null
}

/** Points of the best place of each word; null when one is nowhere. */
function scoreOf(folded: Folded, words: readonly string[]): number | null {
  let score = 0
  for (const word of words) {
    const best = bestPlace(folded, word)
    if (best === 0) return null
    score += best
  }
  if (words.length > 1 && folded.title.includes(words.join(' '))) score += 4
  return score / words.length
}

/** Where it can change nothing any more, a text is not looked at. */
function bestPlace({ title, project, prompt }: Folded, word: string): number {
  const inTitle = place(title, word, 8)
  const named = inTitle >= 8 ? inTitle : Math.max(inTitle, place(project, word, 4))
  return named >= 4 ? named : Math.max(named, place(prompt, word, 2))
}

/** The start of a text counts most, twice its weight, then that of a word. */
function place(text: string, word: string, weight: number): number {
  const at = text.indexOf(word)
  if (at === -1) return 0
  if (at === 0) return weight * 2
  for (let next = at; next !== -1; next = text.indexOf(word, next + 1))
    if (isWordStart(text, next)) return weight * 1.5
  return weight * 0.75
}

function freshness(row: SessionRow, now: number): number {
  return 2 / (1 + Math.max(0, now - (row.lastActivity ?? 0)) / (30 * DAY_MS))
}

function projectHits(projects: readonly ProjectView[], words: readonly string[]): QuickAnswer['projects'] {
  return projects
    .flatMap(({ ref, name, shortCwd, sessions, lastActivity }) => {
      const names = foldText(name)
      const folder = foldText(shortCwd)
      if (!words.every(word => names.includes(word) || folder.includes(word))) return []
      const score = Math.min(...words.map(word => Math.max(place(names, word, 4), place(folder, word, 1))))
      const shown = { ref, name, shortCwd, sessions }
      return [
        {
          score,
          lastActivity,
          hit: { ...shown, nameRanges: wordRanges(name, words), cwdRanges: wordRanges(shortCwd, words) },
        },
      ]
    })
    .sort((a, b) => b.score - a.score || (b.lastActivity ?? 0) - (a.lastActivity ?? 0))
    .slice(0, PROJECTS)
    .map(({ hit }) => hit)
}

/** Every place of every word, joined where they meet. */
function wordRanges(text: string, words: readonly string[]): MatchRange[] {
  if (words.length === 0 || text === '') return []
  const { text: folded, starts, ends } = foldWithPlaces(text)
  const found: MatchRange[] = []
  for (const word of words)
    for (
      let at = folded.indexOf(word);
      at !== -1 && found.length < 200;
      at = folded.indexOf(word, at + word.length)
    )
      found.push([starts?.[at] ?? at, ends?.[at + word.length - 1] ?? at + word.length])
  found.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const joined: MatchRange[] = []
  for (const [start, end] of found) {
    const last = joined[joined.length - 1]
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}
