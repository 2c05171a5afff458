import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const SKIPPED = new Set(['node_modules', 'out', '.cache', '.git', 'test-results', 'coverage', 'dist'])

/** All files below some folders (or files) of a tree, as sorted paths from its root with forward slashes. */
export function sourceFiles(root, paths = ['.']) {
  const files = []
  const visit = path => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false })
    if (stat?.isFile()) files.push(path)
    if (!stat?.isDirectory()) return
    for (const name of readdirSync(join(root, path))) {
      if (!SKIPPED.has(name)) visit(path === '.' ? name : `${path}/${name}`)
    }
  }
  for (const path of paths) visit(path)
  return files.sort()
}
