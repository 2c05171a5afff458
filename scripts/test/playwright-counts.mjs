/** All specs of a Playwright report, whose suites lie in each other. */
function specsOf(suite) {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]
}

const reasonOf = test =>
  test.annotations.find(({ type, description }) => /^(skip|fixme)$/.test(type) && description)

/**
 * Counts the tests of a Playwright JSON report. Errors outside of any test count as failures, and so does a test
 * that passed only on a second try (there are no retries, so that none should exist).
 */
export function playwrightCounts(report) {
  const counts = { passed: 0, failed: report.errors?.length ?? 0, skipped: [] }
  for (const spec of (report.suites ?? []).flatMap(specsOf)) {
    for (const test of spec.tests) {
      if (test.status === 'expected') counts.passed++
      else if (test.status !== 'skipped') counts.failed++
      else
        counts.skipped.push({
          name: `${spec.file} > ${spec.title}`,
          reason: reasonOf(test)?.description ?? '',
        })
    }
  }
  return counts
}
