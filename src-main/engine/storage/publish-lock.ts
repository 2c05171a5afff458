/**
 * PUBLISH LOCK: omp's lock file beside a journal (docs/format.md, Locks).
 *
 * Guarantees
 *   While `work` runs, `<dir>/.<name>.jsonl.lock` exists, was made exclusively by this call (mode 0600, content
 *   `<pid>:<ms>\n`) and was read back. omp and other holders of the protocol wait or refuse meanwhile.
 *   A busy lock is looked at every 2 ms for up to 500 ms without blocking the process; then `in-use`, naming the pid.
 *   A lock is taken over only when nobody can hold it: its pid is dead, or began after the lock was written (the
 *   pid was reused), or it is ours and was not made by this thread (an earlier worker of this process died while it held
 *   it), or it is malformed. In each case it must also be older than 500 ms, which leaves the lock
 *   of a process on another machine (whose pid means nothing here) alone as long as it is of normal age.
 *   The lock is gone when the call returns, whatever `work` did. A lock that is no longer ours is never removed.
 *
 * Not guaranteed
 *   It excludes those who ask for it, no one else: an idle omp holds no lock and no descriptor. See in-use/.
 *   The native lock which omp takes as well is not taken; the protocol calls this file sufficient.
 *   Not re-entrant: `work` must not take the same lock.
 *
 * Order of calls
 *   open exclusive, write, fstat, close, read back, WORK, read back, unlink.
 *   Take-over: look, look again, rename aside, compare, unlink. A lock that changed hands meanwhile is put back.
 *
 * Failures
 *   cannot be made         the error of the system (`permission` on a read-only directory); nothing was done
 *   cannot be written      lock removed, the error of the system; nothing was done
 *   `work` fails           lock removed, its error
 *   cannot be removed      tried twice; what `work` did stands, and the lock names our pid until we end
 *   killed while holding   the next one takes over: the pid is dead
 *   worker died holding    the worker that replaces it takes over
 */
