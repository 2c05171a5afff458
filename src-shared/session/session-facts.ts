/**
 * What is worth knowing of a session without keeping its text: counts, times, usage, labels, status.
 * Fed one entry at a time in file order; never looks back, so that growth costs only what grew.
 */

import { limits } from '../limits'
import { blobHashesIn } from './blob-refs'
import { type JsonObject, objectOf, objectsOf, stringOrNull } from './json'
import { promptText } from './prompt'
import { rawTime, saneTime } from './sane-time'
import { type SessionStatus, statusAfter } from './status'
import { listText } from './text'
import { addUsage, emptyUsage, modelName, type Usage, usagesOf } from './usage'

export type TypeShare = { count: number; bytes: number }

export class SessionFacts {
  readonly types = new Map<string, TypeShare>()
  readonly usage: Usage = emptyUsage()
  readonly usageByModel = new Map<string, Usage>()
  /** Target id -> label, as the last label entry for it says; cleared ones are gone. */
  readonly labels = new Map<string, string>()
  /** Hash -> entries that refer to it. */
  readonly blobs = new Map<string, { firstOrdinal: number; uses: number }>()
  messageCount = 0
  promptCount = 0
  toolCalls = 0
  compactions = 0
  firstPrompt = ''
  lastPrompt = ''
  status: SessionStatus = 'unknown'
  /** The model of the newest assistant message. */
  model: string | null = null
  /** Sane time of the last entry that has one, Unix ms. */
  lastTime: number | null = null
  firstTime: number | null = null
  /** What the last `title_change` says, and what it says was the title before. */
  titleChangedTo: string | null = null
  titleChangedFrom: string | null = null
  /** Time of the very last entry as written, when it is not sane. */
  lastRawTime: string | null = null
  private readonly now: number

  constructor(now: number) {
    this.now = now
  }

  /** `length` is the size of the entry's line in bytes. */
  add(record: JsonObject, ordinal: number, length: number): void {
    const type = stringOrNull(record.type) ?? 'unknown'
    const share = this.types.get(type) ?? { count: 0, bytes: 0 }
    this.types.set(type, { count: share.count + 1, bytes: share.bytes + length })
    this.addTime(record)
    for (const { model, usage } of usagesOf(record)) this.addUsageOf(model, usage)
    for (const hash of blobHashesIn(record)) {
      const known = this.blobs.get(hash)
      if (known === undefined) this.blobs.set(hash, { firstOrdinal: ordinal, uses: 1 })
      else known.uses++
    }
    if (type === 'message') this.addMessage(objectOf(record.message))
    else if (type === 'label') this.addLabel(record)
    else if (type === 'compaction') this.compactions++
    else if (type === 'title_change') {
      this.titleChangedTo = stringOrNull(record.title)
      this.titleChangedFrom = stringOrNull(record.previousTitle)
    }
  }

  private addTime(record: JsonObject): void {
    const time =
      saneTime(record.timestamp, this.now) ?? saneTime(objectOf(record.message).timestamp, this.now)
    this.lastRawTime = time === null ? rawTime(record.timestamp) : null
    if (time === null) return
    this.lastTime = time
    this.firstTime ??= time
  }

  private addUsageOf(model: string, usage: JsonObject): void {
    addUsage(this.usage, usage)
    const known = this.usageByModel.get(model) ?? emptyUsage()
    this.usageByModel.set(model, known)
    addUsage(known, usage)
  }

  private addMessage(message: JsonObject): void {
    this.messageCount++
    this.status = statusAfter(message)
    if (message.role === 'assistant') {
      if (typeof message.model === 'string') this.model = modelName(message)
      this.toolCalls += objectsOf(message.content).filter(block => block.type === 'toolCall').length
    }
    const prompt = promptText(message)
    if (prompt === '') return
    this.promptCount++
    if (this.firstPrompt === '') this.firstPrompt = listText(prompt, limits.firstPromptChars)
    this.lastPrompt = prompt
  }

  private addLabel(record: JsonObject): void {
    const target = stringOrNull(record.targetId)
    if (target === null) return
    const label = stringOrNull(record.label)
    if (label === null || label === '') this.labels.delete(target)
    else this.labels.set(target, label)
  }
}
