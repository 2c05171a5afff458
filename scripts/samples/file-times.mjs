/** Modification times of a finished tree: files keep what they were given, directories follow their newest file. */
import { lstatSync, lutimesSync, readdirSync } from 'node:fs'
import path from 'node:path'

/**
 * Give each file below `root` its time from `times` (path to Unix ms) or `fallback`, and each directory
 * the newest time below it. Symbolic links are set themselves, never what they point to.
 */
export function settleTimes(root, times, fallback) {
  let newest = fallback
  for (const name of readdirSync(root).sort()) {
    const full = path.join(root, name)
    const at = lstatSync(full).isDirectory()
      ? settleTimes(full, times, fallback)
      : settle(full, times.get(full) ?? fallback)
    newest = Math.max(newest, at)
  }
  return settle(root, times.get(root) ?? newest)
}

function settle(target, ms) {
  lutimesSync(target, ms / 1000, ms / 1000)
  return ms
}
