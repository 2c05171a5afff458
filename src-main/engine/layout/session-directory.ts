/** Where the sessions of a working directory lie. Looks at links only; makes nothing. Rule: docs/format.md, Directory names. */
import path from 'node:path'
import type { Environment } from '../environment'
import { attempt } from '../storage/errors'
import type { FileSystem } from '../storage/file-system'
import type { AgentLayout } from './agent-directories'
import { cwdDirectoryName } from './cwd-directory-name'

/** The directory of the sessions root, absolute, in which omp keeps the sessions of `cwd`. */
export function sessionDirectoryFor(
  env: Environment,
  layout: Pick<AgentLayout, 'sessionsDir'>,
  cwd: string,
): string {
  return path.join(layout.sessionsDir, directoryNameOf(env, path.resolve(cwd)))
}

/** The name that this directory has in every sessions root. `cwd` is taken as it is spelled: it can be another system's. */
export function directoryNameOf(env: Environment, cwd: string): string {
  return cwdDirectoryName({
    canonicalCwd: realOrSame(env, cwd),
    canonicalHome: realOrSame(env, env.home),
    canonicalTemp: realOrSame(env, env.tempDir),
  })
}

/** The path with links resolved, or as it is where they do not resolve. */
export function realOrSame(env: Environment, target: string): string {
  const real = attempt('look at', target, () => env.fs.realPath(target))
  return real.ok ? real.value : target
}

/** Whether a folder is there and can be looked at. */
export function isFolder(fs: FileSystem, target: string): boolean {
  const stat = attempt('look at', target, () => fs.stat(target))
  return stat.ok && stat.value.kind === 'directory'
}
