import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestEnvironment, testEnvironment } from '../test-environment.test-support'
import {
  activeProfile,
  isDefaultAgentDir,
  isProfileName,
  ompLayout,
  profilesOnDisk,
} from './agent-directories'
import { cwdDirectoryName } from './cwd-directory-name'
import { isPathInside } from './path-inside'
import {
  artifactDirectoryOf,
  isArchive,
  lockPathOf,
  parentJournalOf,
  parseSessionFileName,
  placeBeforeArchive,
  sessionFileName,
} from './session-paths'

describe('cwdDirectoryName', () => {
  const name = (canonicalCwd: string, home = '/home/u', temp = '/tmp') =>
    cwdDirectoryName({ canonicalCwd, canonicalHome: home, canonicalTemp: temp })

  it.each([
    ['/home/u', '-'],
    ['/home/u/proj', '-proj'],
    ['/home/u/proj/my app:x/sub', '-proj-my app-x-sub'],
    ['/tmp', '-tmp'],
    ['/tmp/abc/def', '-tmp-abc-def'],
    ['/usr/local/lib', '--usr-local-lib--'],
    ['/', '----'],
    ['/home/u/..dots/x', '--home-u-..dots-x--'],
    ['/home/user', '--home-user--'],
  ])('%s is %s', (cwd, expected) => expect(name(cwd)).toBe(expected))

  it('knows Windows paths by their looks', () => {
    expect(name('C:\\work\\p', 'C:\\Users\\u', 'C:\\Temp')).toBe('--C--work-p--')
    expect(name('C:\\Users\\u\\p', 'C:\\Users\\u', 'C:\\Temp')).toBe('-p')
    expect(name('D:\\p', 'C:\\Users\\u', 'C:\\Temp')).toBe('--D--p--')
  })

  it('is lossy, which is why a project is named by the header', () =>
    expect(name('/home/u/a/b')).toBe(name('/home/u/a-b')))
})

describe('session file names', () => {
  it('carry time and id, and read back', () => {
    const file = sessionFileName('2026-11-30T08:03:42.920Z', '01a2-b')
    expect(file).toBe('2026-11-30T08-03-42-920Z_01a2-b.jsonl')
    expect(parseSessionFileName(file)).toEqual({
      id: '01a2-b',
      created: Date.parse('2026-11-30T08:03:42.920Z'),
    })
    expect(parseSessionFileName('any.jsonl')).toEqual({ id: null, created: null })
    expect(parseSessionFileName('2026-99-30T08-03-42-920Z_x.jsonl')).toEqual({ id: 'x', created: null })
  })

  it('lead to what lies beside', () => {
    expect(artifactDirectoryOf('/s/a.jsonl')).toBe('/s/a')
    expect(artifactDirectoryOf('/s/a.txt')).toBeNull()
    expect(lockPathOf('/s/a.jsonl')).toBe('/s/.a.jsonl.lock')
    expect(parentJournalOf('/s/a/Fix.jsonl')).toBe('/s/a.jsonl')
  })
})

describe('archived sessions', () => {
  it('are told by their names, and have the artifact directory that their journals had', () => {
    expect([isArchive('/a/x.jsonl.gz'), isArchive('/a/x.jsonl'), isArchive('/a/x.gz')]).toEqual([
      true,
      false,
      false,
    ])
    expect(artifactDirectoryOf('/s/a.jsonl.gz')).toBe('/s/a')
    for (const name of ['.jsonl.gz', '..jsonl.gz', '...jsonl.gz', 'x.json.gz'])
      expect(artifactDirectoryOf(`/s/-p/${name}`)).toBe(null)
    expect(parseSessionFileName('2026-11-30T08-03-42-920Z_01a2-b.jsonl.gz')).toMatchObject({ id: '01a2-b' })
  })

  it('lay before where they lie now, without the archive', () => {
    expect(placeBeforeArchive('/d/archive/sessions/-p/x.jsonl.gz')).toBe('/d/sessions/-p/x.jsonl')
    expect(placeBeforeArchive('/archive/sessions/d/archive/sessions/-p/x.jsonl.gz')).toBe(
      '/archive/sessions/d/sessions/-p/x.jsonl',
    )
    expect(placeBeforeArchive('/d/archive/sessions/-p/x.jsonl')).toBe(null)
    expect(placeBeforeArchive('/downloads/x.jsonl.gz')).toBe(null)
  })
})

