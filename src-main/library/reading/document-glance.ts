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
  const messages: number[] = []
  const times: number[] = []
  for (let ordinal = 0; ordinal < index.count; ordinal++) {
    if (isMessageShape(columns.shape(ordinal))) messages.push(ordinal)
    if (columns.time(ordinal) !== null) times.push(ordinal)
  }
  const ofShape = (shape: string) => messages.filter(ordinal => columns.shape(ordinal) === shape)
  const first = ofShape('prompt').slice(0, LOOKED_AT)
  const last = ofShape('assistant').slice(-LOOKED_AT)
  // In the order of the file, and the very last ones last: the facts keep what came last.
  const looked = [times[0], ...first, ...last, messages.at(-1), times.at(-1), index.count - 1]
  const ordinals = [...new Set(looked.flatMap(at => (at === undefined || at < 0 ? [] : [at])))].sort(
    (a, b) => a - b,
  )
  document.visit(ordinals, (record, ordinal) => ends.add(withoutUsage(record), ordinal, 0))
  ends.messageCount = messages.length
  return ends
}

/** A few usages are no sum: none is told. */
function withoutUsage(record: JsonObject): JsonObject {
  if (record.type === 'model_usage') return { ...record, usage: undefined }
  if (record.type !== 'message') return record
  return { ...record, message: { ...messageOf(record), usage: undefined, details: undefined } }
}
