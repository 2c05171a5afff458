import { Failure } from './failure.mjs'

const OLDEST = [20, 19]

/** Tells whether a version such as `20.19.0` is new enough. */
export function isSupportedNode(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

/** Stops with a clear message on a Node.js that is too old. */
export function requireSupportedNode(version = process.versions.node) {
  if (!isSupportedNode(version)) {
    throw new Failure(`Grove needs Node.js ${OLDEST.join('.')} or later; this is ${version}.`)
  }
}
