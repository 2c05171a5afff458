// Finds dead code that the compiler cannot see, because it is exported: values that neither another file nor their own
// uses. Types are left alone: a function's types are part of what it offers. Tests count as users.
// Not a part of `npm run check`, because work in steps makes functions before their callers; run it when a step ends.
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { Failure, runMain } from '../setup/failure.mjs'
import { ROOT } from '../setup/project.mjs'
import { sourceFiles } from './source-files.mjs'

const FOLDERS = ['src-shared', 'src-main', 'src-renderer', 'e2e', 'bench', 'scripts']
/** Files that are started or loaded by something else than an import. */
const ENTRIES =
  /(^|\/)([\w-]+\.test|[\w-]+\.spec|main|preload|[\w-]+-entry|[\w-]+-reporter)\.(ts|tsx|mjs|js)$/

const hasModifier = (node, kind) =>
  ts.canHaveModifiers(node) && node.modifiers?.some(one => one.kind === kind)

/** The names a declaration gives to values, and its line. */
function declaredNames(node) {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.flatMap(({ name }) => bindingNames(name))
  const isValue = ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isEnumDeclaration(node)
  return isValue && node.name ? [node.name] : []
}

function bindingNames(name) {
  return ts.isIdentifier(name)
    ? [name]
    : name.elements.flatMap(element => (ts.isBindingElement(element) ? bindingNames(element.name) : []))
}

/** The file an import names, or undefined for a package. */
function target(root, from, specifier) {
  const base = specifier.startsWith('@shared/')
    ? specifier.replace('@shared/', 'src-shared/')
    : specifier.startsWith('.') && posix.normalize(posix.join(posix.dirname(from), specifier))
  if (!base) return undefined
  return ['', '.ts', '.tsx', '.mjs']
    .map(end => base + end)
    .find(path => /\.\w+$/.test(path) && existsSync(join(root, path)))
}

/** Tells whether a file uses a name it declares: whether it stands there more than once. */
function isUsedInside(source, name) {
  let count = 0
  const visit = node => {
    if (ts.isIdentifier(node) && node.text === name) count++
    ts.forEachChild(node, visit)
  }
  visit(source)
  return count > 1
}

/** What one file exports and what it uses of others: `file#name`, or `file#*` for all of it. */
function readFile(root, path) {
  const source = ts.createSourceFile(
    path,
    readFileSync(join(root, path), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )
  const exports = []
  const uses = []
  const use = (specifier, names) => {
    const file = target(root, path, specifier)
    if (file !== undefined) uses.push(...names.map(name => `${file}#${name}`))
  }
  const namesOf = bindings => {
    if (bindings === undefined) return []
    if (ts.isNamespaceImport(bindings) || ts.isNamespaceExport(bindings)) return ['*']
    return bindings.elements.map(element => (element.propertyName ?? element.name).text)
  }
  const visit = node => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
    if (ts.isImportDeclaration(node))
      use(node.moduleSpecifier.text, namesOf(node.importClause?.namedBindings))
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      use(node.moduleSpecifier.text, node.exportClause ? namesOf(node.exportClause) : ['*'])
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      if (ts.isStringLiteralLike(node.arguments[0])) use(node.arguments[0].text, ['*'])
    } else if (hasModifier(node, ts.SyntaxKind.ExportKeyword)) {
      exports.push(
        ...declaredNames(node).map(name => ({ key: `${path}#${name.text}`, path, line, name: name.text })),
      )
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { exports: exports.filter(({ name }) => !isUsedInside(source, name)), uses }
}

/** Lists the exported values that nothing uses, as `path:line: name`. */
export function deadExports(root, folders = FOLDERS) {
  const files = sourceFiles(root, folders).filter(path => /\.(ts|tsx|mjs)$/.test(path))
  if (files.length === 0) throw new Failure('The check for unused exports found no source file.')
  const read = files.map(path => readFile(root, path))
  const used = new Set(read.flatMap(({ uses }) => uses))
  return read
    .flatMap(({ exports }) => exports)
    .filter(({ key, path }) => !used.has(key) && !used.has(`${path}#*`) && !ENTRIES.test(path))
    .map(({ path, line, name }) => `${path}:${line}: ${name}`)
}

function main() {
  const found = deadExports(ROOT)
  for (const one of found) process.stdout.write(`${one} is exported, and nothing uses it\n`)
  return found.length > 0 ? 1 : 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runMain(main)
