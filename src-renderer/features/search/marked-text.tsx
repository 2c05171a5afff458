/** A text with its matches marked. Ranges come from a search over text that anyone may have written: they are checked. */
import type { MatchRange, Snippet } from '@shared/ipc/models/search-models'
import { visibleText } from '@shared/session/text'

export type Piece = { text: string; marked: boolean; at: number }

const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff
/** True between the two units of one character. */
const splitsCharacter = (text: string, at: number) =>
  at > 0 && at < text.length && isLow(text.charCodeAt(at)) && !isLow(text.charCodeAt(at - 1))

/** The text in pieces. A range that is not one of this text is left out: nothing is lost, it is not marked. */
export function piecesOf(text: string, ranges: readonly MatchRange[]): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  const put = (from: number, to: number, marked: boolean) => {
    if (to > from) pieces.push({ text: text.slice(from, to), marked, at: from })
  }
  for (const [from, to] of ranges) {
    if (!Number.isInteger(from) || !Number.isInteger(to)) continue
    if (from < end || to <= from || to > text.length) continue
    if (splitsCharacter(text, from) || splitsCharacter(text, to)) continue
    put(end, from, false)
    put(from, to, true)
    end = to
  }
  put(end, text.length, false)
  return pieces
}

/** The snippet with at most `lead` characters before its first match, so that this is seen in a narrow line. */
export function fromFirstMatch({ text, ranges }: Snippet, lead: number): Snippet {
  const first = ranges[0]?.[0] ?? 0
  if (first <= lead || first > text.length) return { text, ranges }
  const start = first - lead
  // From the next word on, if one begins before the match.
  const blank = text.indexOf(' ', start)
  let cut = blank >= 0 && blank < first ? blank + 1 : start
  if (splitsCharacter(text, cut)) cut++
  const shift = cut - 1
  return {
    text: `…${text.slice(cut)}`,
    ranges: ranges.map(([from, to]): MatchRange => [from - shift, to - shift]),
  }
}

export function MarkedText({ text, ranges }: { text: string; ranges: readonly MatchRange[] }) {
  return piecesOf(text, ranges).map(piece =>
    piece.marked ? <mark key={piece.at}>{visibleText(piece.text)}</mark> : visibleText(piece.text),
  )
}
