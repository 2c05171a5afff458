import { isBuiltin } from 'node:module'
import { layerOf, TEST_EXTRAS, TEST_FILE } from './layer-table.mjs'

/** The package a bare specifier names: `@scope/name/sub` gives `@scope/name`. */
function packageOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

const names = (packages, name) =>
  packages.some(one => (typeof one === 'string' ? one === name : one.test(name)))

/** The feature (or other first folder) that a file of a layer lies in. */
const folderOf = file => file.split('/').slice(0, 3).join('/')

function judgePackage(layer, extras, specifier) {
  const name = packageOf(specifier)
  if (name === 'electron' && !names(layer.packages, name))
    return 'electron belongs to src-main/shell and preload'
  return names(layer.packages, name) || names(extras.packages, name)
    ? undefined
    : `${layer.name} may not use ${name}`
}

function judgeOwn(layer, extras, { from, to, typeOnly }) {
  if (TEST_FILE.test(to) && !TEST_FILE.test(from)) return 'only tests may import a test file'
  if (layer.publicOnly?.some(path => path.test(to))) return undefined
  const target = layerOf(to)
  if (target === undefined) return `${to} belongs to no layer`
  if (layer.isolated && target === layer && folderOf(from) !== folderOf(to))
    return 'a feature may not import another'
  if (layer.solitary?.test(from) && layer.solitary.test(to)) return 'a store may not import another store'
  if (layer.own.includes(target.name) || extras.own.includes(target.name)) return undefined
  if (layer.types?.includes(target.name)) {
    return typeOnly ? undefined : `${layer.name} may import only types from ${target.name}`
  }
  return `${layer.name} may not import ${target.name}`
}

/**
 * Judges one import.
 *
 * @param {{ from: string, specifier: string, to: string | undefined, typeOnly: boolean }} dependency `to` is the
 *   file from the project's root, or undefined for a built-in module or a package
 * @returns {string | undefined} why it is forbidden
 */
export function judgeImport({ from, specifier, to, typeOnly }) {
  const layer = layerOf(from)
  if (layer === undefined) return `${from} belongs to no layer`
  const extras = TEST_FILE.test(from) ? TEST_EXTRAS : { own: [], packages: [], node: false }
  if (to !== undefined) return judgeOwn(layer, extras, { from, to, typeOnly })
  if (isBuiltin(specifier))
    return layer.node || extras.node ? undefined : `${layer.name} may not use Node.js's modules`
  return judgePackage(layer, extras, specifier)
}