it('containment goes by path parts', () => {
  expect(isPathInside('/w/a', '/w/a/b')).toBe(true)
  expect(isPathInside('/w/a', '/w/a')).toBe(true)
  expect(isPathInside('/w/a', '/w/ab')).toBe(false)
  expect(isPathInside('/w/a', '/w')).toBe(false)
  expect(isPathInside('/w/a', '/w/a/..b')).toBe(true)
})

describe('agent directories', () => {
  let env: TestEnvironment
  beforeEach(() => {
    env = testEnvironment({ platform: 'linux' })
  })
  afterEach(() => env.remove())
  const withEnv = (variables: Record<string, string>) => ({ ...env, env: variables })
  const below = (...parts: string[]) => path.join(env.home, ...parts)

  it('are below .omp, or what PI_CONFIG_DIR names', () => {
    expect(ompLayout(env, null)).toMatchObject({
      agentDir: below('.omp/agent'),
      sessionsDir: below('.omp/agent/sessions'),
    })
    expect(ompLayout(withEnv({ PI_CONFIG_DIR: '.other' }), null).agentDir).toBe(below('.other/agent'))
    expect(isDefaultAgentDir(env, below('.omp/agent'))).toBe(true)
  })

  it('are where PI_CODING_AGENT_DIR says, but only without a profile', () => {
    const other = withEnv({ PI_CODING_AGENT_DIR: '/elsewhere' })
    expect(ompLayout(other, null)).toMatchObject({ agentDir: '/elsewhere', blobsDir: '/elsewhere/blobs' })
    expect(ompLayout(other, 'work').agentDir).toBe(below('.omp/profiles/work/agent'))
    // omp sets the variable itself for what runs in a profile.
    const ofProfile = withEnv({ PI_CODING_AGENT_DIR: below('.omp/profiles/work/agent') })
    expect(ompLayout(ofProfile, null).agentDir).toBe(below('.omp/agent'))
  })

  it('lie in XDG directories where those are in use, each class of its own', () => {
    const xdg = withEnv({ XDG_DATA_HOME: below('data'), XDG_STATE_HOME: below('state') })
    expect(ompLayout(xdg, null).sessionsDir).toBe(below('.omp/agent/sessions'))
    env.put('data/omp/x', '')
    expect(ompLayout(xdg, null)).toMatchObject({
      sessionsDir: below('data/omp/sessions'),
      blobsDir: below('data/omp/blobs'),
      breadcrumbsDir: below('.omp/agent/terminal-sessions'),
      pinsFile: below('.omp/agent/session-pins.json'),
    })
    expect(ompLayout(xdg, 'work').sessionsDir).toBe(below('.omp/profiles/work/agent/sessions'))
    env.put('data/omp/profiles/work/x', '')
    expect(ompLayout(xdg, 'work').sessionsDir).toBe(below('data/omp/profiles/work/sessions'))
    expect(ompLayout({ ...xdg, platform: 'win32' }, null).sessionsDir).toBe(below('.omp/agent/sessions'))
  })

  it('take the profile from the environment; a bad name is none', () => {
    const active = (variables: Record<string, string>) => activeProfile(withEnv(variables))
    expect(active({ OMP_PROFILE: ' work ', PI_PROFILE: 'other' })).toBe('work')
    expect(active({ OMP_PROFILE: '', PI_PROFILE: 'other' })).toBeNull()
    expect(active({ PI_PROFILE: 'other' })).toBe('other')
    for (const bad of ['default', '..', 'Work', 'a/b', 'con', 'lpt1.x', 'dot.', '-x', 'x'.repeat(65)])
      expect(active({ OMP_PROFILE: bad })).toBeNull()
    expect(isProfileName('x'.repeat(64))).toBe(true)
  })

  it('know the profiles that exist', () => {
    expect(profilesOnDisk(env)).toEqual([])
    env.put('.omp/profiles/work/agent/x', '')
    env.put('.omp/profiles/alpha/agent/x', '')
    env.put('.omp/profiles/Bad/x', '')
    env.put('.omp/profiles/file', '')
    expect(profilesOnDisk(env)).toEqual(['alpha', 'work'])
  })
})

it('gives no session the directory that it lies in, or the one above, for its artifacts', () => {
  expect(artifactDirectoryOf('/s/-p/x.jsonl')).toBe('/s/-p/x')
  expect(artifactDirectoryOf('/s/-p/....jsonl')).toBe('/s/-p/...')
  for (const name of ['.jsonl', '..jsonl', '...jsonl', 'x.json'])
    expect(artifactDirectoryOf(`/s/-p/${name}`)).toBe(null)
})
