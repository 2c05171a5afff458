/** Modification times of a finished tree: files keep what they were given, directories follow their newest file. */
import { lstatSync, lutimesSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** Seconds for `utimes`: a little more than `ms`, so that cutting to whole microseconds gives `ms` again. */
export function utimesSeconds(ms) {
  return (ms + 0.0004) / 1000
}

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
  lutimesSync(target, utimesSeconds(ms), utimesSeconds(ms))
  return ms
}
