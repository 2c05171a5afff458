import { describe, expect, it } from 'vitest'
import { installKey, matchesLock } from './packages.mjs'

const lockOf = packages => JSON.stringify({ packages: { '': { name: 'grove' }, ...packages } })
const installedOf = packages => JSON.stringify({ packages })
const A = { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } }
const OPTIONAL = { 'node_modules/other-system': { version: '1.0.0', integrity: 'sha512-o', optional: true } }

describe('installed packages', () => {
  it('match a lock file that asks for the same', () => {
    expect(matchesLock(lockOf(A), installedOf(A))).toBe(true)
  })

  it('may lack what is optional: binaries for other systems', () => {
    expect(matchesLock(lockOf({ ...A, ...OPTIONAL }), installedOf(A))).toBe(true)
  })

  it.each([
    ['one is missing', A, {}],
    ['one has another version', A, { 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } }],
    ['one has other contents', A, { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } }],
    ['one is no longer asked for', {}, A],
  ])('do not match when %s', (_, wanted, installed) => {
    expect(matchesLock(lockOf(wanted), installedOf(installed))).toBe(false)
  })

  it('belong to a lock file and a machine', () => {
    expect(installKey('lock', 'linux', 'x64')).toBe(installKey('lock', 'linux', 'x64'))
    expect(installKey('lock', 'linux', 'x64')).not.toBe(installKey('lock', 'linux', 'arm64'))
    expect(installKey('lock', 'linux', 'x64')).not.toBe(installKey('lock2', 'linux', 'x64'))
  })
})
