/**
 * The bytes of a line that could not be read, fit to be looked at: text where it is text, and an escape for each byte that is
 * no part of a character and for each character that would act or not be seen.
 */
import { err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { SessionDocument } from '../../engine/session/session-document'
import { bufferOf } from '../../engine/storage/byte-source'

export type RawLine = { text: string; bytes: number; cut: boolean }

/** What is damaged or not finished on a line, from its first such byte to its last. */
export function rawLine(document: SessionDocument, line: number): Result<RawLine> {
  const { pending } = document
  let start = Number.POSITIVE_INFINITY
  let end = 0
  // One by one: a line can be in more pieces than a call takes arguments.
  for (const part of pending === null ? document.damaged : [...document.damaged, pending]) {
    if (part.line !== line) continue
    start = Math.min(start, part.offset)
    end = Math.max(end, part.offset + part.bytes)
  }
  if (end === 0) return err('not-found', `Line ${line} of ${document.path} is not damaged.`, document.path)
  const length = end - start
  const shown = Math.min(length, limits.rawLineBytes)
  const bytes = document.rawBytes(start, shown)
  if (!bytes.ok) return bytes
  const cut = shown < length
  return ok({ text: readableBytes(cut ? withoutCutCharacter(bytes.value) : bytes.value), bytes: length, cut })
}

/** Any bytes as text that tells them: `\xNN` for a byte that is no part of a character, `\uNNNN` for a hidden one. */
export function readableBytes(bytes: Uint8Array): string {
  const buffer = bufferOf(bytes)
  let text = ''
  let start = 0
  for (let at = 0; at < buffer.length; ) {
    const length = characterLength(buffer, at)
    if (length > 0) {
      at += length
      continue
    }
    text += visible(buffer.toString('utf8', start, at)) + byteEscape(buffer[at] ?? 0)
    start = ++at
  }
  return text + visible(buffer.toString('utf8', start))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what this looks for
const HIDDEN = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

function visible(text: string): string {
  return text.replace(HIDDEN, char => {
    const code = char.charCodeAt(0)
    return code < 0x80 ? byteEscape(code) : `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`
  })
}

function byteEscape(byte: number): string {
  return `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

/** Bytes of the UTF-8 character that begins at `at`; 0 when none does. */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  for (let next = 1; next < length; next++) {
    const byte = bytes[at + next] ?? 0
    const [low, high] = next === 1 ? secondByteRange(first) : [0x80, 0xbf]
    if (byte < low || byte > high) return 0
  }
  return length
}

/** Without overlong forms, surrogates, and what is beyond Unicode. */
function secondByteRange(first: number): [number, number] {
  if (first === 0xe0) return [0xa0, 0xbf]
  if (first === 0xed) return [0x80, 0x9f]
  if (first === 0xf0) return [0x90, 0xbf]
  return first === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf]
}

/** Without the character that a cut went through. */
function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const at = bytes.length - back
    const byte = bytes[at] ?? 0
    if (byte < 0x80) break
    if (byte >= 0xc0) return characterLength(bytes, at) === back ? bytes : bytes.subarray(0, at)
  }
  return bytes
}
