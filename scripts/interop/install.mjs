/**
 * Gets omp and bun: exactly the packages of packages/package-lock.json, from the registry that npm is set to, into a
 * cache outside the checkout, once.
 *
 * - What is in the cache is whole: packages are installed into a temporary folder, checked, and renamed into place.
 * - npm checks every package against the hash in the lock file, and what it installed is compared with that file. A
 *   package that differs is a failure, never a reason to skip.
 * - `npm install`, because `npm ci` refuses: parts of omp for other systems are named by it but not on the registry.
 * - No script of any package runs, nothing asks, everything has a time limit.
 */
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Failure } from '../setup/failure.mjs'
import { matchesLock } from '../setup/packages.mjs'
import { inRoot } from '../setup/project.mjs'
import { npmCommand, say } from '../setup/run.mjs'
import { runToEnd } from './process.mjs'

const PACKAGES = inRoot('scripts/interop/packages')
const OMP = '@oh-my-pi/pi-coding-agent'
const BUN = '@oven/bun-linux-x64'
const INSTALL_LIMIT_MS = 10 * 60_000
const START_LIMIT_MS = 60_000
const ABANDONED_AFTER_MS = 24 * 3600_000

/** omp cannot be had here: its tests are skipped with this reason. */
export class Unavailable extends Error {}

function cacheDirectory(env = process.env) {
  if (env.GROVE_INTEROP_CACHE) return resolve(env.GROVE_INTEROP_CACHE)
  return resolve(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'grove-interop')
}

function wanted() {
  const { dependencies } = JSON.parse(readFileSync(join(PACKAGES, 'package.json'), 'utf8'))
  const lock = readFileSync(join(PACKAGES, 'package-lock.json'))
  const digest = createHash('sha256').update(lock).digest('hex').slice(0, 12)
  return { versions: dependencies, folder: `omp-${dependencies[OMP]}-${digest}` }
}

const paths = folder => ({
  ompPackage: join(folder, 'node_modules', OMP),
  bun: join(folder, 'node_modules', BUN, 'bin/bun'),
})

/** Why an installation cannot be used, or undefined. */
function defect(folder, versions) {
  for (const [name, version] of Object.entries(versions)) {
    const file = join(folder, 'node_modules', name, 'package.json')
    if (!existsSync(file)) return `${name} is missing`
    const found = JSON.parse(readFileSync(file, 'utf8')).version
    if (found !== version) return `${name} is ${found} instead of ${version}`
  }
  const { bun } = paths(folder)
  const started = runToEnd([bun, '--version'], { timeoutMs: START_LIMIT_MS })
  if (started.status === 0 && started.stdout.trim() === versions[BUN]) return undefined
  return `bun does not run (${started.problem ?? (started.stderr.trim().split('\n')[0] || `exit ${started.status}`)})`
}

/** The line in which npm says what went wrong. */
function npmReason(stderr) {
  const lines = stderr.split('\n').flatMap(line => /^npm (?:error|ERR!) (.*)$/.exec(line)?.[1] ?? [])
  const code = lines.find(line => line.startsWith('code '))
  const told = lines.find(line => !/^(code|syscall|errno|type) /.test(line))
  return [code?.slice('code '.length), told].filter(Boolean).join(': ') || 'npm did not say why'
}

/** npm as it would run in a terminal: without what an enclosing `npm run` says of this checkout. */
function npmEnvironment() {
  const inherited = /^npm_(package|lifecycle|command|config_local_prefix|config_global_prefix)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.test(name)))
}

function install(work) {
  for (const name of readdirSync(PACKAGES)) copyFileSync(join(PACKAGES, name), join(work, name))
  const limits = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=60000']
  const quiet = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--no-update-notifier']
  const npm = runToEnd([...npmCommand(), 'install', '--prefix', work, ...quiet, ...limits], {
    cwd: work,
    env: npmEnvironment(),
    timeoutMs: INSTALL_LIMIT_MS,
  })
  if (/EINTEGRITY/.test(npm.stderr)) {
    throw new Failure(`A package of omp is not the one that was pinned (${npmReason(npm.stderr)}).`)
  }
  if (npm.status !== 0) {
    throw new Unavailable(`omp could not be installed: ${npm.problem ?? npmReason(npm.stderr)}`)
  }
  const lock = readFileSync(join(PACKAGES, 'package-lock.json'), 'utf8')
  if (!matchesLock(lock, readFileSync(join(work, 'node_modules/.package-lock.json'), 'utf8'))) {
    throw new Failure('npm installed other packages of omp than those that were pinned.')
  }
}

/** Removes what an installation that was killed left behind. */
function sweep(cache) {
  for (const name of readdirSync(cache)) {
    const file = join(cache, name)
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (name.startsWith('tmp-') && age > ABANDONED_AFTER_MS) rmSync(file, { recursive: true, force: true })
  }
}

/** In one step; where another run was first, its installation is as good as ours. */
function putInPlace(work, folder, versions) {
  if (existsSync(folder)) {
    if (!defect(folder, versions)) return
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    renameSync(work, folder)
  } catch (error) {
    if (defect(folder, versions)) throw error
  }
}

/** Why the pinned binaries cannot run on this machine, or undefined; told before anything is fetched. */
function unsuitable() {
  const system = `${process.platform}-${process.arch}`
  if (system !== 'linux-x64') return `omp is fetched for linux-x64 only, and this is ${system}`
  if (!process.report.getReport().header.glibcVersionRuntime) return 'the bun that is fetched needs glibc'
  if (!/\bavx2\b/.test(readFileSync('/proc/cpuinfo', 'utf8'))) return 'the bun that is fetched needs AVX2'
  return undefined
}

function installInto(cache, folder, versions) {
  say(`Fetching omp ${versions[OMP]} and bun ${versions[BUN]} from npm (700 MB on disk, once) ...`)
  mkdirSync(cache, { recursive: true })
  sweep(cache)
  const work = mkdtempSync(join(cache, 'tmp-'))
  try {
    install(work)
    const wrong = defect(work, versions)
    if (wrong) throw new Unavailable(`omp was installed but cannot be used: ${wrong}`)
    putInPlace(work, folder, versions)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * The installed omp: `{ ompPackage, bun, transpiled }`, fetched first when the cache has none. `transpiled` is where
 * bun keeps omp's modules as it has read them, so that nothing of it lands in a home folder.
 */
export function installedOmp() {
  const reason = unsuitable()
  if (reason !== undefined) throw new Unavailable(reason)
  const cache = cacheDirectory()
  const { versions, folder: name } = wanted()
  const folder = join(cache, name)
  const wrong = existsSync(folder) ? defect(folder, versions) : 'it is not there yet'
  if (wrong) {
    if (existsSync(folder)) say(`The omp in ${folder} cannot be used: ${wrong}.`)
    installInto(cache, folder, versions)
  }
  return { ...paths(folder), transpiled: join(cache, 'transpiled'), version: versions[OMP] }
}
