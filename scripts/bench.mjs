// Runs a benchmark: `npm run bench -- append [options]`. A benchmark is a file of `bench/`; this sets up the packages, bundles
// that file for Node.js and starts it with the options. See docs/development.md, Benchmarks.
import { existsSync, readdirSync } from 'node:fs'
import { Failure, runMain } from './setup/failure.mjs'
import { requireSupportedNode } from './setup/node-version.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { CACHE, inRoot, ROOT } from './setup/project.mjs'
import { runForeground } from './setup/run.mjs'

// Not in out/: what lies there belongs to the application's build and is compared with its sources.
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

/** One module for Node.js with everything in it but Node.js's own modules; answers its path. */
async function bundle(name) {
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    resolve: { alias: { '@shared': inRoot('src-shared') } },
    ssr: { noExternal: true },
    build: {
      ssr: inRoot('bench', `${name}.ts`),
      outDir: OUTPUT,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'node20',
      rollupOptions: { output: { format: 'es', entryFileNames: `${name}.mjs`, codeSplitting: false } },
    },
  })
  return `${OUTPUT}/${name}.mjs`
}

await runMain(async ([name, ...args]) => {
  const names = benchmarks()
  if (name === undefined || !names.includes(name) || !existsSync(inRoot('bench', `${name}.ts`))) {
    throw new Failure(`usage: npm run bench -- NAME [options]; NAME is one of: ${names.join(', ')}`, 2)
  }
  requireSupportedNode()
  await ensurePackages()
  const file = await bundle(name)
  // The collector is asked for before memory is looked at.
  return runForeground([process.execPath, '--expose-gc', '--enable-source-maps', file, ...args], {
    cwd: callerDirectory(),
    env: { ...process.env, GROVE_BENCH_ROOT: ROOT },
  })
})
