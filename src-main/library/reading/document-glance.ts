/**
 * What a list says of a session whose document is not complete yet: told by its heads and a few of its entries. What would need all
 * of them (usage, cost, counts of prompts and calls) is left as unknown.
 */

import { messageOf } from '@shared/session/entry'
import { isMessageShape } from '@shared/session/entry-shape'
import type { JsonObject } from '@shared/session/json'
import { SessionFacts } from '@shared/session/session-facts'
import type { SessionDocument } from '../../engine/session/session-document'

/** Entries that are looked at for a prompt, or for a model. */
const LOOKED_AT = 24

/** Facts of which only those hold that a list shows, without usage. */
export function glance(document: SessionDocument, now: number): SessionFacts {
  const { columns, index } = document
  const ends = new SessionFacts(now)
  const isMessage = (ordinal: number) => isMessageShape(columns.shape(ordinal))
  const isTimed = (ordinal: number) => columns.time(ordinal) !== null
  const isPrompt = (ordinal: number) => columns.shape(ordinal) === 'prompt'
  const isAnswer = (ordinal: number) => columns.shape(ordinal) === 'assistant'
  const first = (test: Test, most: number) => some(index.count, 1, test, most)
  const last = (test: Test, most: number) => some(index.count, -1, test, most)
  // One by one and no further than needed: each may be a picture of many megabytes.
  const telling = (ordinals: number[], tells: (facts: SessionFacts) => boolean) => {
    const found = ordinals.find(ordinal => tells(factsOf(document, ordinal, now)))
    return found === undefined ? [] : [found]
  }
  // In the order of the file, and the very last ones last: the facts keep what came last.
  const looked = new Set([
    ...first(isTimed, 1),
    ...telling(first(isPrompt, LOOKED_AT), ({ firstPrompt }) => firstPrompt !== ''),
    ...telling(last(isAnswer, LOOKED_AT), ({ model }) => model !== null),
    ...last(isMessage, 1),
    ...last(isTimed, 1),
    ...last(() => true, 1),
  ])
  const ordinals = [...looked].sort((a, b) => a - b)
  document.visit(ordinals, (record, ordinal) => ends.add(withoutUsage(record), ordinal, 0))
  ends.messageCount = 0
  for (let ordinal = 0; ordinal < index.count; ordinal++) if (isMessage(ordinal)) ends.messageCount++
  return ends
}

/** What one entry says by itself. */
function factsOf(document: SessionDocument, ordinal: number, now: number): SessionFacts {
  const facts = new SessionFacts(now)
  document.visit([ordinal], record => facts.add(withoutUsage(record), ordinal, 0))
  return facts
}

type Test = (ordinal: number) => boolean

/** The first, or for `step` -1 the last, `most` ordinals of which something is true. */
function some(count: number, step: 1 | -1, test: Test, most: number): number[] {
  const found: number[] = []
  for (let at = step === 1 ? 0 : count - 1; at >= 0 && at < count && found.length < most; at += step)
    if (test(at)) found.push(at)
  return found
}

/** A few usages are no sum: none is told. */
function withoutUsage(record: JsonObject): JsonObject {
  if (record.type === 'model_usage') return { ...record, usage: undefined }
  if (record.type !== 'message') return record
  return { ...record, message: { ...messageOf(record), usage: undefined, details: undefined } }
}
