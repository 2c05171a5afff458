/**
 * What one suite says of itself.
 *
 * @typedef {object} SuiteResult
 * @property {string} name
 * @property {number} passed
 * @property {number} failed
 * @property {{ name: string, reason: string }[]} skipped
 * @property {string[]} problems what went wrong beside the tests: a crash, no test at all
 */

/**
 * Makes a suite's result honest: a run that crashed, ended with an error that no test explains, or ran no test
 * counts as at least one failure.
 *
 * @param {{ passed: number, failed: number, skipped: { name: string, reason: string }[] } | undefined} counts
 *   what the runner reported; undefined when it wrote no report
 * @param {{ exitCode: number, mayBeAllSkipped?: boolean }} run
 * @returns {SuiteResult}
 */
export function judgeSuite(name, counts, { exitCode, mayBeAllSkipped = false }) {
  const result = { name, passed: 0, failed: 0, skipped: [], problems: [], ...counts }
  const ran = result.passed + result.failed + (mayBeAllSkipped ? result.skipped.length : 0)
  if (counts === undefined) result.problems.push(`${name} wrote no report (exit ${exitCode})`)
  else if (ran === 0) result.problems.push(`${name} ran no test`)
  else if (exitCode !== 0 && result.failed === 0) result.problems.push(`${name} ended with exit ${exitCode}`)
  if (result.problems.length > 0) result.failed = Math.max(1, result.failed)
  return result
}

/** The result of a suite that could not be started at all. */
export function crashedSuite(name, problem) {
  return { name, passed: 0, failed: 1, skipped: [], problems: [`${name}: ${problem}`] }
}

/** Adds up the suites. */
export function total(results) {
  const sum = count => results.reduce((all, result) => all + count(result), 0)
  return { passed: sum(r => r.passed), failed: sum(r => r.failed), skipped: sum(r => r.skipped.length) }
}

/** The one line that ends a run: `N passed, N failed`, and `, N skipped` when something was. */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** All that is printed at the end: problems, skipped tests with reasons, a line per suite, the closing line. */
export function report(results) {
  const problems = results.flatMap(result => result.problems.map(problem => `problem: ${problem}`))
  const skipped = results.flatMap(result =>
    result.skipped.map(
      ({ name, reason }) => `skipped: ${result.name}: ${name}${reason ? ` (${reason})` : ''}`,
    ),
  )
  const suites = results.map(result => `${result.name}: ${closingLine(total([result]))}`)
  return [...problems, ...skipped, ...suites, closingLine(total(results))].join('\n')
}
