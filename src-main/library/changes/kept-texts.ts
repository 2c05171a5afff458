/**
 * KEPT TEXTS: what a change replaced, in a file of its own where it is too long for the list of recent changes. That list is
 * written anew for each change; a text is written once.
 *
 * Guarantees
 *   A text is whole on the disk before the list names it, and stays as long as the list does.
 *   A text is named by its SHA-256: what is read back is that very text, or an error that says why not.
 *   What the list no longer names is removed when the list stands, and not before.
 *   A list that was written with its texts inside is read as it is; their texts come out when it is written next.
 *   With a list that is set aside its texts are set aside, as `change-texts.damaged-<ms>`.
 *
 * Not guaranteed
 *   That a change can be undone whose text somebody took away or altered: it says so.
 *
 * Order of calls, under the lock of the list
 *   write each new text (file, name and folder synced); write the list; remove the texts that it does not name.
 *
 * File
 *   `change-texts/<sha256>.txt`: UTF-8, for the account's owner only. Files with other names are left alone.
 *
 * Failures
 *   a text cannot be written              it stays in the list, which is longer for that
 *   killed between a text and the list    the old list stands; the next change removes the text
 *   the list cannot be written            nothing is removed; the next change removes the text
 *   killed between list and removal       the next change removes what is not named
 *   a text cannot be removed              it is tried again at the next change
 *   a text is missing or damaged          its change cannot be undone, and the reason names the file
 */
import { createHash } from 'node:crypto'
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import { isJsonObject } from '@shared/session/json'
import type { Environment } from '../../engine/environment'
import { writeWholeNow } from '../../engine/storage/atomic-replace'
import { ensureDirectory, lstatOrUndefined } from '../../engine/storage/directory-sync'
import { attempt, errnoOf } from '../../engine/storage/errors'
import { readWholeText } from '../../engine/storage/read-whole'
import type { GroveData } from '../grove-data'
import { numberOr, stringOr } from './json-guards'

/** A text that lies beside the list. */
export type KeptText = { sha256: string; bytes: number }

/** Characters of a text that stays in the list: with 200 of them it is still less than a megabyte. */
const INSIDE_CHARS = 4 * 1024

const NAME = /^([0-9a-f]{64})\.txt$/

/** The folder of the texts. */
export function keptTextsDirectory({ directory }: GroveData): string {
  return path.join(directory, 'change-texts')
}

function fileOf(data: GroveData, { sha256 }: KeptText): string {
  return path.join(keptTextsDirectory(data), `${sha256}.txt`)
}

/** `value` as the name of a kept text, or null when it is none. */
export function parseKeptText(value: unknown): KeptText | null {
  if (!isJsonObject(value)) return null
  const sha256 = stringOr(value.sha256, '')
  const bytes = numberOr(value.bytes, -1)
  return NAME.test(`${sha256}.txt`) && bytes >= 0 ? { sha256, bytes } : null
}

/** The text beside the list that a change names; what it replaced is called `before` in what Undo needs. */
export function keptTextOf(undo: unknown): KeptText | null {
  return isJsonObject(undo) ? parseKeptText(undo.before) : null
}

/** `undo` with the text that was replaced beside the list, when it is long; as it is when it cannot be put there. */
export function keepOutside(env: Environment, data: GroveData, undo: unknown): unknown {
  if (!isJsonObject(undo)) return undo
  const { before } = undo
  if (typeof before !== 'string' || before.length <= INSIDE_CHARS) return undo
  const bytes = Buffer.from(before, 'utf8')
  // Half a character would come back as another one.
  if (bytes.toString('utf8') !== before) return undo
  const kept: KeptText = { sha256: hashOf(bytes), bytes: bytes.length }
  return write(env, data, kept, before).ok ? { ...undo, before: kept } : undo
}

/** Also where the file is there already: it may be damaged, or not on the disk yet. */
function write(env: Environment, data: GroveData, kept: KeptText, text: string): Result<unknown> {
  const directory = keptTextsDirectory(data)
  const made = attempt('make', directory, () => ensureDirectory(env, directory, 0o700))
  return made.ok ? writeWholeNow(env, fileOf(data, kept), text, 0o600) : made
}

/** Why the text cannot be brought back, as far as a look at its file tells; null when it can. */
export function whyNotKept(env: Environment, data: GroveData, kept: KeptText): string | null {
  const file = fileOf(data, kept)
  const there = attempt('look at', file, () => lstatOrUndefined(env.fs, file))
  if (!there.ok) return there.error.message
  if (there.value === undefined) return `The text before is gone: ${file} is not there any more.`
  const { kind, size } = there.value
  return kind === 'file' && size === kept.bytes ? null : damaged(file)
}

/** The text, exactly. */
export function readKept(env: Environment, data: GroveData, kept: KeptText): Result<string> {
  const file = fileOf(data, kept)
  const text = attempt('read', file, () => readWholeText(env.fs, file, kept.bytes))
  if (!text.ok) return text
  return hashOf(Buffer.from(text.value, 'utf8')) === kept.sha256
    ? ok(text.value)
    : err('damaged', damaged(file), file)
}

function damaged(file: string): string {
  return `The text before is damaged: ${file} is not what Grove wrote.`
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Removes the texts that none of `named` is. What cannot be removed waits for the next change. */
export function forgetOthers(env: Environment, data: GroveData, named: readonly KeptText[]): void {
  const directory = keptTextsDirectory(data)
  const hashes = new Set(named.map(({ sha256 }) => sha256))
  const entries = attempt('read', directory, () => env.fs.readDirectory(directory))
  for (const { name } of entries.ok ? entries.value : []) {
    const hash = NAME.exec(name)?.[1]
    if (hash === undefined || hashes.has(hash)) continue
    const file = path.join(directory, name)
    attempt('remove', file, () => env.fs.unlink(file))
  }
}

/** Sets all texts aside, with the list that names them. */
export function setTextsAside(env: Environment, data: GroveData, suffix: string): Result<void> {
  const directory = keptTextsDirectory(data)
  return attempt('set aside', directory, () => {
    try {
      env.fs.rename(directory, `${directory}${suffix}`)
    } catch (thrown) {
      if (errnoOf(thrown) !== 'ENOENT') throw thrown
    }
  })
}
