/**
 * Where omp keeps things: agent directory, profiles, XDG. Pure apart from asking whether a directory exists;
 * creates nothing. Rule: docs/format.md, Agent directory.
 */
import path from 'node:path'
import type { Environment } from '../environment'
import { errnoOf } from '../storage/errors'

export type AgentLayout = {
  /** Config files and pins lie here. */
  agentDir: string
  sessionsDir: string
  blobsDir: string
  breadcrumbsDir: string
  customFilesDir: string
  pinsFile: string
  archiveDir: string
}

/** Where omp's `gc` puts the sessions that it archives, in folders named as in the sessions root. */
export function archivedSessionsDir({ archiveDir }: Pick<AgentLayout, 'archiveDir'>): string {
  return path.join(archiveDir, 'sessions')
}

const PROFILE = /^[a-z0-9][a-z0-9._-]{0,63}$/
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/

/** The layout with everything below one directory, as with `--agent-dir`. */
export function plainLayout(agentDir: string): AgentLayout {
  return layoutOf(agentDir, agentDir, agentDir)
}

function layoutOf(agentDir: string, data: string, state: string): AgentLayout {
  return {
    agentDir,
    sessionsDir: path.join(data, 'sessions'),
    blobsDir: path.join(data, 'blobs'),
    breadcrumbsDir: path.join(state, 'terminal-sessions'),
    customFilesDir: path.join(state, 'custom-session-files'),
    pinsFile: path.join(agentDir, 'session-pins.json'),
    archiveDir: path.join(data, 'archive'),
  }
}

/** omp's config root, `~/.omp` unless `PI_CONFIG_DIR` names another directory of the home folder. */
export function configRoot(env: Environment): string {
  return path.join(env.home, env.env.PI_CONFIG_DIR || '.omp')
}

export function isProfileName(name: string): boolean {
  return PROFILE.test(name) && !name.endsWith('.') && !WINDOWS_DEVICE.test(name)
}

/** The profile that the environment names, or null for none (or a bad one, which omp ignores too). */
export function activeProfile(env: Environment): string | null {
  const value = (env.env.OMP_PROFILE ?? env.env.PI_PROFILE ?? '').trim()
  return value === '' || value === 'default' || !isProfileName(value) ? null : value
}

/** The agent directory of a profile (null: no profile), with XDG directories where they are in use. */
export function ompLayout(env: Environment, profile: string | null): AgentLayout {
  const root = profile === null ? configRoot(env) : path.join(configRoot(env), 'profiles', profile)
  const override = profile === null ? agentDirOverride(env) : null
  if (override !== null) return plainLayout(override)
  const agentDir = path.join(root, 'agent')
  const data = xdgDirectory(env, 'XDG_DATA_HOME', profile) ?? agentDir
  const state = xdgDirectory(env, 'XDG_STATE_HOME', profile) ?? agentDir
  return layoutOf(agentDir, data, state)
}

/** `PI_CODING_AGENT_DIR`; omp itself sets it to a profile's directory for its children, which is no override. */
function agentDirOverride(env: Environment): string | null {
  const value = env.env.PI_CODING_AGENT_DIR
  if (value === undefined || value === '') return null
  const directory = path.resolve(value)
  const [profile, agent, ...deeper] = path
    .relative(path.join(configRoot(env), 'profiles'), directory)
    .split(path.sep)
  const ofProfile =
    profile !== undefined && isProfileName(profile) && agent === 'agent' && deeper.length === 0
  return ofProfile ? null : directory
}

/** True when this is the agent directory that omp uses without being told otherwise. */
export function isDefaultAgentDir(env: Environment, agentDir: string): boolean {
  return path.resolve(agentDir) === path.join(env.home, '.omp', 'agent')
}

function xdgDirectory(env: Environment, variable: string, profile: string | null): string | null {
  if (env.platform !== 'linux' && env.platform !== 'darwin') return null
  const base = env.env[variable]
  if (base === undefined || base === '') return null
  const directory = profile === null ? path.join(base, 'omp') : path.join(base, 'omp', 'profiles', profile)
  return isDirectory(env, directory) ? directory : null
}

/** Names of the profiles that exist on disk, sorted. */
export function profilesOnDisk(env: Environment): string[] {
  try {
    return env.fs
      .readDirectory(path.join(configRoot(env), 'profiles'))
      .filter(entry => entry.kind === 'directory' && isProfileName(entry.name))
      .map(entry => entry.name)
      .sort()
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown
    return []
  }
}

function isDirectory(env: Environment, directory: string): boolean {
  try {
    return env.fs.stat(directory).kind === 'directory'
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown
    return false
  }
}
