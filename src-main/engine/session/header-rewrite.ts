/**
 * Changing a header line while every byte that is not about the change stays as it was: key order, spacing,
 * unknown keys, numbers too large for a double, bytes that are not valid UTF-8. So the line is not parsed and
 * written anew; the places of its members are found in its bytes and only the values that change are replaced.
 *
 * Pure. A line that is not one JSON object answers null: such a header is damaged and is never written.
 */
import { isJsonObject, type JsonObject, stringsOf } from '@shared/session/json'

/** What a session that changes its place says differently. */
export type HeaderMove = {
  cwd: string
  /** The path that the file had so far, or null when it stays where it is. */
  previousFile: string | null
  /** Where an additional directory is after the move; the same text for one that is not concerned. */
  mapDirectory: (directory: string) => string
}

/** `value` undefined removes the member. */
type Edit = { key: string; value: unknown }

type Member = { key: string; start: number; valueStart: number; end: number }

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

function recordOf(line: Uint8Array): JsonObject | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(line).toString('utf8'))
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

/** The object with the edits made in place; new members stand last. Null when it is not an object. */
function splice(line: Uint8Array, edits: Edit[]): Uint8Array | null {
  let bytes = line
  for (const edit of edits) {
    const next = spliceOne(bytes, edit)
    if (next === null) return null
    bytes = next
  }
  return bytes
}

function spliceOne(line: Uint8Array, { key, value }: Edit): Uint8Array | null {
  const members = membersOf(line)
  if (members === null) return null
  // Of two members with one name the last is the one that counts.
  const at = members.map(member => member.key).lastIndexOf(key)
  const member = members[at]
  const text = value === undefined ? '' : JSON.stringify(value)
  if (member !== undefined && value !== undefined) return replace(line, member.valueStart, member.end, text)
  if (member !== undefined) {
    const rest = removed(line, members, at)
    // An earlier member of that name would now count instead.
    return members.slice(0, at).some(other => other.key === key) ? spliceOne(rest, { key, value }) : rest
  }
  if (value === undefined) return line
  const last = members[members.length - 1]
  if (last === undefined)
    return replace(line, line.indexOf(OPEN) + 1, line.indexOf(OPEN) + 1, named(key, text))
  return replace(line, last.end, last.end, `,${named(key, text)}`)
}

function named(key: string, text: string): string {
  return `${JSON.stringify(key)}:${text}`
}

/** Removes a member with the comma that belongs to it. */
function removed(line: Uint8Array, members: Member[], at: number): Uint8Array {
  const member = members[at]
  if (member === undefined) return line
  const before = members[at - 1]
  if (before !== undefined) return replace(line, before.end, member.end, '')
  const after = members[at + 1]
  return replace(line, member.start, after?.start ?? member.end, '')
}

function replace(line: Uint8Array, from: number, to: number, text: string): Uint8Array {
  return Buffer.concat([line.subarray(0, from), Buffer.from(text, 'utf8'), line.subarray(to)])
}

const OPEN = 0x7b
const CLOSE = 0x7d
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a

/**
 * The members of the outermost object. The line is known to parse as JSON, so only strings and nesting matter;
 * all structure is ASCII, which no byte of a longer UTF-8 character can be taken for.
 */
function membersOf(line: Uint8Array): Member[] | null {
  if (recordOf(line) === null) return null
  const members: Member[] = []
  let depth = 0
  let key: { text: string; start: number } | null = null
  let valueStart = -1
  let lastEnd = 0
  const finish = (): void => {
    if (key !== null && valueStart >= 0)
      members.push({ key: key.text, start: key.start, valueStart, end: lastEnd })
    key = null
    valueStart = -1
  }
  for (let at = 0; at < line.length; at++) {
    const byte = line[at] ?? 0
    if (isBlank(byte)) continue
    const isEnd = byte === CLOSE && depth === 1
    if (isEnd || (byte === COMMA && depth === 1)) {
      finish()
      if (isEnd) return members
      continue
    }
    if (byte === COLON && depth === 1 && key !== null && valueStart < 0) continue
    if (byte === QUOTE) {
      const end = stringEnd(line, at)
      if (depth === 1 && key === null) {
        key = { text: String(JSON.parse(Buffer.from(line.subarray(at, end)).toString('utf8'))), start: at }
        at = end - 1
        continue
      }
      if (depth === 1 && valueStart < 0) valueStart = at
      at = end - 1
      lastEnd = end
      continue
    }
    if (depth === 1 && key !== null && valueStart < 0) valueStart = at
    if (byte === OPEN || byte === 0x5b) depth++
    else if (byte === CLOSE || byte === 0x5d) depth--
    lastEnd = at + 1
  }
  return null
}

/** Position after the string that begins at `from`. */
function stringEnd(line: Uint8Array, from: number): number {
  for (let at = from + 1; at < line.length; at++) {
    if (line[at] === BACKSLASH) at++
    else if (line[at] === QUOTE) return at + 1
  }
  return line.length
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
}
