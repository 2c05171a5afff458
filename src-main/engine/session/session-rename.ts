/**
 * Giving a session a title. Rule: docs/format.md, Rename.
 *
 * Guarantees: a title of the user's is never replaced by an `auto` one, whatever was written to the file meanwhile. A
 * session that another program has gets its slot written and nothing else, and only a title that fits there: a cut one
 * would be all that is left of it.
 */
import { err, ok, type Result } from '@shared/ipc/result'
import { parseObject } from '@shared/session/json'
import type { EntryPlace } from '@shared/session/new-entry'
import { cleanTitle } from '@shared/session/session-title'
import { readTitleSlot, type TitleSource } from '@shared/session/title-slot'
import type { Renamed } from './manager-options'
import type { SessionDocument } from './session-document'
import { slotLineFor } from './session-head'
import type { SessionJournal } from './session-journal'

export type RenameOptions = {
  /** What made a generated title, as its entry says. */
  trigger?: string
  /** Shown the session right before it is written: what the title replaces. */
  seen?(before: SessionDocument): void
}

export type RenameRequest = RenameOptions & {
  /** As typed. */
  text: string
  source: TitleSource
  /** ISO time. */
  timestamp: string
  /** Where the `title_change` hangs; asked when the document is what the file holds. */
  newPlace(): EntryPlace
  /** A session that is in memory only is written first. */
  publishes: boolean
}

export async function renameSession(
  journal: SessionJournal,
  { text, source, trigger, timestamp, newPlace, seen, publishes }: RenameRequest,
): Promise<Result<Renamed>> {
  const title = cleanTitle(text)
  if (title === '') return err('invalid-argument', 'A title needs at least one visible character.')
  // Not before: a title that is none must not leave a file.
  const published = publishes ? await journal.publish() : ok(true as const)
  if (!published.ok) return published
  const slot = slotLineFor({ title, source }, timestamp)
  const isRefused = (): boolean => source === 'auto' && journal.document.title.source === 'user'
  const free = await journal.check()
  if (!free.ok && free.error.code === 'in-use') {
    if (!fits(slot, title)) {
      const more = `Its title can be changed to a shorter one only (${Buffer.byteLength(title)} bytes do not fit).`
      return err('in-use', `${free.error.message} ${more}`, free.error.path)
    }
    const slotOnly = await journal.retitleSlotOnly(() => {
      if (isRefused()) return null
      seen?.(journal.document)
      return slot
    })
    if (slotOnly.ok) return ok({ changed: slotOnly.value, slotOnly: slotOnly.value })
    // Without a slot there is nothing that may be written: who has the session is the reason.
    return slotOnly.error.code === 'conflict' ? free : slotOnly
  }
  const renamed = await journal.retitle(() => {
    if (isRefused()) return null
    seen?.(journal.document)
    const previousTitle = journal.document.title.title ?? undefined
    return {
      place: newPlace(),
      entry: { type: 'title_change', title, source, previousTitle, trigger },
      slot,
    }
  })
  return renamed.ok ? ok({ changed: renamed.value, slotOnly: false }) : renamed
}

/** Whether the slot says the whole title. */
function fits(slot: string, title: string): boolean {
  const record = parseObject(slot)
  return record !== null && readTitleSlot(record)?.title === title
}
