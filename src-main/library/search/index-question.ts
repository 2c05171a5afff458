/**
 * What FTS5 is asked for the words of a query.
 *
 * Of a word that is only begun, FTS5 gathers every row of every word of the index that begins so before it answers the first: for two letters,
 * half a second in a large index. Asked for each of these words by name, it answers row by row, and the first ones at once. So
 * they are looked up first, each by jumping behind the one before it, and asked for by name where they are not too many.
 */
import type { DatabaseSyncInstance as DatabaseSync } from '@photostructure/sqlite'
import { queryTerms } from '@shared/search/tokens'
import { textIn } from './index-step'

/** Words that are asked for by name at most: with more of them that is the slower way. */
const MOST = 1000
/** Words that are looked up for the first rows: some milliseconds. */
const FEW = 64
/** Beginnings that are remembered. */
const REMEMBERED = 64
/** Ways to go on, so that the first words are not all of the same few letters. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Words of the index, in their order. */
type Begun = { words: string[]; all: boolean }

export class IndexQuestions {
  private readonly next: (from: string) => string | null
  private readonly begun = new Map<string, Begun>()

  constructor(db: DatabaseSync) {
    const ask = db.prepare('SELECT term FROM temp.vocabulary WHERE term >= ? LIMIT 1')
    this.next = from => {
      const row: unknown = ask.get(from)
      return row === undefined ? null : textIn(row, 'term')
    }
  }

  /** The index holds other words now. */
  forget(): void {
    this.begun.clear()
  }

  /** An expression for all rows with these folded words: empty for none, null when the index cannot be asked for them. */
  whole(words: readonly string[]): string | null {
    let left = MOST
    return expression(words, prefix => {
      const { words: found, all } = this.beginning(prefix, left)
      if (!all || found.length > left) return `${quoted(prefix)} *`
      left -= found.length
      return oneOf(found)
    })
  }

  /** An expression for some of these rows, answered at once; null where `whole` is answered as quickly. */
  part(words: readonly string[]): string | null {
    let some = false
    const asked = expression(words, prefix => {
      const { words: found, all } = this.beginning(prefix, FEW)
      if (all && found.length <= FEW) return oneOf(found)
      some = true
      return oneOf([...new Set([...found.slice(0, FEW), ...this.spread(prefix)])])
    })
    return some ? asked : null
  }

  private beginning(prefix: string, most: number): Begun {
    const known = this.begun.get(prefix) ?? { words: [], all: false }
    while (!known.all && known.words.length < most) {
      const last = known.words[known.words.length - 1]
      const word = this.next(last === undefined ? prefix : behind(last))
      if (word?.startsWith(prefix)) known.words.push(word)
      else known.all = true
    }
    if (this.begun.size >= REMEMBERED) this.begun.clear()
    this.begun.set(prefix, known)
    return known
  }

  private spread(prefix: string): string[] {
    return [...LETTERS].flatMap(letter => {
      const word = this.next(prefix + letter)
      return word?.startsWith(prefix) ? [word] : []
    })
  }
}

/** The least text that comes after a word and is not that word. */
function behind(word: string): string {
  return `${word}\u0001`
}

function oneOf(words: readonly string[]): string {
  return words.length === 0 ? '' : `(${words.map(quoted).join(' OR ')})`
}

/** Words are letters and digits in quotes, so that nothing of a query is taken for FTS5's syntax. */
function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`
}

function expression(words: readonly string[], begun: (prefix: string) => string): string | null {
  const parts: string[] = []
  for (const word of words) {
    const terms = queryTerms(word)
    if (terms.length === 0) return null
    for (const { text, prefix } of terms) parts.push(prefix ? begun(text) : quoted(text))
  }
  if (parts.length === 0) return null
  return parts.includes('') ? '' : parts.join(' AND ')
}
