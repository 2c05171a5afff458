/**
 * Titles, projects and first prompts of all sessions, searched for every key that is pressed: their folded texts are kept, and only rows
 * that match are looked at closer. All words must occur. Pure, in memory.
 */
import type { ProjectView, SessionRow } from '@shared/ipc/models/library-models'
import type { MatchRange, QuickAnswer } from '@shared/ipc/models/search-models'
import { foldText, foldWithPlaces } from '@shared/search/fold'
import { queryWords } from '@shared/search/matcher'
import { isWordStart } from '@shared/search/tokens'

type Folded = { row: SessionRow; title: string; project: string; prompt: string }

/** Days in which what is new weighs more. */
const DAY_MS = 86_400_000
const PROJECTS = 5

export class QuickSearch {
  private readonly byRef = new Map<string, Folded>()
  private rows: readonly SessionRow[] = []

  /** The rows as they are now; those that are as they were cost nothing. */
  take(rows: readonly SessionRow[]): void {
    this.rows = rows
    if (this.byRef.size > rows.length * 2 + 100) this.byRef.clear()
  }

  private foldedOf(row: SessionRow): Folded {
    const known = this.byRef.get(row.ref)
    if (known?.row === row) return known
    const same =
      known !== undefined && known.row.title === row.title && known.row.firstPrompt === row.firstPrompt
    const made: Folded = {
      row,
      title: same ? known.title : foldText(row.title),
      prompt: same ? known.prompt : foldText(row.firstPrompt),
      project: foldText(`${row.projectName} ${row.shortCwd}`),
    }
    this.byRef.set(row.ref, made)
    return made
  }

  search(
    query: { text: string; project: string | null; limit: number },
    projects: readonly ProjectView[],
    now: number,
  ): QuickAnswer {
    const words = queryWords(query.text)
    const scored: { row: SessionRow; score: number }[] = []
    for (const row of this.rows) {
      if (query.project !== null && row.project !== query.project) continue
      const score = words.length === 0 ? 0 : scoreOf(this.foldedOf(row), words)
      if (score !== null) scored.push({ row, score: score + freshness(row, now) })
    }
    scored.sort((a, b) => b.score - a.score || (b.row.lastActivity ?? 0) - (a.row.lastActivity ?? 0))
    return {
      total: scored.length,
      hits: scored.slice(0, query.limit).map(({ row }) => ({
        row,
        titleRanges: wordRanges(row.title, words),
        projectRanges: wordRanges(row.projectName, words),
        promptRanges: wordRanges(row.firstPrompt, words),
      })),
      projects: words.length === 0 ? [] : projectHits(projects, words),
    }
  }
}

/** Points of the best place of each word; null when one is nowhere. */
function scoreOf({ title, project, prompt }: Folded, words: readonly string[]): number | null {
  let score = 0
  for (const word of words) {
    const best = Math.max(place(title, word, 8), place(project, word, 4), place(prompt, word, 2))
    if (best === 0) return null
    score += best
  }
  if (words.length > 1 && title.includes(words.join(' '))) score += 4
  return score / words.length
}

/** The start of a text counts most, then that of a word. */
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
