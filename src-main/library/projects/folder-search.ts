/**
 * Walking the folders among which a moved project is looked for: near the old place first, then the usual places
 * for code. Bounded in depth, count and time; follows no symbolic link; only lists directories.
 */
import path from 'node:path'
import type { Environment, WorkContext } from '../../engine/environment'
import { foldersAbove, relativeBelow } from './folder-paths'

/** Folders whose children are listed. */
const MAX_LISTED = 3_000
/** Folders answered. */
const MAX_FOUND = 30_000
const MAX_MS = 4_000
/** Levels below an existing folder above the old place. */
const DEPTH_NEAR = 3
const DEPTH_FAR = 2

const CODE_FOLDERS = [
  'code',
  'Code',
  'src',
  'dev',
  'Developer',
  'Development',
  'work',
  'Work',
  'workspace',
  'projects',
  'Projects',
  'repos',
  'git',
  'go/src',
  'source/repos',
  'Documents',
  'Desktop',
]

/** Never a place for a project, and large. */
const SKIPPED = new Set([
  'node_modules',
  '__pycache__',
  'vendor',
  'target',
  'dist',
  'build',
  'Library',
  'AppData',
])
const SYSTEM_FOLDERS = new Set([
  '/proc',
  '/sys',
  '/dev',
  '/run',
  '/boot',
  '/lib',
  '/usr',
  '/etc',
  '/bin',
  '/sbin',
])

type Place = { folder: string; depth: number }

/** Where to look for what was at `gone`, in the order in which it is looked at. */
export function searchPlaces(env: Environment, gone: string, otherFolders: readonly string[]): Place[] {
  const existing = foldersAbove(gone).filter(folder => isFolder(env, folder))
  const places: Place[] = existing.map((folder, at) => ({
    folder,
    depth: foldersAbove(folder).length === 0 ? 1 : at === 0 ? DEPTH_NEAR : DEPTH_FAR,
  }))
  places.push({ folder: env.home, depth: DEPTH_FAR })
  for (const name of CODE_FOLDERS) places.push({ folder: path.join(env.home, name), depth: DEPTH_FAR })
  const parents = new Set(otherFolders.map(folder => path.dirname(folder)))
  for (const folder of parents) places.push({ folder, depth: 1 })
  return places
}

/**
 * Every folder at or below the places, each once, nearest first; the places themselves are not answered. Stops in
 * silence at its bounds: what it finds are suggestions, and a missing one is chosen by hand.
 */
export async function* searchFolders(
  env: Environment,
  places: readonly Place[],
  work: WorkContext,
): AsyncGenerator<string> {
  const deadline = env.now() + MAX_MS
  const answered = new Set<string>()
  const listedDepth = new Map<string, number>()
  let listed = 0
  for (const place of places) {
    let level = [place.folder]
    for (let depth = place.depth; depth > 0 && level.length > 0; depth--) {
      const next: string[] = []
      for (const folder of level) {
        // Listed before with as many levels to go: nothing new below it.
        if ((listedDepth.get(folder) ?? 0) >= depth) continue
        listedDepth.set(folder, depth)
        if (++listed > MAX_LISTED || env.now() > deadline) return
        await work.breathe()
        for (const child of childFolders(env, folder)) {
          next.push(child)
          if (answered.has(child)) continue
          answered.add(child)
          if (answered.size > MAX_FOUND) return
          yield child
        }
      }
      level = next
    }
  }
}

function childFolders(env: Environment, folder: string): string[] {
  try {
    return env.fs
      .readDirectory(folder)
      .filter(entry => entry.kind === 'directory' && !entry.name.startsWith('.') && !SKIPPED.has(entry.name))
      .map(entry => path.join(folder, entry.name))
      .filter(child => !SYSTEM_FOLDERS.has(child))
  } catch {
    return []
  }
}

export function isFolder(env: Environment, folder: string): boolean {
  try {
    return env.fs.stat(folder).kind === 'directory'
  } catch {
    return false
  }
}

/** How many steps lie between two folders: up to what they share, and down again. */
export function folderDistance(a: string, b: string): number {
  const shared = [a, ...foldersAbove(a)].find(folder => relativeBelow(folder, b) !== undefined)
  if (shared === undefined) return foldersAbove(a).length + foldersAbove(b).length
  return foldersAbove(a).length + foldersAbove(b).length - 2 * foldersAbove(shared).length
}