import { err, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { Environment } from '../environment'
import { processIsAlive } from '../in-use/process-liveness'
import { lockPathOf } from '../layout/session-paths'
import { writeAll } from './atomic-replace'
import { attempt, attemptAsync, errnoOf } from './errors'
import type { FileSystem } from './file-system'

/** Beyond this age in ms a lock's pid may be judged by its start time; no holder needs seconds. */
const REUSED_PID_AGE_MS = 10_000
/** Start times are told in whole seconds on some systems, and clocks are set. */
const START_MARGIN_MS = 2_000
/** More than any lock holds. */
const LOCK_READ_BYTES = 128

/** How the lock learns about other processes; replaced in tests. */
export type LockProbe = {
  isAlive(pid: number): boolean
  /** Unix ms at which the process began, or null when unknown. */
  startedAt?(pid: number): number | null
  wait?(ms: number): Promise<void>
}

export type LockState = {
  /** Null when the content does not name one. */
  pid: number | null
  /** Unix ms as written in the lock. */
  since: number | null
  ino: string
  content: string
  ageMs: number
}

/**
 * Path and content of the locks that this thread holds. Changes run in one thread of a process: a lock that names the
 * process and is not among these was left behind.
 */
const heldHere = new Set<string>()

const systemProbe: LockProbe = { isAlive: processIsAlive }

/** Runs `work` while holding the lock of `journal`. */
export async function withPublishLock<T>(
  env: Environment,
  journal: string,
  work: () => Result<T> | Promise<Result<T>>,
  probe: LockProbe = systemProbe,
): Promise<Result<T>> {
  const lock = lockPathOf(journal)
  const taken = await take(env, lock, journal, probe)
  if (!taken.ok) return taken
  const held = heldName(lock, taken.value.content)
  heldHere.add(held)
  try {
    const done = await attemptAsync('change', journal, async () => work())
    return done.ok ? done.value : done
  } finally {
    heldHere.delete(held)
    release(env.fs, lock, taken.value)
  }
}

function heldName(lock: string, content: string): string {
  return `${lock}\0${content}`
}

/** Who holds the lock of `journal` now, or null when nobody does (no lock, or one that can be taken over). */
export function lockHolder(
  env: Environment,
  journal: string,
  probe: LockProbe = systemProbe,
): LockState | null {
  const lock = lockPathOf(journal)
  const read = attempt('read', undefined, () => readLock(env, lock))
  // A lock that cannot be read is a lock: saying that nobody holds it would be a guess.
  if (!read.ok) return { pid: null, since: null, ino: '', content: '', ageMs: 0 }
  if (read.value === undefined) return null
  return isAbandoned(env, lock, read.value, probe) ? null : read.value
}

type OwnLock = { content: string; ino: string }

async function take(
  env: Environment,
  lock: string,
  journal: string,
  probe: LockProbe,
): Promise<Result<OwnLock>> {
  const wait = probe.wait ?? waitMs
  const rounds = Math.ceil(limits.lockWaitMs / limits.lockPollMs)
  const deadline = env.now() + limits.lockWaitMs
  let holder: LockState | undefined
  for (let round = 0; ; round++) {
    const made = attempt('lock', journal, () => tryCreate(env, lock))
    if (!made.ok) return made
    if (made.value !== undefined) return { ok: true, value: made.value }
    const seen = attempt('read the lock of', journal, () => readLock(env, lock))
    if (!seen.ok) return seen
    holder = seen.value
    if (holder !== undefined && isAbandoned(env, lock, holder, probe)) {
      const gone = attempt('take over the lock of', journal, () => setAside(env, lock, holder))
      if (!gone.ok) return gone
      if (gone.value) continue
    }
    // Both bounds: a clock that stands still or is set back must not make this wait for ever.
    if (env.now() > deadline || round >= rounds * 2) break
    await wait(limits.lockPollMs)
  }
  const who = holder?.pid == null ? 'another process' : `process ${holder.pid}`
  return err('in-use', `${journal} is locked by ${who}; try again when it has finished.`, journal)
}

/** The lock when it could be made, undefined when another one exists. */
function tryCreate(env: Environment, lock: string): OwnLock | undefined {
  const fs = env.fs
  let fd: number
  try {
    fd = fs.open(lock, 'wx', 0o600)
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') return undefined
    throw thrown
  }
  const content = `${env.pid}:${env.now()}\n`
  let ino = ''
  try {
    try {
      ino = fs.fstat(fd).ino.toString()
      writeAll(fs, fd, Buffer.from(content))
    } finally {
      fs.close(fd)
    }
    const back = readLock(env, lock)
    // Someone took it over between our two calls: it is theirs.
    if (back === undefined || back.content !== content || back.ino !== ino) return undefined
  } catch (thrown) {
    release(fs, lock, { content: null, ino })
    throw thrown
  }
  return { content, ino }
}

/** Removes the lock when it is still ours; `content` null: whatever was written so far. Never throws. */
function release(fs: FileSystem, lock: string, own: { content: string | null; ino: string }): void {
  for (let tries = 0; tries < 2; tries++) {
    try {
      const stat = fs.lstat(lock)
      if (own.ino !== '' && stat.ino.toString() !== own.ino) return
      if (own.content !== null && readText(fs, lock) !== own.content) return
      fs.unlink(lock)
      return
    } catch (thrown) {
      if (errnoOf(thrown) === 'ENOENT') return
    }
  }
}

function readLock(env: Environment, lock: string): LockState | undefined {
  try {
    const stat = env.fs.lstat(lock)
    const content = stat.kind === 'file' ? readText(env.fs, lock) : ''
    const match = /^(\d{1,10}):(\d{1,16})\s*$/.exec(content)
    return {
      pid: match === null ? null : Number(match[1]),
      since: match === null ? null : Number(match[2]),
      ino: stat.ino.toString(),
      content,
      ageMs: env.now() - stat.mtimeMs,
    }
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return undefined
    throw thrown
  }
}

function readText(fs: FileSystem, target: string): string {
  const fd = fs.open(target, 'r')
  try {
    const buffer = Buffer.alloc(LOCK_READ_BYTES)
    const count = fs.read(fd, buffer, 0, buffer.length, 0)
    return buffer.subarray(0, count).toString('utf8')
  } finally {
    fs.close(fd)
  }
}

/** Whether nobody can be holding this lock. */
function isAbandoned(env: Environment, lock: string, state: LockState, probe: LockProbe): boolean {
  if (state.ageMs < limits.lockOrphanMs) return false
  if (state.pid === null || state.since === null) return true
  if (state.pid === env.pid) return !heldHere.has(heldName(lock, state.content))
  if (!probe.isAlive(state.pid)) return true
  if (state.ageMs < REUSED_PID_AGE_MS) return false
  const started = probe.startedAt?.(state.pid) ?? null
  return started !== null && started > state.since + START_MARGIN_MS
}

/** Takes an abandoned lock out of the way; false when it turned out to be another one. */
function setAside(env: Environment, lock: string, seen: LockState | undefined): boolean {
  const fs = env.fs
  const again = readLock(env, lock)
  if (again === undefined) return true
  if (seen === undefined || again.ino !== seen.ino || again.content !== seen.content) return false
  const aside = `${lock}.${env.uuid().replace(/-/g, '').slice(0, 16)}.tmp`
  try {
    fs.rename(lock, aside)
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return true
    throw thrown
  }
  const caught = readLock(env, aside)
  const right = caught !== undefined && caught.ino === seen.ino && caught.content === seen.content
  if (!right) {
    // It changed hands in between: its holder gets it back, unless a third has one by now.
    try {
      fs.link(aside, lock)
    } catch {}
  }
  try {
    fs.unlink(aside)
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOENT') fs.unlink(aside)
  }
  return right
}

function waitMs(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
