/** Every kind of odd file: damage, trees, size, meaning, move; one file for each kind or variant. */
import { addNoSessions } from './damage-files.mjs'
import { addDamagedHeads } from './damage-head.mjs'
import { addDamagedLines } from './damage-lines.mjs'
import { addWrongShapes } from './damage-shapes.mjs'
import { addOddForks } from './forks.mjs'
import { addOddPlaces } from './meaning-places.mjs'
import { addOddTexts } from './meaning-text.mjs'
import { addOddTimes } from './meaning-times.mjs'
import { addOddTools } from './meaning-tools.mjs'
import { addOddMoves } from './move.mjs'
import { OddFiles } from './odd-files.mjs'
import { addOddSizes } from './sizes.mjs'
import { addOddTrees } from './trees.mjs'

/** @param options `{ fullSize }`: the real sizes of the "Size" table (gigabytes) instead of small ones */
export function addOddFiles(library, options) {
  const odd = new OddFiles(library, options)
  addDamagedHeads(odd)
  addDamagedLines(odd)
  addWrongShapes(odd)
  addNoSessions(odd)
  addOddTrees(odd)
  addOddForks(odd)
  addOddSizes(odd)
  addOddTexts(odd)
  addOddTimes(odd)
  addOddTools(odd)
  addOddPlaces(odd)
  addOddMoves(odd)
}
