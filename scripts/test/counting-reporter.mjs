import { writeFileSync } from 'node:fs'

/** The path below which vitest shows a test: file, describes, name. */
const titleOf = test => `${test.module.relativeModuleId} > ${test.fullName}`

/**
 * A vitest reporter that writes the counts, with the note of each skipped test, to the file named by GROVE_COUNTS.
 * (vitest's own JSON leaves the notes out.) A file that cannot be loaded counts as one failure.
 */
export default class CountingReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: [] }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state, note } = test.result()
        if (state === 'passed') counts.passed++
        else if (state === 'skipped') counts.skipped.push({ name: titleOf(test), reason: note ?? '' })
        else counts.failed++
      }
      counts.failed += module.errors().length
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
    }
    writeFileSync(process.env.GROVE_COUNTS, JSON.stringify(counts))
  }
}
