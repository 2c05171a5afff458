/**
 * OPERATION JOURNAL: what a change of many files is about to do, written before it does it.
 *
 * Guarantees
 *   `beginOperation` returns only when the plan is on the disk. `note` returns only when the note is.
 *   The journal's name is there whole or not at all; a note that was torn by a crash is ignored by readers.
 *   It names its owner: pid, start of that process, and the instance within it. Only a dead owner's journal is
 *   recovered, and by one process at a time (see recovery.ts).
 *
 * Not guaranteed
 *   Whether a step that was not noted has happened: handlers look at the files. Steps must therefore be told from
 *   the state of the disk, and recovery must be repeatable.
 *
 * Order of calls
 *   beginOperation, { do a step, note it }*, record the change (recent-changes.ts), finish.
 *   After a failure that could not be rolled back: abandon, so that the next recovery need not wait for our end.
 *
 * File
 *   `operations/<id>.journal`: one JSON object per line; the first is the header with the plan, then notes.
 *
 * Failures
 *   begin fails    nothing was written that anyone would follow; the change must not start
 *   note fails     the change must stop and roll back, or abandon
 *   finish fails   the journal stays; recovery finds everything done and finishes it
 */
import path from 'node:path'
import type { ChangeView } from '@shared/ipc/models/change-models'
import { err, ok, type Result } from '@shared/ipc/result'
import { isJsonObject } from '@shared/session/json'
import type { Environment } from '../../engine/environment'
import type { ProcessTable } from '../../engine/in-use/process-table'
import { isTemporaryName, publishNewNow, writeAll } from '../../engine/storage/atomic-replace'
import { syncDirectory } from '../../engine/storage/directory-sync'
import { attempt, errnoOf } from '../../engine/storage/errors'
import { readWholeText } from '../../engine/storage/read-whole'
import { ensureGroveData, type GroveData } from '../grove-data'
import { numberOr, parseJson, stringOr } from './json-guards'

const SUFFIX = '.journal'
/** A plan of 10,000 sessions is some 20 MB; beyond this it is not one of ours. */
const JOURNAL_BYTES = 512 * 1024 * 1024

export type ChangeKind = ChangeView['kind']

/** Who runs a change. `instance` tells one worker of a process from the one that replaced it. */
export type Owner = { pid: number; start: string | null; instance: string }

export type OpenOperation = {
  id: string
  kind: ChangeKind
  time: number
  owner: Owner
  /** As given to `beginOperation`; read it with guards. */
  plan: unknown
  notes: readonly unknown[]
  /** Its owner said that it could not finish. */
  abandoned: boolean
  path: string
}

export interface OperationJournal {
  readonly id: string
  /** Durable when it returns ok. */
  note(value: unknown): Result<void>
  /** The change is over, done or rolled back: removes the journal. */
  finish(): Result<void>
  /** The change is stuck: leaves the journal to recovery at once. Never throws. */
  abandon(): void
}

/** Writes the journal of a change that is about to start. `plan` and notes are plain JSON. */
export function beginOperation(
  env: Environment,
  data: GroveData,
  operation: { kind: ChangeKind; plan: unknown; owner: Owner; id?: string },
): Result<OperationJournal> {
  const ready = ensureGroveData(env, data)
  if (!ready.ok) return ready
  const id = operation.id ?? env.uuid()
  const file = operationPath(data, id)
  const header = {
    type: 'begin',
    version: 1,
    id,
    kind: operation.kind,
    time: env.now(),
    owner: operation.owner,
    plan: operation.plan,
  }
  const line = Buffer.from(`${JSON.stringify(header)}\n`, 'utf8')
  const written = publishNewNow(env, file, [line], { mode: 0o600 })
  if (!written.ok) return written
  return ok(journalAt(env, id, file))
}

function operationPath(data: GroveData, id: string): string {
  return path.join(data.operations, `${id}${SUFFIX}`)
}

/** The journal of an operation that exists, for its recovery. */
export function reopenOperation(env: Environment, operation: OpenOperation): OperationJournal {
  return journalAt(env, operation.id, operation.path)
}

