/**
 * The summary of a journal, carried on from an earlier one where the file only grew: an append costs the appended bytes. The
 * result equals a summary read anew; any doubt leads to a whole read. Never fails: what cannot be read is a stub.
 */
import type { AppError } from '@shared/ipc/result'
import { entryHead } from '@shared/session/entry'
import { type JsonObject, objectOf, parseObject } from '@shared/session/json'
import { saneTime } from '@shared/session/sane-time'
import { SessionFacts } from '@shared/session/session-facts'
import { sessionTitle } from '@shared/session/session-title'
import type { Environment } from '../../engine/environment'
import { SessionDocument } from '../../engine/session/session-document'
import { type ByteSource, bufferOf } from '../../engine/storage/byte-source'
import { attempt } from '../../engine/storage/errors'
import { readLines } from '../../engine/storage/line-reader'
import { journalStorage } from '../../engine/storage/open-journal'
import type { SessionStorage, StorageStat } from '../../engine/storage/session-storage'
import {
  hashesOf,
  hashOf,
  isTimed,
  pointAfter,
  type ResumePoint,
  resumePointOf,
  slotNow,
} from './resume-point'
import {
  type KnownPlaces,
  ROOTS_KEPT,
  type SessionSummary,
  stubSummary,
  summarizeDocument,
  summaryOf,
} from './session-summary'

export type ReadSummary = {
  summary: SessionSummary
  /** Where to go on when the file grows; null: it is read whole then. */
  point: ResumePoint | null
  /** Whether only what was appended was read. */
  grown: boolean
  /** Whether it stays true of the file as it is now: not where the system refused to read, or where a time lies ahead. */
  lasting: boolean
}

/** Reads a session's summary, from `before` on where that can be. */
export function readSummary(
  env: Environment,
  file: string,
  before: { summary: SessionSummary; point: ResumePoint | null } | null,
  places: KnownPlaces = {},
): ReadSummary {
  const storage = journalStorage(env, file)
  const opened = storage.open()
  if (!opened.ok) return refused(env, file, opened.error, places)
  const { source, stat } = opened.value
  const read = attempt('read', file, () => {
    const point = before?.point ?? null
    const grown =
      before === null || point === null ? null : readGrown(env, source, stat, before.summary, point, places)
    return grown ?? readWhole(env, storage, source, stat, places)
  })
  source.close()
  return read.ok ? read.value : refused(env, file, read.error, places)
}

function refused(env: Environment, file: string, error: AppError, places: KnownPlaces): ReadSummary {
  return { summary: stubSummary(env, file, error, places), point: null, grown: false, lasting: false }
}

function readWhole(
  env: Environment,
  storage: SessionStorage,
  source: ByteSource,
  stat: StorageStat,
  places: KnownPlaces,
): ReadSummary {
  const read = SessionDocument.readFrom(storage, env.now, source, stat)
  if (!read.ok) return refused(env, storage.path, read.error, places)
  const document = read.value
  const summary = summarizeDocument(env, document, places)
  const point = resumePointOf(env, document, source)
  return { summary, point, grown: false, lasting: isTimed(env, document) }
}

/** Null: only a whole read tells what the file holds. */
function readGrown(
  env: Environment,
  source: ByteSource,
  stat: StorageStat,
  before: SessionSummary,
  point: ResumePoint,
  places: KnownPlaces,
): ReadSummary | null {
  if (stat.fileId !== point.fileId || stat.size < point.size) return null
  // Of the same length with another time: what was written over something may stand anywhere in it.
  if (stat.size === point.size && stat.modified !== before.modified) return null
  const slot = slotNow(source, point)
  if (slot === undefined) return null
  const growth = new Growth(env.now(), before, point)
  for (const { bytes, terminated, tooLarge } of readLines(source, { from: point.size })) {
    const text = bufferOf(bytes).toString('utf8')
    const record = terminated && !tooLarge ? parseObject(text) : null
    if (record === null || !growth.add(record, bytes.length)) return null
  }
  const { facts, tips, newIds, rootIds } = growth
  const { firstTime, lastTime, titleChangedTo, titleChangedFrom } = facts
  const { header } = point
  const summary = summaryOf(
    env,
    {
      path: before.file,
      ...{ header, facts, rootIds, fileId: stat.fileId, bytes: stat.size, modified: stat.modified },
      title: sessionTitle(slot, header, facts),
      entryCount: before.entryCount + newIds.length,
      tips: tips.size,
      damagedLines: before.damagedLines,
      stub: null,
    },
    places,
  )
  const more = { slot, firstTime, lastTime, titleChangedTo, titleChangedFrom, tips: [...tips] }
  return { summary, point: pointAfter(point, source, more, newIds), grown: true, lasting: true }
}

/** Entries that were appended to what a summary and its point tell. */
class Growth {
  readonly facts: SessionFacts
  readonly tips: Set<string>
  readonly newIds: string[] = []
  readonly rootIds: string[]
  private readonly known: Set<number>
  private readonly now: number
  private count: number

  constructor(now: number, before: SessionSummary, point: ResumePoint) {
    this.now = now
    this.facts = new SessionFacts(now)
    this.tips = new Set(point.tips)
    this.rootIds = [...before.rootIds]
    this.known = new Set(hashesOf(point))
    this.count = before.entryCount
    const { messageCount, firstPrompt, status, model } = before
    const { firstTime, lastTime, titleChangedTo, titleChangedFrom } = point
    const lastRawTime = before.lastActivityRaw
    Object.assign(this.facts.usage, { cost: before.cost, withoutCost: before.withoutCost })
    Object.assign(this.facts, { messageCount, firstPrompt, status, model, firstTime, lastTime })
    Object.assign(this.facts, { titleChangedTo, titleChangedFrom, lastRawTime })
  }

  /** False when it may mean something else than by itself. */
  add(record: JsonObject, length: number): boolean {
    const { type, id, parentId } = entryHead(record)
    // A slot or a header in the middle of a file.
    if (type === 'title' || type === 'session' || id === null || this.known.has(hashOf(id))) return false
    if (parentId !== null && !this.tips.delete(parentId)) return false
    const isTimed =
      saneTime(record.timestamp, this.now) ?? saneTime(objectOf(record.message).timestamp, this.now)
    if (isTimed === null) return false
    if (parentId === null && this.rootIds.length < ROOTS_KEPT) this.rootIds.push(id)
    this.tips.add(id)
    this.known.add(hashOf(id))
    this.newIds.push(id)
    this.facts.add(record, this.count++, length)
    return true
  }
}
