/**
 * LATE LINES: what somebody who asks for no lock appends to a file in the very moment in which it is replaced.
 *
 * Guarantees: the file that is replaced keeps a second, hidden name until it was looked at once more; bytes that came to it
 * are appended to the new one. Where the file system has no hard links, or the look fails, nothing is lost that would
 * not be lost without: the replacement itself is not touched.
 *
 * Order of calls: keepAside, replace, carryLate (done) or dropAside (not done).
 */
import { err, ok, type Result } from '@shared/ipc/result'
import type { Environment } from '../environment'
import { isWithoutHardLinks, temporaryPathFor, writeAll } from './atomic-replace'
import { readRange, withByteSource } from './byte-source'
import { attempt } from './errors'
import { removeQuietly } from './verified-write'

/** A second name for the file at `target`; null where there are none. Throws what else the system throws. */
export function keepAside(env: Environment, target: string): string | null {
  const aside = temporaryPathFor(env, target)
  try {
    env.fs.link(target, aside)
    return aside
  } catch (thrown) {
    if (isWithoutHardLinks(thrown)) return null
    throw thrown
  }
}

/** Takes the second name away. Never throws: a name that stays is a temporary file, which no reader takes for a session. */
export function dropAside(env: Environment, aside: string | null): void {
  if (aside !== null) removeQuietly(env.fs, aside)
}

/**
 * Appends to `target` what came to the replaced file beyond its first `known` bytes, and takes the second name away. After an
 * error it stays, named by the message: it holds the bytes.
 */
export function carryLate(
  env: Environment,
  aside: string | null,
  target: string,
  known: number,
): Result<true> {
  if (aside === null) return ok(true)
  for (let from = known; ; ) {
    const late = twice(() => lateBytes(env, aside, from))
    const carried = !late.ok || late.value.length === 0 ? late : appended(env, target, late.value)
    if (!carried.ok) {
      const text = `${carried.error.message} What was appended meanwhile is in ${aside}.`
      return err(carried.error.code, text, aside)
    }
    if (!late.ok || late.value.length === 0) break
    from += late.value.length
  }
  dropAside(env, aside)
  return ok(true)
}

function lateBytes(env: Environment, aside: string, from: number): Result<Uint8Array> {
  return attempt('look for lines that came to', aside, () =>
    withByteSource(env.fs, aside, source => readRange(source, from, source.size)),
  )
}

function appended({ fs }: Environment, target: string, bytes: Uint8Array): Result<true> {
  return attempt('take over what was appended to', target, () => {
    const fd = fs.open(target, 'append')
    try {
      writeAll(fs, fd, bytes)
    } finally {
      fs.close(fd)
    }
    return true as const
  })
}

/** A passing failure must not leave a file behind; a lasting one cannot be helped. */
function twice<T>(work: () => Result<T>): Result<T> {
  const first = work()
  return first.ok ? first : work()
}
