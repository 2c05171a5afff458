/**
 * The roots that the library shows: omp's agent directory and its profiles, pi's (read-only), and those the
 * user added. Rule: docs/format.md, Agent directory.
 */
import path from 'node:path'
import type { Environment } from '../engine/environment'
import {
  type AgentLayout,
  activeProfile,
  ompLayout,
  plainLayout,
  profilesOnDisk,
} from '../engine/layout/agent-directories'
import { errnoOf } from '../engine/storage/errors'

export type LibraryRoot = {
  /** Stable name of the root: its agent directory. */
  id: string
  name: string
  kind: 'omp' | 'profile' | 'pi' | 'added'
  /** Another program's directory, of which only the format is shared: shown, never changed. */
  readOnly: boolean
  layout: AgentLayout
}

/** The roots of this user, each once. `only` is `--agent-dir`: that directory and nothing else. */
export function libraryRoots(env: Environment, added: readonly string[], only: string | null): LibraryRoot[] {
  if (only !== null) {
    const layout = plainLayout(path.resolve(only))
    const isPi = piRoot(env).some(pi => pi.layout.sessionsDir === layout.sessionsDir)
    return [root('added', path.basename(only), layout, isPi)]
  }
  const profile = activeProfile(env)
  const names = profilesOnDisk(env)
  const all = [
    root('omp', 'omp', ompLayout(env, null), false),
    ...[...new Set(profile === null ? names : [profile, ...names])].map(name =>
      root('profile', `omp, ${name}`, ompLayout(env, name), false),
    ),
    ...piRoot(env),
    ...added.map(directory => root('added', path.basename(directory), plainLayout(directory), false)),
  ]
  const seen = new Set<string>()
  return all.filter(({ layout }) => {
    const known = seen.has(layout.sessionsDir)
    seen.add(layout.sessionsDir)
    return !known
  })
}

function piRoot(env: Environment): LibraryRoot[] {
  const layout = plainLayout(path.join(env.home, '.pi', 'agent'))
  try {
    return env.fs.stat(layout.sessionsDir).kind === 'directory' ? [root('pi', 'pi', layout, true)] : []
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown
    return []
  }
}

function root(kind: LibraryRoot['kind'], name: string, layout: AgentLayout, readOnly: boolean): LibraryRoot {
  return { id: layout.agentDir, name, kind, readOnly, layout }
}
