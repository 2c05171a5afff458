import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Failure } from './failure.mjs'
import { withLock } from './lock.mjs'
import { CACHE, inRoot } from './project.mjs'
import { npmCommand, runLogged, say } from './run.mjs'

const LOCK = inRoot('package-lock.json')
// npm writes this file last, so that an interrupted installation has none.
const INSTALLED = inRoot('node_modules/.package-lock.json')
const STAMP = `${CACHE}/packages.stamp`

const readIfThere = file => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)

/** What an installation depends on: the lock file and the machine whose binaries it chose. */
export function installKey(lockText, platform = process.platform, arch = process.arch) {
  return createHash('sha256').update(`${platform} ${arch}\n${lockText}`).digest('hex')
}

/** Tells whether node_modules (npm's record of it) holds just what the lock file asks for. */
export function matchesLock(lockText, installedText) {
  const wanted = JSON.parse(lockText).packages ?? {}
  const installed = JSON.parse(installedText).packages ?? {}
  const isInstalled = ([path, entry]) =>
    path === '' ||
    (installed[path] === undefined
      ? entry.optional === true || entry.peer === true
      : installed[path].version === entry.version && installed[path].integrity === entry.integrity)
  return Object.entries(wanted).every(isInstalled) && Object.keys(installed).every(path => path in wanted)
}

/** Tells whether the packages are there and belong to the present lock file. */
function areFresh() {
  const installed = readIfThere(INSTALLED)
  if (installed === undefined) return false
  const lock = readFileSync(LOCK, 'utf8')
  const key = installKey(lock)
  if (readIfThere(STAMP) === key) return true
  if (!matchesLock(lock, installed)) return false
  // Installed by hand (`npm install`, `npm ci`): nothing to do but to remember it.
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(STAMP, key)
  return true
}

/** Installs the packages with `npm ci` when they are missing or the lock file has changed. Uses only built-ins. */
export async function ensurePackages() {
  if (areFresh()) return
  await withLock('packages', () => {
    if (areFresh()) return
    rmSync(STAMP, { force: true })
    say('Installing packages (npm ci) ...')
    const code = runLogged([
      ...npmCommand(),
      'ci',
      '--include=dev',
      '--no-fund',
      '--no-audit',
      '--loglevel=error',
    ])
    if (code !== 0)
      throw new Failure(`npm ci failed (exit ${code}). Check the network and run the command again.`)
    writeFileSync(STAMP, installKey(readFileSync(LOCK, 'utf8')))
  })
}
