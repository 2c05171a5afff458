/** What Grove's engine writes, and both programs at once: all its tests. They share their programs. */
import { aroundTests } from './around.mjs'
import { continueTests } from './continue.mjs'
import { differenceTests } from './differences.mjs'
import { killedTests } from './killed.mjs'
import { lineTests } from './lines.mjs'
import { oddFileTests } from './odd-files.mjs'
import { ompFirstTests } from './omp-first.mjs'
import { placeTests } from './places.mjs'
import { thereAndBackTests } from './there-and-back.mjs'
import { togetherTests } from './together.mjs'

const all = [
  ...thereAndBackTests,
  ...lineTests,
  ...placeTests,
  ...aroundTests,
  ...continueTests,
  ...ompFirstTests,
  ...togetherTests,
  ...killedTests,
  ...oddFileTests,
  ...differenceTests,
]

// The sample library is a home folder of its own.
export const writingTests = [
  ...all.filter(({ samples }) => !samples).map(test => ({ ...test, group: 'writing' })),
  ...all.filter(({ samples }) => samples),
]
