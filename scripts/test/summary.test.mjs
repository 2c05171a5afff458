import { describe, expect, it } from 'vitest'
import { playwrightCounts } from './playwright-counts.mjs'
import { parseTestArguments } from './suites.mjs'
import { closingLine, crashedSuite, judgeSuite, report, total } from './summary.mjs'

const counts = (passed, failed, skipped = []) => ({ passed, failed, skipped })
const SKIP = { name: 'a test', reason: 'no such device' }

describe('a suite', () => {
  it('is taken at its word when all is well', () => {
    const result = judgeSuite('unit', counts(3, 0, [SKIP]), { exitCode: 0 })
    expect(result).toEqual({ name: 'unit', passed: 3, failed: 0, skipped: [SKIP], problems: [] })
  })

  it.each([
    ['wrote no report', undefined, { exitCode: 1 }],
    ['wrote no report but exited with 0', undefined, { exitCode: 0 }],
    ['ran no test', counts(0, 0), { exitCode: 0 }],
    ['skipped every test', counts(0, 0, [SKIP]), { exitCode: 0 }],
    ['ended with an error that no test explains', counts(3, 0), { exitCode: 1 }],
  ])('counts as failed when it %s', (_, reported, run) => {
    const result = judgeSuite('unit', reported, run)
    expect(result.failed).toBe(1)
    expect(result.problems).toHaveLength(1)
  })

  it('keeps its own number of failures', () => {
    expect(judgeSuite('unit', counts(3, 2), { exitCode: 1 })).toMatchObject({ failed: 2, problems: [] })
  })

  it('may skip everything only where that is meant to be possible', () => {
    const run = { exitCode: 0, mayBeAllSkipped: true }
    expect(judgeSuite('interop', counts(0, 0, [SKIP]), run).failed).toBe(0)
    expect(judgeSuite('interop', counts(0, 0), run).failed).toBe(1)
  })
})

describe('the closing line', () => {
  it('adds up all suites', () => {
    const results = [
      judgeSuite('unit', counts(3, 0, [SKIP]), { exitCode: 0 }),
      judgeSuite('e2e', counts(2, 1), { exitCode: 1 }),
      crashedSuite('interop', 'no such file'),
    ]
    expect(total(results)).toEqual({ passed: 5, failed: 2, skipped: 1 })
    const lines = report(results).split('\n')
    expect(lines.at(-1)).toBe('5 passed, 2 failed, 1 skipped')
    expect(lines).toContain('skipped: unit: a test (no such device)')
    expect(lines).toContain('problem: interop: no such file')
    expect(lines).toContain('e2e: 2 passed, 1 failed')
  })

  it('is silent about skipped tests when there are none', () => {
    expect(closingLine({ passed: 1, failed: 0, skipped: 0 })).toBe('1 passed, 0 failed')
  })
})

describe('a Playwright report', () => {
  const spec = (title, status, annotations = []) => ({
    title,
    file: 'a.spec.ts',
    tests: [{ status, annotations }],
  })

  it('is counted through all its levels, with the reasons of skipped tests', () => {
    const skip = [{ type: 'skip', description: 'Linux only' }]
    const nested = { suites: [{ specs: [spec('three', 'skipped', skip), spec('four', 'unexpected')] }] }
    const suites = [{ specs: [spec('one', 'expected'), spec('two', 'flaky')], suites: [nested] }]
    expect(playwrightCounts({ suites, errors: [{ message: 'broken file' }] })).toEqual({
      passed: 1,
      failed: 3,
      skipped: [{ name: 'a.spec.ts > three', reason: 'Linux only' }],
    })
  })

  it('may be empty', () => {
    expect(playwrightCounts({})).toEqual(counts(0, 0))
  })
})

describe('arguments of npm test', () => {
  it('name suites, and give one suite arguments for its runner', () => {
    expect(parseTestArguments(['e2e', 'unit', 'e2e'])).toEqual({ names: ['e2e', 'unit'], rest: [] })
    expect(parseTestArguments(['unit', 'src-shared', '-t', 'x'])).toEqual({
      names: ['unit'],
      rest: ['src-shared', '-t', 'x'],
    })
    expect(parseTestArguments([]).names).toEqual(expect.arrayContaining(['unit', 'e2e']))
  })

  it.each([[['src-shared']], [['unit', 'e2e', 'src-shared']]])('refuse %j', args => {
    expect(() => parseTestArguments(args)).toThrow('usage')
  })
})
