import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Files that take no part in the build. */
const isIgnored = name => /\.test\.tsx?$|\.md$/.test(name) || name.startsWith('.')

/** All files below the given files and folders (those that exist), sorted; symlinks are not followed. */
export function listFiles(paths) {
  const files = []
  const visit = path => {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat?.isFile()) files.push(path)
    if (!stat?.isDirectory()) return
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (isIgnored(entry.name)) continue
      if (entry.isDirectory()) visit(join(path, entry.name))
      else if (entry.isFile()) files.push(join(path, entry.name))
    }
  }
  for (const path of paths) visit(path)
  return files.sort()
}

const digest = lines => createHash('sha256').update(lines.join('\n')).digest('hex')

/** A quick fingerprint of files: names, sizes and modification times. Reads no content. */
export function quickDigest(root, files) {
  return digest(
    files.map(file => {
      const { size, mtimeMs } = statSync(file)
      return `${relative(root, file)} ${size} ${mtimeMs}`
    }),
  )
}

/** A fingerprint of names and contents, which a fresh clone or a mere `touch` does not change. */
export function contentDigest(root, files) {
  const hash = file => createHash('sha256').update(readFileSync(file)).digest('hex')
  return digest(files.map(file => `${relative(root, file)} ${hash(file)}`))
}

/**
 * Compares inputs and outputs with a stamp of the last build.
 *
 * @returns `fresh` (nothing changed), `touched` (times changed, contents did not: write the stamp anew) or `stale`
 */
export function judge(stamp, { root, inputs, outputs, required }) {
  if (stamp === undefined || required.some(file => !outputs.includes(file))) return 'stale'
  if (stamp.outputs !== quickDigest(root, outputs)) return 'stale'
  if (stamp.quick === quickDigest(root, inputs)) return 'fresh'
  return stamp.content === contentDigest(root, inputs) ? 'touched' : 'stale'
}

/** The stamp to keep after a build. `inputs` is taken before it, so that an edit meanwhile counts as a change. */
export function stampOf(root, inputDigests, outputs) {
  return { ...inputDigests, outputs: quickDigest(root, outputs) }
}
