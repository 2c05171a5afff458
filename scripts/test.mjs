// `npm test`: sets up whatever is missing, runs the suites and adds up their tests.
//
//   npm test                         unit, e2e and interop
//   npm test -- unit src-shared      one suite; what follows its name goes to its runner
//
// Ends with `N passed, N failed` (`, N skipped`, the reasons above it). A suite that crashed or ran no test counts as
// failed. Nothing is tried twice.
import { resolveElectron } from './electron-runtime.mjs'
import { ensureBuild } from './setup/build.mjs'
import { Failure, runMain } from './setup/failure.mjs'
import { requireSupportedNode } from './setup/node-version.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { ensureSystemPackages } from './setup/system-packages.mjs'
import { parseTestArguments, SUITES } from './test/suites.mjs'
import { crashedSuite, report, total } from './test/summary.mjs'

/** Builds; returns the message when the sources do not build, because the unit tests can still run then. */
async function tryBuild() {
  try {
    await ensureBuild()
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

async function runSuite(name, args, { runtime, buildProblem }) {
  if (buildProblem !== undefined && name !== 'unit') return crashedSuite(name, buildProblem)
  try {
    return await SUITES[name].run(args, runtime)
  } catch (error) {
    return crashedSuite(name, error instanceof Failure ? error.message : error.stack)
  }
}

async function test(args) {
  requireSupportedNode()
  const { names, rest } = parseTestArguments(args)
  await ensurePackages()
  let runtime
  if (names.some(name => SUITES[name].needsElectron)) {
    runtime = await resolveElectron()
    ensureSystemPackages(runtime.executable, { xvfb: true })
  }
  const buildProblem = await tryBuild()

  const results = []
  for (const name of names) {
    process.stdout.write(`\n== ${name}\n`)
    results.push(await runSuite(name, rest, { runtime, buildProblem }))
  }
  process.stdout.write(`\n${report(results)}\n`)
  return total(results).failed > 0 ? 1 : 0
}

await runMain(test)
