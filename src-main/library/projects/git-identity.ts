/**
 * What a folder's Git repository is, wherever the folder lies: its first commit and its remote. Read from the
 * files of the repository, git is never run (it would be a program started by looking, with the repository's own
 * configuration). Bounded; null is "cannot be told cheaply".
 */
import path from 'node:path'
import type { WorkContext } from '../../engine/environment'
import type { FileSystem } from '../../engine/storage/file-system'
import { foldersAbove, relativeBelow } from './folder-paths'
import { GIT_COMMIT, GitObjects, readWhole } from './git-objects'

export type GitIdentity = {
  /** Hash of the commit without parents that first parents lead to. */
  rootCommit: string | null
  /** `host/path` of origin (or the first remote): without scheme, user, password and `.git`. */
  remote: string | null
  /** Way from the top of the repository to the folder; `''` for the top itself. */
  below: string
}

/** Folders looked at upwards for a `.git`. */
const MAX_CLIMB = 6
/** Commits walked back; a longer history is recognised by its remote. */
const MAX_COMMITS = 20_000
const MAX_TEXT_BYTES = 4 * 1024 * 1024
const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

type Repository = { gitDir: string; commonDir: string; below: string }

/**
 * Identity of the repository in which `folder` lies, or null when it lies in none. A repository whose top is the
 * home folder or above it is none: it tells nothing about one project.
 */
export async function readGitIdentity(
  fs: FileSystem,
  folder: string,
  home: string,
  work: WorkContext,
): Promise<GitIdentity | null> {
  const repository = findRepository(fs, folder, home)
  if (repository === null) return null
  return {
    rootCommit: await firstCommit(fs, repository, work),
    remote: readRemote(fs, repository),
    below: repository.below,
  }
}

/** The remote alone: one small file, so many folders can be asked. */
export function readRepositoryRemote(fs: FileSystem, folder: string): string | null {
  const repository = repositoryAt(fs, folder, '')
  return repository === null ? null : readRemote(fs, repository)
}

function findRepository(fs: FileSystem, folder: string, home: string): Repository | null {
  for (const top of [folder, ...foldersAbove(folder)].slice(0, MAX_CLIMB)) {
    if (relativeBelow(top, home) !== undefined) return null
    const repository = repositoryAt(fs, top, relativeBelow(top, folder) ?? '')
    if (repository !== null) return repository
  }
  return null
}

function repositoryAt(fs: FileSystem, top: string, below: string): Repository | null {
  const dot = path.join(top, '.git')
  try {
    const kind = fs.stat(dot).kind
    if (kind === 'directory') return { gitDir: dot, commonDir: dot, below }
    if (kind !== 'file') return null
  } catch {
    return null
  }
  // A worktree or submodule: the file names the directory, which names the one it shares.
  const pointer = /^gitdir: (.+)$/m.exec(readText(fs, dot) ?? '')?.[1]
  if (pointer === undefined) return null
  const gitDir = path.resolve(top, pointer.trim())
  const common = readText(fs, path.join(gitDir, 'commondir'))
  return { gitDir, commonDir: common === null ? gitDir : path.resolve(gitDir, common.trim()), below }
}

async function firstCommit(
  fs: FileSystem,
  repository: Repository,
  work: WorkContext,
): Promise<string | null> {
  let hash = readHead(fs, repository)
  if (hash === null) return null
  const objects = new GitObjects(fs, path.join(repository.commonDir, 'objects'), hash.length / 2)
  for (let count = 0; count < MAX_COMMITS; count++) {
    if (count % 200 === 199) await work.breathe()
    const commit = objects.read(hash)
    if (commit === null || commit.type !== GIT_COMMIT) return null
    const parent = firstParent(commit.body.toString('latin1'))
    if (parent === null) return hash
    hash = parent
  }
  return null
}

/** Only in the head of the commit: its message may say anything. */
function firstParent(commit: string): string | null {
  const head = commit.slice(0, commit.indexOf('\n\n') + 1)
  const parent = /^parent ([0-9a-f]+)$/m.exec(head)?.[1]
  return parent !== undefined && HASH.test(parent) ? parent : null
}

function readHead(fs: FileSystem, { gitDir, commonDir }: Repository): string | null {
  let text = readText(fs, path.join(gitDir, 'HEAD'))?.trim()
  for (let step = 0; step < 5 && text !== undefined; step++) {
    if (HASH.test(text)) return text
    const ref = /^ref: (refs\/[^\0]+)$/.exec(text)?.[1]
    if (ref === undefined || ref.split('/').includes('..')) return null
    text =
      readText(fs, path.join(gitDir, ref))?.trim() ??
      readText(fs, path.join(commonDir, ref))?.trim() ??
      packedRef(fs, commonDir, ref)
  }
  return null
}

function packedRef(fs: FileSystem, commonDir: string, ref: string): string | undefined {
  const lines = readText(fs, path.join(commonDir, 'packed-refs'))?.split('\n') ?? []
  return lines.find(line => line.endsWith(` ${ref}`))?.split(' ')[0]
}

function readRemote(fs: FileSystem, { commonDir }: Repository): string | null {
  const urls = new Map<string, string>()
  let section: string | null = null
  for (const line of (readText(fs, path.join(commonDir, 'config')) ?? '').split('\n')) {
    const head = /^\s*\[(.*)\]\s*$/.exec(line)?.[1]
    if (head !== undefined) section = /^remote "(.*)"$/.exec(head)?.[1] ?? null
    const url = /^\s*url\s*=\s*(.+?)\s*$/.exec(line)?.[1]
    if (section !== null && url !== undefined && !urls.has(section)) urls.set(section, url)
  }
  const url = urls.get('origin') ?? [...urls.values()][0]
  return url === undefined ? null : normalRemote(url)
}

/**
 * One spelling for the ways to write a remote: `git@host:a/b.git`, `ssh://git@host/a/b`, `https://user:secret@host/a/b`
 * are all `host/a/b`. A password never gets into what is noted. Null for a folder on this machine.
 */
export function normalRemote(url: string): string | null {
  const text = url.replace(/^"|"$/g, '')
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(text)
  const short = /^(?:[^/@:]+@)?([^/:]{2,}):(?!\/\/)(.+)$/.exec(text)
  const found = withScheme ?? short
  if (found === null || /^file:/i.test(text)) return null
  const way = (found[2] ?? '').replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')
  return way === '' ? null : `${(found[1] ?? '').toLowerCase()}/${way}`
}

function readText(fs: FileSystem, file: string): string | null {
  return readWhole(fs, file, MAX_TEXT_BYTES)?.toString('utf8') ?? null
}
