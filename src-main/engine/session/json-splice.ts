/**
 * Changing members of a JSON object in its bytes, while every byte that is not about the change stays as it was: key
 * order, spacing, unknown keys, numbers too large for a double, bytes that are not valid UTF-8. So the line is not
 * parsed and written anew; the places of its members are found in its bytes and only the values that change are
 * replaced.
 *
 * Pure. A line that is not one JSON object answers null.
 */
import { isJsonObject, type JsonObject } from '@shared/session/json'

/** `value` undefined removes the member. */
export type Edit = { key: string; value: unknown }

type Member = { key: string; start: number; valueStart: number; end: number }

/** The object that the line is, or null. */
export function recordOf(line: Uint8Array): JsonObject | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(line).toString('utf8'))
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

/** The object with the edits made in place; new members stand last. Null when it is not an object. */
export function splice(line: Uint8Array, edits: readonly Edit[]): Uint8Array | null {
  let bytes = line
  for (const edit of edits) {
    const next = spliceOne(bytes, edit)
    if (next === null) return null
    bytes = next
  }
  return bytes
}

/**
 * The object with edits made in a member of a member: `path` leads there from the outermost object. Null when it is
 * not an object; unchanged when nothing of that path is one.
 */
export function spliceWithin(
  line: Uint8Array,
  path: readonly string[],
  edits: readonly Edit[],
): Uint8Array | null {
  const [key, ...deeper] = path
  if (key === undefined) return splice(line, edits)
  const member = membersOf(line)?.findLast(candidate => candidate.key === key)
  if (member === undefined) return recordOf(line) === null ? null : line
  const inner = line.subarray(member.valueStart, member.end)
  const changed = spliceWithin(inner, deeper, edits)
  if (changed === null || changed === inner) return line
  return Buffer.concat([line.subarray(0, member.valueStart), changed, line.subarray(member.end)])
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
