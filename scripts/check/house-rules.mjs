// The rules of this house that no linter knows: see house-rules-text.mjs and house-rules-syntax.mjs.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Failure, runMain } from '../setup/failure.mjs'
import { ROOT } from '../setup/project.mjs'
import { checkSyntax } from './house-rules-syntax.mjs'
import { bridgeName, checkBridge, checkHosts, checkLength, checkName, isCode } from './house-rules-text.mjs'
import { sourceFiles } from './source-files.mjs'

const PRELOAD = 'src-main/preload/preload.ts'
const TEXT =
  /(\.(ts|tsx|mjs|cjs|js|css|html|json|md|sh|yml|yaml|svg|txt)|(^|\/)(run|LICENSE|\.npmrc|\.gitignore))$/
const TOOL_CONFIGURATION = /^[a-z.]+\.config\.(ts|mjs)$|^scripts\/test\/counting-reporter\.mjs$/

/**
 * Checks one file.
 *
 * @param {string} path from the project's root, with forward slashes
 * @param {string} [bridge] the name under which the preload script exposes the bridge
 * @returns {{ line: number, message: string }[]}
 */
export function checkFile(path, text, bridge) {
  const lines = text.split('\n')
  const mayExportDefault = TOOL_CONFIGURATION.test(path)
  return [
    ...checkLength(path, lines),
    ...checkName(path),
    ...checkHosts(path, lines),
    ...checkBridge(path, lines, bridge),
    ...(isCode(path) && !path.endsWith('.css') ? checkSyntax(path, text, lines, { mayExportDefault }) : []),
  ]
}

/** Checks a whole tree; returns `path:line: message` for each violation and the number of files read. */
export function checkTree(root) {
  const files = sourceFiles(root).filter(path => TEXT.test(path))
  const preload = join(root, PRELOAD)
  const bridge = existsSync(preload) ? bridgeName(readFileSync(preload, 'utf8')) : undefined
  if (existsSync(preload) && bridge === undefined) {
    throw new Failure(
      `${PRELOAD} does not name the bridge in words, so that nobody can tell who mentions it.`,
    )
  }
  const violations = files.flatMap(path =>
    checkFile(path, readFileSync(join(root, path), 'utf8'), bridge).map(
      ({ line, message }) => `${path}:${line}: ${message}`,
    ),
  )
  return { violations, files: files.length }
}

function main() {
  const { violations, files } = checkTree(ROOT)
  if (files === 0) throw new Failure('The house rules found no file to check.')
  for (const violation of violations) process.stdout.write(`${violation}\n`)
  process.stdout.write(`${files} files, ${violations.length} violations\n`)
  return violations.length > 0 ? 1 : 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runMain(main)
