import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testEnvironment } from '../reroot/test-environment.test-support'
import { projectState } from './project-state'

let home: string
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-state-'))
})
afterEach(() => fs.rmSync(home, { recursive: true, force: true }))

describe('projectState', () => {
  it('tells present, missing and a file in its place', () => {
    const env = testEnvironment(home)
    fs.mkdirSync(path.join(home, 'here'))
    fs.writeFileSync(path.join(home, 'file'), '')
    expect(projectState(env, path.join(home, 'here'))).toEqual({ state: 'present', reason: null })
    expect(projectState(env, `${home}/here/`).state).toBe('present')
    expect(projectState(env, path.join(home, 'gone'))).toEqual({
      state: 'missing',
      reason: `The folder ${home}/gone is gone.`,
    })
    expect(projectState(env, path.join(home, 'file')).state).toBe('missing')
    expect(projectState(env, path.join(home, 'file', 'x')).reason).toContain('is a file now')
  })

  it('says unknown without a full path, and other-system for a path of the other system', () => {
    const env = testEnvironment(home)
    expect(projectState(env, null).state).toBe('unknown')
    expect(projectState(env, 'code/app').state).toBe('unknown')
    expect(projectState(env, '/a\0b').state).toBe('unknown')
    expect(projectState(env, 'C:\\code\\app').state).toBe('other-system')
    expect(projectState(env, '\\\\server\\share\\app').state).toBe('other-system')
    expect(projectState({ ...env, platform: 'win32' }, '/home/u/app').state).toBe('other-system')
  })

  it('says unreachable for any other failure', () => {
    const env = testEnvironment(home)
    fs.symlinkSync('loop', path.join(home, 'loop'))
    expect(projectState(env, path.join(home, 'loop')).state).toBe('unreachable')
    const stat = () => {
      throw Object.assign(new Error('no'), { code: 'EACCES' })
    }
    const denied = projectState({ ...env, fs: { ...env.fs, stat } }, '/root/x')
    expect(denied).toEqual({
      state: 'unreachable',
      reason: '/root/x cannot be looked at: permission denied (EACCES).',
    })
  })

  it('blames a volume that is not mounted, and no other', () => {
    const env = testEnvironment(home)
    expect(projectState(env, '/mnt/no-such-disk/app')).toEqual({
      state: 'unreachable',
      reason: 'The volume /mnt/no-such-disk is not mounted.',
    })
    expect(projectState(env, '/media/u/stick/app').reason).toContain('/media/u/stick')
    expect(projectState(env, '/Volumes/Disk/app').state).toBe('unreachable')
    expect(projectState(env, '/run/media/u/stick/app').state).toBe('unreachable')
    expect(projectState(env, '/mntx/app').state).toBe('missing')
    fs.symlinkSync('/mnt/no-such-disk', path.join(home, 'disk'))
    expect(projectState(env, path.join(home, 'disk', 'app')).state).toBe('unreachable')
  })

  it('says missing for a folder that is gone from a mounted volume', () => {
    const env = testEnvironment(home)
    const real = env.fs
    const mounted = (wanted: string) => wanted === '/mnt/disk' || wanted === '/mnt'
    const base = real.stat('/')
    const fsWithDisk = {
      ...real,
      stat: (wanted: string) =>
        mounted(wanted) ? { ...base, dev: wanted === '/mnt' ? base.dev : base.dev + 1n } : real.stat(wanted),
      lstat: (wanted: string) => (mounted(wanted) ? base : real.lstat(wanted)),
    }
    expect(projectState({ ...env, fs: fsWithDisk }, '/mnt/disk/app').state).toBe('missing')
  })

  it('says unreachable for an absent Windows drive', () => {
    const env = testEnvironment(home)
    expect(projectState({ ...env, platform: 'win32' }, 'Q:\\code\\app')).toEqual({
      state: 'unreachable',
      reason: 'The volume Q:\\ is not mounted.',
    })
  })
})
