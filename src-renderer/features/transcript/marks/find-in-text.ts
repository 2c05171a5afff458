/** Where texts occur in a text, as a search means it: case and accents fold unless `exact`. */
import type { Wanted } from '../../../stores/find-store'

export type Range = readonly [from: number, to: number]

const ASCII = /^[\0-\x7f]*$/
const MARKS = /\p{M}/gu

/** The text folded, and for each of its units the unit of the text it came from. `null`: every unit is its own. */
function fold(text: string): { folded: string; origin: number[] | null } {
  if (ASCII.test(text)) return { folded: text.toLowerCase(), origin: null }
  let folded = ''
  const origin: number[] = []
  let at = 0
  for (const character of text) {
    const plain = character.normalize('NFD').replace(MARKS, '').toLowerCase()
    for (let unit = 0; unit < plain.length; unit++) origin.push(at)
    folded += plain
    at += character.length
  }
  origin.push(text.length)
  return { folded, origin }
}

function addMatches(ranges: Range[], text: string, wanted: string, exact: boolean): void {
  const needle = exact ? wanted : fold(wanted).folded
  if (needle === '') return
  const { folded, origin } = exact ? { folded: text, origin: null } : fold(text)
  for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + needle.length)) {
    const end = at + needle.length
    if (origin === null) ranges.push([at, end])
    else {
      const from = origin[at] ?? 0
      // An accent that stands as a character of its own belongs to the letter before it.
      let to = origin[end] ?? text.length
      while (to < text.length && /\p{M}/u.test(text.charAt(to))) to++
      ranges.push([from, to])
    }
  }
}

/** In order, never overlapping. */
export function findInText(text: string, { texts, exact }: Wanted): Range[] {
  const all: Range[] = []
  for (const wanted of texts) addMatches(all, text, wanted, exact)
  if (texts.length <= 1) return all
  // Of two that begin together the longer one.
  all.sort((a, b) => a[0] - b[0] || b[1] - a[1])
  let end = 0
  return all.filter(([from, to]) => {
    if (from < end) return false
    end = to
    return true
  })
}
