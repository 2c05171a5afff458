/** A line of text around the first match, with the matches in it. Pure. */
import type { MatchRange, Snippet } from '../ipc/models/search-models'
import { visibleText } from '../session/text'

/** Units before the first match, and in all: two lines of a list. */
const BEFORE = 60
const LENGTH = 240

/**
 * The text around the first of `ranges`, on one line, controls visible, cut at whole characters; with its matches. Without ranges: how
 * the text begins.
 */
export function snippetOf(text: string, ranges: readonly MatchRange[], length = LENGTH): Snippet {
  const first = ranges[0]?.[0] ?? 0
  const start = clusterStart(text, Math.max(0, first - BEFORE))
  const end = clusterStart(text, Math.min(text.length, start + length))
  const pieces: { text: string; match: boolean }[] = []
  let at = start
  for (const [from, to] of ranges) {
    if (from >= end) break
    pieces.push(
      { text: text.slice(at, from), match: false },
      { text: text.slice(from, Math.min(to, end)), match: true },
    )
    at = Math.min(to, end)
  }
  pieces.push({ text: text.slice(at, end), match: false })
  return joined(pieces, start > 0, end < text.length)
}

function joined(
  pieces: readonly { text: string; match: boolean }[],
  before: boolean,
  after: boolean,
): Snippet {
  let text = before ? '…' : ''
  const found: MatchRange[] = []
  for (const piece of pieces) {
    // White space as one space each: the ends of pieces keep theirs, or words would run together.
    let shown = visibleText(piece.text.replace(/\s+/g, ' '))
    if (text === '' || text.endsWith(' ')) shown = shown.trimStart()
    if (shown === '') continue
    if (piece.match) found.push([text.length, text.length + shown.length])
    text += shown
  }
  return { text: after ? `${text}…` : text, ranges: found }
}

const JOINS = /^(?:\p{M}|\u200d|\p{Emoji_Modifier})/u

/** The start of the cluster around a place, at most some units back. */
function clusterStart(text: string, at: number): number {
  let start = at
  for (let back = 0; back < 24 && start > 0 && start < text.length; back++) {
    const joins = JOINS.test(text.slice(start, start + 2)) || text[start - 1] === '\u200d'
    const low = text.charCodeAt(start)
    const lead = text.charCodeAt(start - 1)
    const splits = low >= 0xdc00 && low <= 0xdfff && lead >= 0xd800 && lead <= 0xdbff
    if (!joins && !splits) break
    start--
  }
  return start
}
