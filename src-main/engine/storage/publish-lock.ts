/**
 * PUBLISH LOCK: omp's lock file beside a journal (docs/format.md, Locks).
 *
 * Guarantees
 *   While `work` runs, `<dir>/.<name>.jsonl.lock` exists, was made exclusively by this call (mode 0600, content
 *   `<pid>:<ms>\n`), and was not taken away by others until that was written. omp and other holders of the protocol wait or
 *   refuse meanwhile.
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
 *   A lock that somebody takes away by mistake while `work` runs is noticed at the end only, and then left to its new holder.
 *   Not re-entrant: `work` must not take the same lock.
 *
 * Order of calls
 *   open exclusive, write, fstat, WORK, look at the name, close, unlink: six calls besides the work when nobody opposes.
 *   After waiting for another, and when open and write took long, the name is looked at before the work as well.
 *   The first attempt waits for nothing: synchronous work is done, and the lock gone, when the call returns its promise.
 *   Take-over: look, look again, rename aside, compare, unlink. A lock that changed hands meanwhile is put back.
 *
 * Why these calls
 *   A living process can lose its lock in two ways. It was stopped between open and write, so that its lock lay there empty for
 *   500 ms; the clock tells that this may have been. Or its lock follows that of a dead process, and somebody who
 *   looked at that one before removes this one. A lock that was removed has no name left, which fstat tells. Only one that another
 *   Grove has put aside to compare it still has a name; it is given back at once, and the look at the name tells it apart.
 *   Inodes are compared, and nothing is read back: a lock is written once, by who made it, and as long as the descriptor is
 *   open no other file has its inode. It is closed before the unlink, because Windows frees the name only then.
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
/** A lock that was written within this many ms was never old enough to look abandoned while it was empty. */
const AT_ONCE_MS = 100
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
 * The locks that this thread holds. Changes run in one thread of a process: a lock that names the process and is not among these
 * was left behind.
 */
const heldHere = new Set<OwnLock>()

function isHeldHere(lock: string, content: string): boolean {
  for (const own of heldHere) if (own.lock === lock && own.content === content) return true
  return false
}

const systemProbe: LockProbe = { isAlive: processIsAlive }

/** Runs `work` while holding the lock of `journal`. */
export function withPublishLock<T>(
  env: Environment,
  journal: string,
  work: () => Result<T> | Promise<Result<T>>,
  probe: LockProbe = systemProbe,
): Promise<Result<T>> {
  const lock = lockPathOf(journal)
  const made = attempt('lock', journal, () => tryCreate(env, lock, 'unopposed'))
  if (!made.ok) return Promise.resolve(made)
  if (made.value !== undefined) return holding(env, made.value, journal, work)
  return take(env, lock, journal, probe).then(taken =>
    taken.ok ? holding(env, taken.value, journal, work) : taken,
  )
}

/** Works under the lock and releases it. */
function holding<T>(
  env: Environment,
  own: OwnLock,
  journal: string,
  work: () => Result<T> | Promise<Result<T>>,
): Promise<Result<T>> {
  heldHere.add(own)
  const letGo = () => {
    heldHere.delete(own)
    release(env.fs, own)
  }
  const begun = attempt('change', journal, work)
  if (begun.ok && begun.value instanceof Promise) {
    const promise = begun.value
    return attemptAsync('change', journal, () => promise)
      .then(done => (done.ok ? done.value : done))
      .finally(letGo)
  }
  letGo()
  return Promise.resolve(begun.ok ? begun.value : begun)
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
  // But for one whose name the file system does not take: there is none.
  if (!read.ok && read.error.code !== 'invalid-argument')
    return { pid: null, since: null, ino: '', content: '', ageMs: 0 }
  if (!read.ok) return null
  if (read.value === undefined) return null
  return isAbandoned(env, lock, read.value, probe) ? null : read.value
}

/** A lock that this call made. `fd` is open on it; `ino` is undefined until that is known. */
type OwnLock = { lock: string; content: string; fd: number; ino: bigint | undefined }

