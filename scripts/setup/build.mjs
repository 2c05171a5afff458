import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from './failure.mjs'
import { withLock } from './lock.mjs'
import { CACHE, inRoot, ROOT } from './project.mjs'
import { packageCommand, runLogged, say } from './run.mjs'
import { contentDigest, judge, listFiles, quickDigest, stampOf } from './staleness.mjs'

const STAMP = join(CACHE, 'build.stamp.json')
const INPUTS = [
  'src-main',
  'src-shared',
  'src-renderer',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
].map(path => inRoot(path))
const REQUIRED = [
  'out/main/index.cjs',
  'out/main/worker.cjs',
  'out/main/cli.cjs',
  'out/preload/index.cjs',
  'out/renderer/index.html',
].map(path => inRoot(path))

/** The stamp of the last build, or undefined when there is none or it cannot be read. */
function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'))
  } catch {
    return undefined
  }
}

function keepStamp(digests) {
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(STAMP, JSON.stringify(stampOf(ROOT, digests, listFiles([inRoot('out')]))))
}

/** Tells whether out/ belongs to the present sources. Takes some milliseconds when nothing was touched. */
function isFresh() {
  const inputs = listFiles(INPUTS)
  const stamp = readStamp()
  const verdict = judge(stamp, {
    root: ROOT,
    inputs,
    outputs: listFiles([inRoot('out')]),
    required: REQUIRED,
  })
  if (verdict === 'touched') keepStamp({ quick: quickDigest(ROOT, inputs), content: stamp.content })
  return verdict !== 'stale'
}

/** Builds main, worker, CLI, preload and renderer into out/, whether stale or not. */
export function build() {
  const inputs = listFiles(INPUTS)
  const digests = { quick: quickDigest(ROOT, inputs), content: contentDigest(ROOT, inputs) }
  rmSync(STAMP, { force: true })
  say('Building ...')
  const code = runLogged(packageCommand('electron-vite/bin/electron-vite.js', 'build', '--logLevel', 'warn'))
  if (code !== 0) throw new Failure(`The build failed (exit ${code}); its messages are above.`)
  keepStamp(digests)
}

/** Builds when the sources, the configuration or the lock file changed since the last build, or outputs did. */
export async function ensureBuild() {
  if (isFresh()) return
  await withLock('build', () => {
    if (!isFresh()) build()
  })
}