function journalAt(env: Environment, id: string, file: string): OperationJournal {
  let torn = true
  const append = (value: unknown): Result<void> =>
    attempt('note the progress in', file, () => {
      // A blank line is ignored by readers; it closes whatever an earlier failure left without its end.
      const text = `${torn ? '\n' : ''}${JSON.stringify(value)}\n`
      torn = true
      // Opening for append would make a journal that was finished anew.
      env.fs.lstat(file)
      const fd = env.fs.open(file, 'a')
      try {
        writeAll(env.fs, fd, Buffer.from(text, 'utf8'))
        env.fs.fsync(fd)
      } finally {
        env.fs.close(fd)
      }
      torn = false
    })
  return {
    id,
    note: value => append({ type: 'note', value }),
    finish: () =>
      attempt('remove', file, () => {
        try {
          env.fs.unlink(file)
        } catch (thrown) {
          if (errnoOf(thrown) !== 'ENOENT') throw thrown
        }
        // A journal that a power loss brings back finds everything done; no reason to call the change unfinished.
        attempt('sync', file, () => syncDirectory(env, path.dirname(file)))
      }),
    abandon: () => {
      append({ type: 'abandoned', time: env.now() })
    },
  }
}

export type OperationList = {
  operations: OpenOperation[]
  /** Files that are no journals of ours, or damaged at their first line. They are never removed. */
  broken: { path: string; reason: string }[]
}

/** Every change in progress, oldest first. Reads only. */
export function listOperations(env: Environment, data: GroveData): Result<OperationList> {
  const entries = attempt('read', data.operations, () => env.fs.readDirectory(data.operations))
  if (!entries.ok) {
    return entries.error.code === 'not-found' ? ok({ operations: [], broken: [] }) : entries
  }
  const list: OperationList = { operations: [], broken: [] }
  for (const entry of entries.value) {
    if (!entry.name.endsWith(SUFFIX) || isTemporaryName(entry.name)) continue
    const file = path.join(data.operations, entry.name)
    const read = readOperation(env, file)
    if (read.ok) list.operations.push(read.value)
    else if (read.error.code !== 'not-found') list.broken.push({ path: file, reason: read.error.message })
  }
  list.operations.sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
  return ok(list)
}

/** One journal as it is now. */
export function readOperation(env: Environment, file: string): Result<OpenOperation> {
  const text = attempt('read', file, () => readWholeText(env.fs, file, JOURNAL_BYTES))
  if (!text.ok) return text
  const [first, ...rest] = text.value.split('\n')
  const header = parseJson(first ?? '')
  const owner = isJsonObject(header) ? header.owner : undefined
  if (!isJsonObject(header) || header.type !== 'begin' || header.version !== 1 || !isJsonObject(owner)) {
    return err('damaged', `${file} is not a journal that this version of Grove understands.`, file)
  }
  const kind = kindOf(header.kind)
  const id = stringOr(header.id, undefined)
  if (kind === undefined || id === undefined || `${id}${SUFFIX}` !== path.basename(file)) {
    return err('damaged', `${file} is not a journal that this version of Grove understands.`, file)
  }
  const records = rest.map(parseJson).filter(isJsonObject)
  return ok({
    id,
    kind,
    time: numberOr(header.time, 0),
    owner: {
      pid: numberOr(owner.pid, 0),
      start: stringOr(owner.start, null),
      instance: stringOr(owner.instance, ''),
    },
    plan: header.plan,
    notes: records.filter(record => record.type === 'note').map(record => record.value),
    abandoned: records.some(record => record.type === 'abandoned'),
    path: file,
  })
}

/** `value` as a kind of change, or undefined. */
export function kindOf(value: unknown): ChangeKind | undefined {
  switch (value) {
    case 'delete':
    case 'restore':
    case 'empty':
    case 're-root':
    case 'fork':
    case 'rename':
    case 'label':
    case 'star':
    case 'continue':
    case 'draft':
      return value
    default:
      return undefined
  }
}

/** The owner that a change started now would have. */
export function currentOwner(env: Environment, processes: ProcessTable, instance: string): Owner {
  return { pid: env.pid, start: processes.startOf(env.pid), instance }
}

/**
 * Whether nobody can still be running the change. A process runs changes in one place at a time, its worker:
 * another instance in the same process has ended before `self` began.
 */
export function isOwnerDead(owner: Owner, self: Owner, processes: ProcessTable): boolean {
  const sameStart = (start: string | null) => start === null || owner.start === null || start === owner.start
  if (owner.pid === self.pid && sameStart(self.start)) return owner.instance !== self.instance
  if (!processes.isAlive(owner.pid)) return true
  return !sameStart(processes.startOf(owner.pid))
}
