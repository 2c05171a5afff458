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
import type { ByteSource } from '../../engine/storage/byte-source'
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
  for (let most: number = limits.quickHeadBytes; most <= limits.quickMostBytes; most *= 8) {
    const head = headOf(readPart(source, 0, most))
    if (head !== undefined) return head
    if (most >= source.size) return null
  }
  return null
}

/** Of the whole lines in these bytes. Undefined: there is no prompt in them; null: they are not what a session begins with. */
function headOf(bytes: Buffer): Head | null | undefined {
  let slot: TitleSlot | null = null
  let header: SessionHeader | null = null
  let firstId: string | null = null
  let isFirstEntry = true
  for (let start = 0, end = bytes.indexOf(LF); end !== -1; start = end + 1, end = bytes.indexOf(LF, start)) {
    const record = recordIn(bytes, start, end)
    if (record === null) return null
    const isSlot = start === 0 && readTitleSlot(record) !== null
    if (isSlot) slot = readTitleSlot(record)
    else if (header === null) {
      header = isHeaderRecord(record) ? readHeader(record) : null
      if (header?.version !== limits.sessionVersion) return null
    } else {
      if (isFirstEntry) firstId = typeof record.id === 'string' ? record.id : null
      isFirstEntry = false
      const prompt = record.type === 'message' ? promptText(objectOf(record.message)) : ''
      if (prompt !== '')
        return { slot, header, firstPrompt: listText(prompt, limits.firstPromptChars), firstId }
    }
  }
  return undefined
}

/** Where parts of files are read to, one after the other: memory that is new for each costs more than reading. */
const PART = Buffer.allocUnsafeSlow(limits.quickMostBytes)

/** Up to `most` bytes from a place on; true only until the next part is read. */
function readPart(source: ByteSource, from: number, most: number): Buffer {
  const wanted = PART.subarray(0, Math.max(0, Math.min(most, source.size - from)))
  return wanted.subarray(0, source.read(wanted, from))
}

function recordIn(bytes: Buffer, start: number, end: number): JsonObject | null {
  return parseObject(bytes.toString('utf8', start, end))
}

/** Last activity, status and model, from the last entries. */
function readTail(source: ByteSource, now: number): Tail | null {
  for (let most: number = limits.quickTailBytes; most <= limits.quickMostBytes; most *= 4) {
    const from = Math.max(0, source.size - most)
    const bytes = readPart(source, from, most)
    const tail = bytes[bytes.length - 1] === LF ? tailOf(bytes, now) : null
    if (tail !== null || from === 0) return tail
  }
  return null
}

/** Null: these lines do not tell. From the last to the first, as far as must be. */
function tailOf(bytes: Buffer, now: number): Tail | null {
  let lastTime: number | null = null
  let status: SessionStatus | null = null
  let change: TitleChanges | null = null
  let end = bytes.length - 1
  for (;;) {
    const start = bytes.lastIndexOf(LF, end - 1)
    // The first line may have begun before what was read.
    if (start === -1) return null
    const record = recordIn(bytes, start + 1, end)
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
