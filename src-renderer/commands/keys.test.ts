import { COMMANDS } from '@shared/commands'
import { describe, expect, it } from 'vitest'
import { type KeyPress, matchesKeys, showKeys } from './keys'

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})

describe('keys', () => {
  it('mean Cmd on macOS and Ctrl elsewhere', () => {
    expect(matchesKeys(press('k', { ctrlKey: true }), 'CmdOrCtrl+K', false)).toBe(true)
    expect(matchesKeys(press('k', { metaKey: true }), 'CmdOrCtrl+K', false)).toBe(false)
    expect(matchesKeys(press('k', { metaKey: true }), 'CmdOrCtrl+K', true)).toBe(true)
  })

  it('do not match with more or fewer keys held', () => {
    expect(matchesKeys(press('k'), 'CmdOrCtrl+K', false)).toBe(false)
    expect(matchesKeys(press('B', { ctrlKey: true, shiftKey: true }), 'CmdOrCtrl+B', false)).toBe(false)
    expect(matchesKeys(press('B', { ctrlKey: true, shiftKey: true }), 'CmdOrCtrl+Shift+B', false)).toBe(true)
    expect(matchesKeys(press('F6', { shiftKey: true }), 'F6', false)).toBe(false)
  })

  it('match signs however the keyboard makes them', () => {
    expect(matchesKeys(press('?', { shiftKey: true }), '?', false)).toBe(true)
    expect(matchesKeys(press('?'), '?', false)).toBe(true)
  })

  it('match arrows by their short names', () => {
    expect(matchesKeys(press('ArrowLeft', { altKey: true }), 'Alt+Left', false)).toBe(true)
  })

  it('are written for people', () => {
    expect(showKeys('CmdOrCtrl+Shift+C', false)).toBe('Ctrl Shift C')
    expect(showKeys('CmdOrCtrl+Shift+C', true)).toBe('⇧⌘C')
    expect(showKeys('Delete', false)).toBe('Del')
    expect(showKeys('Alt+Left', false)).toBe('Alt ←')
  })

  it('belong to one command each', () => {
    const all = COMMANDS.flatMap(command => command.keys.map(String))
    expect(new Set(all).size).toBe(all.length)
    expect(new Set(COMMANDS.map(({ id }) => id)).size).toBe(COMMANDS.length)
  })
})
