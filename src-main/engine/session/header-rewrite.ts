/**
 * Changing the header line of a session that moves, while every byte that is not about the move stays as it was
 * (json-splice.ts).
 *
 * Pure. A line that is not one JSON object answers null: such a header is damaged and is never written.
 */
import { type JsonObject, stringsOf } from '@shared/session/json'
import { type Edit, recordOf, splice } from './json-splice'

/** What a session that changes its place says differently. */
export type HeaderMove = {
  cwd: string
  /** The path that the file had so far, or null when it stays where it is. */
  previousFile: string | null
  /** Where an additional directory is after the move; the same text for one that is not concerned. */
  mapDirectory: (directory: string) => string
}

/** The header line of a moved session, without its line end; null when `line` is not one JSON object. */
export function movedHeader(line: Uint8Array, move: HeaderMove): Uint8Array | null {
  const record = recordOf(line)
  if (record === null) return null
  const edits: Edit[] = []
  if (record.cwd !== move.cwd) edits.push({ key: 'cwd', value: move.cwd })
  if (move.previousFile !== null) {
    const before = listOf(record.previousSessionFiles)
    const after = [...new Set([...before, move.previousFile])]
    if (!sameList(before, after)) edits.push({ key: 'previousSessionFiles', value: after })
  }
  if (Array.isArray(record.additionalDirectories)) {
    const before: unknown[] = record.additionalDirectories
    const after = [
      ...new Set(before.map(item => (typeof item === 'string' ? move.mapDirectory(item) : item))),
    ]
    const kept = after.filter(item => item !== move.cwd)
    if (!sameList(before, kept)) edits.push({ key: 'additionalDirectories', value: emptyIsNone(kept) })
  }
  return splice(line, edits)
}

/**
 * The header line after a move is taken back. `original` and `written` are the lines before and after the move,
 * `current` the line as it stands now: the written one, or what omp made of it since (a title, a directory
 * more). Then only what the move had changed is set back. Null when the header names another folder by now:
 * somebody moved the session again, and which place is right is not ours to say.
 */
export function headerMovedBack(
  original: Uint8Array,
  written: Uint8Array,
  current: Uint8Array,
  mapBack: (directory: string) => string,
): Uint8Array | null {
  if (sameBytes(current, written)) return original
  const [was, wrote, now] = [recordOf(original), recordOf(written), recordOf(current)]
  if (was === null || wrote === null || now === null || now.cwd !== wrote.cwd) return null
  const edits: Edit[] = []
  if (now.cwd !== was.cwd) edits.push({ key: 'cwd', value: was.cwd })
  const files = filesBack(was, wrote, now)
  if (files !== undefined) edits.push({ key: 'previousSessionFiles', value: emptyIsNone(files) })
  const directories = directoriesBack(was, wrote, now, mapBack)
  if (directories !== undefined) edits.push({ key: 'additionalDirectories', value: emptyIsNone(directories) })
  return splice(current, edits)
}

/** `previousSessionFiles` without what the move had added; undefined when there is nothing to set back. */
function filesBack(was: JsonObject, wrote: JsonObject, now: JsonObject): unknown[] | undefined {
  if (!Array.isArray(now.previousSessionFiles)) return undefined
  const before = new Set(stringsOf(was.previousSessionFiles))
  const added = new Set(stringsOf(wrote.previousSessionFiles).filter(file => !before.has(file)))
  const files: unknown[] = now.previousSessionFiles
  const kept = files.filter(file => typeof file !== 'string' || !added.has(file))
  return kept.length === files.length ? undefined : kept
}

function directoriesBack(
  was: JsonObject,
  wrote: JsonObject,
  now: JsonObject,
  mapBack: (directory: string) => string,
): unknown[] | undefined {
  const before = listOf(was.additionalDirectories)
  const after = listOf(wrote.additionalDirectories)
  const current = listOf(now.additionalDirectories)
  if (sameList(before, after)) return undefined
  if (sameList(current, after)) return before
  // omp added or removed some meanwhile: ours go back, what it did stays.
  const original = new Set(before)
  const back = current.map(item => {
    if (typeof item !== 'string' || !after.includes(item) || original.has(item)) return item
    return mapBack(item)
  })
  const dropped = before.filter(item => item === wrote.cwd)
  return [...new Set([...back, ...dropped])]
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function emptyIsNone(list: unknown[]): unknown[] | undefined {
  return list.length === 0 ? undefined : list
}

function sameList(a: unknown[], b: unknown[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at])
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0
}
