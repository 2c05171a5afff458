/** Keys of commands: reading an accelerator, comparing it with a key press, writing it for people. */

export type KeyPress = {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

type Chord = { key: string; command: boolean; ctrl: boolean; alt: boolean; shift: boolean }

/** Electron's names of keys, as `KeyboardEvent.key` has them. */
const EVENT_KEYS: Readonly<Record<string, string>> = {
  left: 'arrowleft',
  right: 'arrowright',
  up: 'arrowup',
  down: 'arrowdown',
  space: ' ',
}

function parseAccelerator(accelerator: string): Chord {
  const chord: Chord = { key: '', command: false, ctrl: false, alt: false, shift: false }
  for (const part of accelerator.split('+')) {
    const name = part.toLowerCase()
    if (name === 'cmdorctrl') chord.command = true
    else if (name === 'ctrl') chord.ctrl = true
    else if (name === 'alt') chord.alt = true
    else if (name === 'shift') chord.shift = true
    else chord.key = EVENT_KEYS[name] ?? name
  }
  return chord
}

/** True when this press is that accelerator. `CmdOrCtrl` is Cmd on macOS and Ctrl elsewhere. */
export function matchesKeys(press: KeyPress, accelerator: string, mac: boolean): boolean {
  const chord = parseAccelerator(accelerator)
  const ctrl = chord.ctrl || (chord.command && !mac)
  const meta = chord.command && mac
  if (press.ctrlKey !== ctrl || press.metaKey !== meta || press.altKey !== chord.alt) return false
  if (press.key.toLowerCase() !== chord.key) return false
  // A sign such as `?` already says how it is typed, and layouts differ in whether that takes Shift.
  const isSign = chord.key.length === 1 && !/[a-z0-9 ]/.test(chord.key)
  return isSign || press.shiftKey === chord.shift
}

const SHOWN: Readonly<Record<string, string>> = {
  escape: 'Esc',
  delete: 'Del',
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
  ' ': 'Space',
}

/** `Ctrl K`, or `⌘K` on macOS. */
export function showKeys(accelerator: string, mac: boolean): string {
  const chord = parseAccelerator(accelerator)
  const name = chord.key
  const key =
    SHOWN[name] ?? (name.length === 1 ? name.toUpperCase() : name.charAt(0).toUpperCase() + name.slice(1))
  const parts = mac
    ? [chord.ctrl && '⌃', chord.alt && '⌥', chord.shift && '⇧', chord.command && '⌘']
    : [(chord.ctrl || chord.command) && 'Ctrl', chord.alt && 'Alt', chord.shift && 'Shift']
  const shown = parts.filter(part => part !== false)
  return mac ? [...shown, key].join('') : [...shown, key].join(' ')
}
