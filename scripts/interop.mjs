// Tests Grove against omp itself: what omp wrote, read by Grove; what Grove did, judged by omp.
//
//   npm run test:interop                 all of it
//   npm run test:interop -- re-root      tests whose name has these words in it
//
// `--json FILE` writes `{ passed, failed, skipped: [{ name, reason }] }`. Where omp cannot be had, every test is
// skipped with the reason, and the run succeeds. See docs/interop.md.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { installedOmp, Unavailable } from './interop/install.mjs'
import { Omp } from './interop/omp.mjs'
import { Stages } from './interop/stage.mjs'
import { contextTests } from './interop/tests/context.mjs'
import { deleteTests } from './interop/tests/delete.mjs'
import { directoryNameTests } from './interop/tests/directory-names.mjs'
import { listingTests } from './interop/tests/listing.mjs'
import { readingTests } from './interop/tests/reading.mjs'
import { registryTests } from './interop/tests/registry.mjs'
import { rerootTests } from './interop/tests/reroot.mjs'
import { writingTests } from './interop/tests/writing/writing.mjs'
import { ensureBuild } from './setup/build.mjs'
import { Failure, runMain } from './setup/failure.mjs'

const TESTS = [
  ...readingTests,
  ...registryTests,
  ...contextTests,
  ...listingTests,
  ...directoryNameTests,
  ...rerootTests,
  ...deleteTests,
  ...writingTests,
]

function readArguments(args) {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { json: { type: 'string' }, keep: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    return { ...values, words: positionals }
  } catch (error) {
    throw new Failure(`${error.message}\nusage: npm run test:interop -- [--keep] [WORDS...]`, 2)
  }
}

async function runAll(tests, keep) {
  const result = { passed: 0, failed: 0, skipped: [] }
  let omp
  try {
    omp = new Omp(installedOmp())
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    process.stdout.write(`${tests.length} tests skipped: ${error.message}\n`)
    result.skipped.push(...tests.map(({ name }) => ({ name, reason: error.message })))
    return result
  }
  const stages = new Stages(omp, keep)
  for (const test of tests) {
    if (await stages.run(test)) result.passed++
    else result.failed++
  }
  await stages.close()
  return result
}

await runMain(async args => {
  const { json, keep, words } = readArguments(args)
  const tests = TESTS.filter(({ name }) => words.every(word => name.includes(word)))
  if (tests.length === 0) throw new Failure(`No interop test is named so: ${words.join(' ')}`, 2)
  await ensureBuild()
  const result = await runAll(tests, keep)
  if (json !== undefined) writeFileSync(json, JSON.stringify(result))
  process.stdout.write(`${result.passed} passed, ${result.failed} failed, ${result.skipped.length} skipped\n`)
  return result.failed > 0 ? 1 : 0
})
