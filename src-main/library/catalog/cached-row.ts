/** One row of a catalog cache as a line of its file. Pure. */

export type CachedRow = {
  file: string
  fingerprint: string
  /** Of its summary: when the journal was written last, in Unix ms, its bytes, and whether there is a draft. */
  modified: number
  bytes: number
  hasDraft: boolean
  /** The summary, as packed-summary.ts has it: read when it is needed, which in the worker is almost never. */
  packed: string
  /** Where its reading may go on: a `ResumePoint` as JSON, empty for none, or where that lies in the cache. */
  point: Uint8Array | PointPlace
}

/** Where a point lies in the file of a cache, and the hash of its text. */
export type PointPlace = { at: number; bytes: number; hash: string }

/** Between what the worker reads of a row and what it hands on; JSON never holds one as it is. */
const TAB = '\t'

/** The line of a row; `place`: where its point lies from the first point of its block on. */
export function lineOfRow(row: CachedRow, { at, bytes, hash }: PointPlace): string {
  const head: Head = [row.file, row.fingerprint, row.modified, row.bytes, row.hasDraft, at, bytes, hash]
  return `${JSON.stringify(head)}${TAB}${row.packed}\n`
}

/** The line of a file that is gone. */
export function lineOfGone(file: string): string {
  return `${JSON.stringify([file])}\n`
}

/** A row, or the name of a file that is gone. `line`: written by these functions, in this version; throws where it was not. */
export function rowOfLine(line: string, pointsAt: number): CachedRow | string {
  const end = line.indexOf(TAB)
  // The hash of its block was right.
  if (end === -1) return (JSON.parse(line) as [string])[0]
  // By the same rule.
  const [file, fingerprint, modified, size, hasDraft, at, bytes, hash] = JSON.parse(
    line.slice(0, end),
  ) as Head
  const point = { at: pointsAt + at, bytes, hash }
  return { file, fingerprint, modified, bytes: size, hasDraft, packed: line.slice(end + 1), point }
}

type Head = [
  file: string,
  fingerprint: string,
  modified: number,
  size: number,
  hasDraft: boolean,
  at: number,
  bytes: number,
  hash: string,
]
