// Runs Grove's command line in this Node.js: `npm run -s cli -- list`. Everything that sets up goes to stderr.
import { createRequire } from 'node:module'
import { ensureBuild } from './setup/build.mjs'
import { runMain } from './setup/failure.mjs'
import { requireSupportedNode } from './setup/node-version.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { inRoot, ROOT } from './setup/project.mjs'

/**
 * The folder the caller stands in. npm changes to the project's root first and tells the caller's folder in
 * INIT_CWD; a call from within another npm script inherits that variable, so it counts only for `npm run cli`.
 */
function callerDirectory() {
  const throughNpm = process.env.npm_lifecycle_event === 'cli' && process.cwd() === ROOT
  return throughNpm ? (process.env.INIT_CWD ?? process.cwd()) : process.cwd()
}

await runMain(async args => {
  requireSupportedNode()
  await ensurePackages()
  await ensureBuild()
  const cli = inRoot('out/main/cli.cjs')
  process.chdir(callerDirectory())
  process.argv = [process.argv[0], cli, ...args]
  createRequire(import.meta.url)(cli)
})
