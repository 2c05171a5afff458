/** Occurrences of what is looked for in a session, counted over all texts of the path. */
import type { FindAnswer } from '@shared/ipc/models/search-models'

export type FindPlace = { ordinal: number; part: string; row: number; nth: number }

/** The occurrence with this number, from 0. */
export function placeAt(answer: FindAnswer, index: number): FindPlace | null {
  let before = 0
  for (const { ordinal, part, row, count } of answer.matches) {
    if (index >= before && index < before + count) return { ordinal, part, row, nth: index - before }
    before += count
  }
  return null
}

/** Number of the first occurrence in a row or after it; the first of all when there is none. -1: there are none at all. */
export function indexFrom(answer: FindAnswer, row: number): number {
  let before = 0
  for (const match of answer.matches) {
    if (match.row >= row) return before
    before += match.count
  }
  return answer.matches.length === 0 ? -1 : 0
}

/** Number that an occurrence has in a newer answer, -1 when it is not in it any more. */
export function indexOf(answer: FindAnswer, place: FindPlace): number {
  let before = 0
  for (const { ordinal, part, count } of answer.matches) {
    if (ordinal === place.ordinal && part === place.part) return place.nth < count ? before + place.nth : -1
    before += count
  }
  return -1
}

/** Occurrences that can be stepped through. */
export function countOfPlaces(answer: FindAnswer): number {
  return answer.matches.reduce((sum, { count }) => sum + count, 0)
}
