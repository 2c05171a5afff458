// Runs a benchmark: `npm run bench -- append [options]`. A benchmark is a file of `bench/`; this sets up the packages, bundles
// that file for Node.js and starts it with the options. See docs/development.md, Benchmarks.
import { existsSync, readdirSync } from 'node:fs'
import { bundleForNode } from './setup/bundle.mjs'
import { Failure, runMain } from './setup/failure.mjs'
import { requireSupportedNode } from './setup/node-version.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { CACHE, inRoot, ROOT } from './setup/project.mjs'
import { runForeground } from './setup/run.mjs'

const OUTPUT = `${CACHE}/bench`

/** The names of all benchmarks. */
function benchmarks() {
  return readdirSync(inRoot('bench')).flatMap(file => /^([a-z-]+)\.ts$/.exec(file)?.[1] ?? [])
}

/** The folder the caller stands in: npm changes to the project's root and tells the caller's in INIT_CWD. */
function callerDirectory() {
  const throughNpm = process.env.npm_lifecycle_event === 'bench' && process.cwd() === ROOT
  return throughNpm ? (process.env.INIT_CWD ?? process.cwd()) : process.cwd()
}

await runMain(async ([name, ...args]) => {
  const names = benchmarks()
  if (name === undefined || !names.includes(name) || !existsSync(inRoot('bench', `${name}.ts`))) {
    throw new Failure(`usage: npm run bench -- NAME [options]; NAME is one of: ${names.join(', ')}`, 2)
  }
  requireSupportedNode()
  await ensurePackages()
  const file = await bundleForNode(`bench/${name}.ts`, OUTPUT)
  // The collector is asked for before memory is looked at.
  return runForeground([process.execPath, '--expose-gc', '--enable-source-maps', file, ...args], {
    cwd: callerDirectory(),
    env: { ...process.env, GROVE_BENCH_ROOT: ROOT },
  })
})
