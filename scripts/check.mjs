// `npm run check`: everything that can be said of the sources without running them. Each check is named with its
// time; the output of one that fails follows its line.
import { spawnSync } from 'node:child_process'
import { runMain } from './setup/failure.mjs'
import { requireSupportedNode } from './setup/node-version.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { inRoot, ROOT } from './setup/project.mjs'
import { packageCommand } from './setup/run.mjs'

const SOURCES = ['src-shared', 'src-main', 'src-renderer', 'e2e', 'bench']
const CONFIGS = ['electron.vite.config.ts', 'vitest.config.ts', 'playwright.config.ts']

const own = script => [process.execPath, inRoot('scripts/check', script)]

const CHECKS = [
  [
    'format and lint (biome)',
    packageCommand('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'),
  ],
  ['types (tsc -b)', packageCommand('typescript/bin/tsc', '-b')],
  [
    'lint with types (eslint)',
    packageCommand(
      'eslint/bin/eslint.js',
      '--max-warnings=0',
      '--no-error-on-unmatched-pattern',
      ...SOURCES,
      ...CONFIGS,
    ),
  ],
  ['layers', own('layers.mjs')],
  ['house rules', own('house-rules.mjs')],
]

/** Runs one check; returns whether it passed. */
function run([name, [command, ...args]]) {
  const start = Date.now()
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 << 20, stdio: ['ignore', 'pipe', 'pipe'] }
  const { status, stdout, stderr } = spawnSync(command, args, options)
  const passed = status === 0
  process.stdout.write(
    `${passed ? 'ok    ' : 'FAILED'} ${name}  ${((Date.now() - start) / 1000).toFixed(1)} s\n`,
  )
  if (!passed) process.stdout.write(`${stdout ?? ''}${stderr ?? ''}\n`)
  return passed
}

await runMain(async () => {
  requireSupportedNode()
  await ensurePackages()
  const failed = CHECKS.map(check => ({ name: check[0], passed: run(check) })).filter(({ passed }) => !passed)
  if (failed.length > 0) process.stdout.write(`failed: ${failed.map(({ name }) => name).join(', ')}\n`)
  return failed.length > 0 ? 1 : 0
})
