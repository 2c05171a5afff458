/**
 * A session's row before its file was read whole: what both ends of the file say. Everything in it is as in the whole summary,
 * but for what must be counted, which is not known yet. Where the ends do not suffice, or look odd, there is none, and the row
 * waits for the whole summary. Rule: docs/format.md, Listing.
 */
import path from 'node:path'
import { limits } from '@shared/limits'
import { isHeaderRecord, readHeader, type SessionHeader } from '@shared/session/header'
import { type JsonObject, objectOf, parseObject } from '@shared/session/json'
import { promptText } from '@shared/session/prompt'
import { saneTime } from '@shared/session/sane-time'
import { sessionTitle } from '@shared/session/session-title'
import { type SessionStatus, statusAfter } from '@shared/session/status'
import { listText } from '@shared/session/text'
import { readTitleSlot, type TitleSlot } from '@shared/session/title-slot'
import { modelName } from '@shared/session/usage'
import type { Environment } from '../../engine/environment'
import { parseSessionFileName } from '../../engine/layout/session-paths'
import { type ByteSource, readRange } from '../../engine/storage/byte-source'
import { attempt } from '../../engine/storage/errors'
import { FileSessionStorage } from '../../engine/storage/file-session-storage'
import { realPathOf, type SessionSummary } from './session-summary'

/** What the listing knows of the file. */
export type QuickPlaces = { hasDraft: boolean; realFile?: string | undefined }

type Head = { slot: TitleSlot | null; header: SessionHeader; firstPrompt: string; firstId: string | null }
type Tail = { status: SessionStatus; model: string | null; lastTime: number; change: TitleChanges }
type TitleChanges = { titleChangedTo: string | null; titleChangedFrom: string | null }

const LF = 0x0a

/** The summary of a session by the ends of its file; null: only the whole file tells. */
export function quickSummary(env: Environment, file: string, places: QuickPlaces): SessionSummary | null {
  const opened = new FileSessionStorage(env, file).open()
  if (!opened.ok) return null
  const { source, stat } = opened.value
  const read = attempt('read', file, () => {
    const head = readHead(source)
    const tail = head === null ? null : readTail(source, env.now())
    return head === null || tail === null ? null : { head, tail }
  })
  source.close()
  if (!read.ok || read.value === null) return null
  const { head, tail } = read.value
  const { header, slot } = head
  const { title, source: titleSource } = sessionTitle(slot, header, tail.change)
  const name = parseSessionFileName(path.basename(file))
  const unknown = {
    ...{ artifactBytes: 0, artifactCount: 0, subagentCount: 0, entryCount: 0, messageCount: 0 },
    ...{ cost: null, withoutCost: 0, tips: 0, damagedLines: 0 },
  }
  return {
    ...unknown,
    file,
    realFile: places.realFile ?? realPathOf(env, file) ?? file,
    id: header.id ?? name.id,
    version: header.version,
    title,
    titleSource,
    cwd: header.cwd,
    created: saneTime(header.timestamp, env.now()) ?? name.created,
    lastActivity: tail.lastTime,
    lastActivityRaw: null,
    bytes: stat.size,
    firstPrompt: head.firstPrompt,
    status: tail.status,
    model: tail.model,
    parentSession: header.parentSession,
    parentRealFile: realPathOf(env, header.parentSession),
    previousFiles: header.previousSessionFiles,
    rootIds: head.firstId === null ? [] : [head.firstId],
    hasDraft: places.hasDraft,
    stub: null,
    fileId: stat.fileId,
    modified: stat.modified,
    counted: false,
  }
}

/** Slot, header and the first prompt. */
function readHead(source: ByteSource): Head | null {
  let records: JsonObject[] | null = null
  for (let most: number = limits.quickHeadBytes; most <= limits.quickMostBytes; most *= 8) {
    records = wholeRecords(readRange(source, 0, Math.min(most, source.size)))
    const head = records === null ? null : headOf(records)
    if (records === null || head !== null) return head
    if (most >= source.size) return null
  }
  return null
}

/** Null: not in these records. */
function headOf(records: readonly JsonObject[]): Head | null {
  const [first, second] = records
  if (first === undefined) return null
  const slot = readTitleSlot(first)
  const top = slot === null ? first : second
  if (top === undefined || !isHeaderRecord(top)) return null
  const header = readHeader(top)
  if (header.version !== limits.sessionVersion) return null
  for (const record of records) {
    const prompt = record.type === 'message' ? promptText(objectOf(record.message)) : ''
    if (prompt === '') continue
    const entry = records[slot === null ? 1 : 2]
    const firstId = typeof entry?.id === 'string' ? entry.id : null
    return { slot, header, firstPrompt: listText(prompt, limits.firstPromptChars), firstId }
  }
  return null
}

/** The records of whole lines at the start of a file; null when one of them is none. */
function wholeRecords(bytes: Uint8Array): JsonObject[] | null {
  const records: JsonObject[] = []
  for (let start = 0; ; ) {
    const end = bytes.indexOf(LF, start)
    if (end === -1) return records
    const record = recordIn(bytes.subarray(start, end))
    if (record === null) return null
    records.push(record)
    start = end + 1
  }
}

function recordIn(line: Uint8Array): JsonObject | null {
  return parseObject(Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('utf8'))
}

/** Last activity, status and model, from the last entries. */
function readTail(source: ByteSource, now: number): Tail | null {
  for (let most: number = limits.quickTailBytes; most <= limits.quickMostBytes; most *= 4) {
    const from = Math.max(0, source.size - most)
    const bytes = readRange(source, from, source.size)
    const tail = bytes[bytes.length - 1] === LF ? tailOf(bytes, now) : null
    if (tail !== null || from === 0) return tail
  }
  return null
}

/** Null: these lines do not tell. From the last to the first, as far as must be. */
function tailOf(bytes: Uint8Array, now: number): Tail | null {
  let lastTime: number | null = null
  let status: SessionStatus | null = null
  let change: TitleChanges | null = null
  let end = bytes.length - 1
  for (;;) {
    const start = bytes.lastIndexOf(LF, end - 1)
    // The first line may have begun before what was read.
    if (start === -1) return null
    const record = recordIn(bytes.subarray(start + 1, end))
    if (record === null) return null
    const message = objectOf(record.message)
    // An entry that has no time, or none that can be: what is shown of it is for the whole summary to say.
    lastTime ??= saneTime(record.timestamp, now) ?? saneTime(message.timestamp, now)
    if (lastTime === null) return null
    if (record.type === 'title_change') change ??= changeOf(record)
    if (record.type === 'message') {
      status ??= statusAfter(message)
      const model =
        message.role === 'assistant' && typeof message.model === 'string' ? modelName(message) : null
      if (model !== null)
        return { status, model, lastTime, change: change ?? { titleChangedTo: null, titleChangedFrom: null } }
    }
    end = start
  }
}

function changeOf({ title, previousTitle }: JsonObject): TitleChanges {
  return {
    titleChangedTo: typeof title === 'string' ? title : null,
    titleChangedFrom: typeof previousTitle === 'string' ? previousTitle : null,
  }
}
