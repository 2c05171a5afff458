/** Which bytes may be overwritten as a title slot. Pure. Rule: docs/format.md, Title slot. */
import { limits } from '@shared/limits'
import { parseObject } from '@shared/session/json'
import { readTitleSlot } from '@shared/session/title-slot'

const LF = 0x0a

/** Whether `head`, the first bytes of a journal, begin with a slot that is exactly 256 bytes and a line by itself. */
export function isExactSlot(head: Uint8Array): boolean {
  if (head.length < limits.slotBytes || head.indexOf(LF) !== limits.slotBytes - 1) return false
  const record = parseObject(Buffer.from(head.subarray(0, limits.slotBytes)).toString('utf8'))
  // A byte order mark would be skipped by the parser of text, and the slot would then reach into the header.
  return head[0] === 0x7b && record !== null && readTitleSlot(record) !== null
}
