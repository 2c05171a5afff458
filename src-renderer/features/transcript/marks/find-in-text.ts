/** Where texts occur in a text, as find in session means it: the same in the window as in main. */
import { findMatcher } from '@shared/search/matcher'
import type { Wanted } from '../../../stores/find-store'

type Range = readonly [from: number, to: number]

/** Occurrences of one text that are marked: more than one looks at. */
const MOST = 20_000

/** In order, never overlapping. */
export function findInText(text: string, { texts, exact }: Wanted): Range[] {
  const all: Range[] = texts.flatMap(wanted => findMatcher(wanted, exact).ranges(text, MOST))
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
