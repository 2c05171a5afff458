/** Rules that need no syntax tree: they look at a file's path and its lines. */

const MAX_LINES = 500
const CODE = /\.(ts|tsx|mjs|cjs|js|css)$/
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/
// Escaped, so that no host stands here either.
const HOSTS = [
  /\bregistry\.[a-z0-9-]+\.(com|org|net|io|dev)\b/,
  /\b(npmmirror|yarnpkg|npmjs|pypi)\.(com|org)\b/,
  /\b(deb|security|archive|ports)\.(debian|ubuntu)\.(org|com)\b/,
]
const RESOLVED = /"resolved":\s*"https?:/

/** Names of the files that code is written in. */
export const isCode = path => CODE.test(path)

export function checkLength(path, lines) {
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length
  return isCode(path) && count > MAX_LINES ? [{ line: count, message: `more than ${MAX_LINES} lines` }] : []
}

export function checkName(path) {
  const wrong = path.split('/').find(part => !KEBAB.test(part))
  return isCode(path) && wrong !== undefined ? [{ line: 1, message: `'${wrong}' is not in kebab-case` }] : []
}

export function checkHosts(path, lines) {
  const patterns = path.endsWith('package-lock.json') ? [...HOSTS, RESOLVED] : HOSTS
  return lines.flatMap((line, at) =>
    patterns.some(pattern => pattern.test(line))
      ? [{ line: at + 1, message: 'names the host of a package registry' }]
      : [],
  )
}

/** The name under which the preload script exposes the bridge, or undefined when it exposes none. */
export function bridgeName(preloadText) {
  return /exposeInMainWorld\(\s*['"](\w+)['"]/.exec(preloadText)?.[1]
}

/** Only src-renderer/api may mention the bridge: as a property of the global object, or in its declaration. */
export function checkBridge(path, lines, bridge) {
  if (bridge === undefined || !path.startsWith('src-renderer/') || path.startsWith('src-renderer/api/'))
    return []
  const mention = new RegExp(`\\b(window|globalThis|self)\\s*(\\?\\.|\\.|(\\?\\.)?\\[['"])\\s*${bridge}\\b`)
  return lines.flatMap((line, at) =>
    mention.test(line) ? [{ line: at + 1, message: 'only src-renderer/api may mention the bridge' }] : [],
  )
}
