import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { electronEnv } from '../electron-runtime.mjs'
import { withXvfb } from '../setup/display.mjs'
import { Failure } from '../setup/failure.mjs'
import { CACHE, inRoot } from '../setup/project.mjs'
import { packageCommand, runForeground } from '../setup/run.mjs'
import { playwrightCounts } from './playwright-counts.mjs'
import { judgeSuite } from './summary.mjs'

const RESULTS = join(CACHE, 'test')
const INTEROP = inRoot('scripts/interop.mjs')

/** A result file that no earlier run can have left. */
function freshFile(name) {
  mkdirSync(RESULTS, { recursive: true })
  const file = join(RESULTS, name)
  rmSync(file, { force: true })
  return file
}

/** What a runner wrote, or undefined when it wrote nothing that can be read. */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Unit tests: vitest, in plain Node.js. */
async function runUnit(args) {
  const counts = freshFile('unit.json')
  const reporters = ['--reporter=default', `--reporter=${inRoot('scripts/test/counting-reporter.mjs')}`]
  const command = packageCommand('vitest/vitest.mjs', 'run', ...reporters, ...args)
  const quiet = { VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true' } // of a default that is to change in some later Vite
  const exitCode = await runForeground(command, { env: { ...process.env, ...quiet, GROVE_COUNTS: counts } })
  return judgeSuite('unit', readReport(counts), { exitCode })
}

/** End-to-end tests: Playwright in real Electron, on Linux always on a private X server. */
async function runE2e(args, runtime) {
  const json = freshFile('e2e.json')
  const command = packageCommand('playwright/cli.js', 'test', '--reporter=list,json', ...args)
  const env = {
    ...electronEnv(runtime),
    PLAYWRIGHT_JSON_OUTPUT_FILE: json,
    PLAYWRIGHT_JSON_OUTPUT_NAME: json,
  }
  const run = display => {
    if (!display) return runForeground(command, { env })
    const { WAYLAND_DISPLAY: _, ...onX } = env
    return runForeground(command, { env: { ...onX, DISPLAY: display } })
  }
  const exitCode = process.platform === 'linux' ? await withXvfb(run) : await run()
  const report = readReport(json)
  return judgeSuite('e2e', report && playwrightCounts(report), { exitCode })
}

/** Interoperation with omp itself. Where omp cannot be had, all of it is skipped, with the reason. */
async function runInterop(args) {
  const json = freshFile('interop.json')
  const exitCode = await runForeground([process.execPath, INTEROP, '--json', json, ...args])
  return judgeSuite('interop', readReport(json), { exitCode, mayBeAllSkipped: true })
}

/** The suites in the order in which they run, and what each of them needs. */
export const SUITES = {
  unit: { run: runUnit, needsElectron: false },
  e2e: { run: runE2e, needsElectron: true },
  interop: { run: runInterop, needsElectron: false },
}

/** Tells whether a suite is part of this checkout. */
export const exists = name => name !== 'interop' || existsSync(INTEROP)

/**
 * Reads `npm test -- [unit] [e2e] [interop] [ARGS]`: the suites named first (all when none is), then arguments for
 * the runner, which make sense for a single suite only.
 */
export function parseTestArguments(args) {
  const end = args.findIndex(arg => !(arg in SUITES))
  const named = end < 0 ? args : args.slice(0, end)
  const rest = end < 0 ? [] : args.slice(end)
  if (rest.length > 0 && named.length !== 1) {
    throw new Failure(
      'usage: npm test [-- unit|e2e|interop ...], or one suite and arguments for its runner',
      2,
    )
  }
  return { names: named.length > 0 ? [...new Set(named)] : Object.keys(SUITES).filter(exists), rest }
}
