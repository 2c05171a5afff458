// Checks who imports whom, type-only imports included, against layer-table.mjs.
import { posix, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cruise, getAvailableTranspilers } from 'dependency-cruiser'
import { Failure, runMain } from '../setup/failure.mjs'
import { ROOT } from '../setup/project.mjs'
import { layerOf } from './layer-table.mjs'
import { judgeImport } from './layer-verdict.mjs'
import { sourceFiles } from './source-files.mjs'

const FOLDERS = ['src-shared', 'src-main', 'src-renderer', 'e2e', 'bench', 'scripts']
const EXTENSIONS = ['.ts', '.tsx', '.mts', '.mjs', '.cjs', '.js', '.d.ts', '.json', '.css']

/** Reads the import graph. Throws when dependency-cruiser cannot read TypeScript, which it does not say by itself. */
async function readGraph(root, files) {
  if (!getAvailableTranspilers().some(({ name, available }) => name === 'typescript' && available)) {
    throw new Failure(
      'dependency-cruiser cannot use the installed TypeScript, so that it would read nothing.',
    )
  }
  const options = {
    baseDir: root,
    tsPreCompilationDeps: true,
    doNotFollow: 'node_modules',
    combinedDependencies: true,
  }
  const resolving = { alias: { '@shared': resolve(root, 'src-shared') }, extensions: EXTENSIONS }
  const { output } = await cruise(files, options, resolving)
  return output.modules
}

const isRelative = specifier => specifier.startsWith('.') || specifier.startsWith('/')

/** One import of the graph as the verdict wants it. */
function toImport(from, { module: specifier, resolved, dependencyTypes }) {
  const isOwn = isRelative(specifier) || specifier.startsWith('@shared/')
  const guess = posix.normalize(posix.join(posix.dirname(from), specifier.replace(/\?.*$/, '')))
  const to = isRelative(specifier) && isRelative(resolved) ? guess : resolved.replace(/\?.*$/, '')
  return { from, specifier, to: isOwn ? to : undefined, typeOnly: dependencyTypes.includes('type-only') }
}

/**
 * Checks a source tree.
 *
 * @returns {Promise<{ violations: string[], modules: number, imports: number }>}
 */
export async function checkLayers(root, folders = FOLDERS) {
  const files = sourceFiles(root, folders).filter(file => /\.(ts|tsx|mjs|cjs|js)$/.test(file))
  if (files.length === 0) throw new Failure('The layer check found no source file.')
  const graph = await readGraph(root, files)
  const read = new Map(graph.map(module => [module.source, module]))
  const unread = files.filter(file => !read.has(file))
  if (unread.length > 0)
    throw new Failure(`The layer check did not read ${unread.length} files: ${unread[0]} ...`)

  const imports = files.flatMap(file =>
    read.get(file).dependencies.map(dependency => toImport(file, dependency)),
  )
  const judged = imports
    .map(one => ({ ...one, why: judgeImport(one) }))
    .filter(({ why }) => why !== undefined)
  const homeless = files
    .filter(file => layerOf(file) === undefined)
    .map(file => `${file}: belongs to no layer`)
  const violations = judged.map(({ from, specifier, why }) => `${from}: '${specifier}': ${why}`)
  return {
    violations: [...new Set([...homeless, ...violations])],
    modules: files.length,
    imports: imports.length,
  }
}

async function main() {
  const { violations, modules, imports } = await checkLayers(ROOT)
  if (imports === 0) throw new Failure('The layer check read no import.')
  for (const violation of violations) process.stdout.write(`${violation}\n`)
  process.stdout.write(`${modules} modules, ${imports} imports, ${violations.length} violations\n`)
  return violations.length > 0 ? 1 : 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runMain(main)