/** Waits for a lock that another has. */
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
  // Both bounds: a clock that stands still or is set back must not make this wait for ever.
  for (let round = 0; round <= rounds * 2 && env.now() <= deadline; round++) {
    const seen = attempt('read the lock of', journal, () => readLock(env, lock))
    if (!seen.ok) return seen
    holder = seen.value
    const cleared = attempt('take over the lock of', journal, () => clearAbandoned(env, lock, holder, probe))
    if (!cleared.ok) return cleared
    if (!cleared.value) await wait(limits.lockPollMs)
    const made = attempt('lock', journal, () => tryCreate(env, lock, 'contended'))
    if (!made.ok) return made
    if (made.value !== undefined) return { ok: true, value: made.value }
  }
  const who = holder?.pid == null ? 'another process' : `process ${holder.pid}`
  return err('in-use', `${journal} is locked by ${who}; try again when it has finished.`, journal)
}

/** The lock when it could be made, undefined when another one exists. */
function tryCreate(env: Environment, lock: string, way: 'unopposed' | 'contended'): OwnLock | undefined {
  const { fs } = env
  const began = env.now()
  let fd: number
  try {
    fd = fs.open(lock, 'wx', 0o600)
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') return undefined
    throw thrown
  }
  const own: OwnLock = { lock, content: `${env.pid}:${began}\n`, fd, ino: undefined }
  try {
    writeAll(fs, fd, Buffer.from(own.content, 'latin1'))
    const stat = fs.fstat(fd)
    own.ino = stat.ino
    const lasted = env.now() - began
    const atOnce = way === 'unopposed' && lasted >= 0 && lasted < AT_ONCE_MS
    if (stat.links > 0 && (atOnce || isOurs(fs, own))) return own
  } catch (thrown) {
    release(fs, own)
    throw thrown
  }
  // Someone took it over between our calls: it is theirs.
  fs.close(fd)
  return undefined
}

/** Whether the lock's name leads to the file that `own` has open. One whose inode could not be told is ours: it was made. */
function isOurs(fs: FileSystem, own: OwnLock): boolean {
  try {
    return own.ino === undefined || fs.lstat(own.lock).ino === own.ino
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return false
    throw thrown
  }
}

/** Removes the lock when it is still ours, and closes it. Never throws. */
function release(fs: FileSystem, own: OwnLock): void {
  const { lock } = own
  let open = true
  const close = () => {
    if (open) attempt('close', lock, () => fs.close(own.fd))
    open = false
  }
  for (let tries = 0; tries < 2; tries++) {
    try {
      // Once it is closed another file can have its inode: what it says must be a beginning of what we wrote.
      if (!isOurs(fs, own) || (!open && !own.content.startsWith(readText(fs, lock)))) break
      close()
      fs.unlink(lock)
      break
    } catch (thrown) {
      if (errnoOf(thrown) === 'ENOENT') break
    }
  }
  close()
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
  if (state.pid === env.pid) return !isHeldHere(lock, state.content)
  if (!probe.isAlive(state.pid)) return true
  if (state.ageMs < REUSED_PID_AGE_MS) return false
  const started = probe.startedAt?.(state.pid) ?? null
  return started !== null && started > state.since + START_MARGIN_MS
}

/** Whether nothing is in the way any more: the lock is gone, or was abandoned and could be taken out of the way. */
function clearAbandoned(
  env: Environment,
  lock: string,
  holder: LockState | undefined,
  probe: LockProbe,
): boolean {
  if (holder === undefined) return true
  return isAbandoned(env, lock, holder, probe) && setAside(env, lock, holder)
}

/** Takes an abandoned lock out of the way; false when it turned out to be another one. */
function setAside(env: Environment, lock: string, seen: LockState): boolean {
  const fs = env.fs
  const again = readLock(env, lock)
  if (again === undefined) return true
  if (again.ino !== seen.ino || again.content !== seen.content) return false
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
