/**
 * What a model would get to see of a session, and what a reader would: pure functions of a path. Rule: docs/format.md,
 * Context.
 *
 * A path is a list of records of version 3, root first. Whatever a file put into them, nothing here throws, recurses
 * or changes them; the work is linear in the path. Images stay references to blobs.
 */
import { collapsedChoice, modelChoice, wholeChoice } from './context-choice'
import { type ContextMessage, entryMessage, modelMessage } from './context-messages'
import { withoutDanglingCalls, withoutFailedTurns } from './context-repairs'
import { type ContextSettings, contextSettings } from './context-settings'
import { compactionSummary, notesMessage, supersededSummary } from './context-summaries'
import type { JsonObject } from './json'

export type SessionContext = ContextSettings & {
  /** Oldest first, as they would be handed to a model. */
  messages: ContextMessage[]
}

/** `full`: everything on the path. `collapsed`: without what the compaction in force, or a reset, put away. */
export type TranscriptMode = 'full' | 'collapsed'

/** Messages and settings at the end of a path; of an empty path, those of a session in which nothing was said. */
export function buildSessionContext(path: readonly JsonObject[]): SessionContext {
  const { positions, compaction, retained } = modelChoice(path)
  const notes = notesMessage(path)
  const messages = notes === null ? [] : [notes]
  for (const at of positions) {
    const record = path[at] ?? {}
    const message =
      at === compaction
        ? compactionSummary(record, path[retained], { payload: true, archive: true })
        : modelMessage(record)
    if (message !== null) messages.push(message)
  }
  const answered = withoutDanglingCalls(messages, { keepEmpty: false })
  return { ...contextSettings(path), messages: withoutFailedTurns(answered) }
}

/** Messages of a path for a reader: failed turns are among them, and no turn is dropped for having become empty. */
export function buildTranscript(path: readonly JsonObject[], mode: TranscriptMode): ContextMessage[] {
  const full = mode === 'full'
  const { positions, compaction, retained } = full ? wholeChoice(path) : collapsedChoice(path)
  const messages: ContextMessage[] = []
  for (const at of positions) {
    const record = path[at] ?? {}
    let message = entryMessage(record)
    if (at === compaction)
      message = compactionSummary(record, path[retained], { payload: !full, archive: full })
    else if (record.type === 'compaction') message = supersededSummary(record)
    if (message !== null) messages.push(message)
  }
  return withoutDanglingCalls(messages, { keepEmpty: true })
}
