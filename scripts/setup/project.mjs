import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the checkout; every script works on this folder, wherever it is called from. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** Stamps, results and the Electron fallback. Git ignores it, and it may be removed at any time. */
export const CACHE = join(ROOT, '.cache')

/** Joins path parts below the root. */
export const inRoot = (...parts) => join(ROOT, ...parts)
