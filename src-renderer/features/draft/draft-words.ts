/** What the draft tab says, as words. Pure. */
import type { SessionRow } from '@shared/ipc/models/library-models'
import type { SessionUse } from '@shared/ipc/models/session-models'
import type { OpenDraft } from '../../stores/draft-store'
import { formatWhen } from '../../ui/format'

/** Whether the text is on the disk, in a word or two; failures are told in a bar of their own. */
export function savedText(draft: OpenDraft, now: number): string {
  switch (draft.save.state) {
    case 'typed':
    case 'saving':
      return 'saving…'
    case 'failed':
    case 'conflict':
      return 'not saved'
    case 'saved': {
      const { disk } = draft
      if (disk === null) return draft.text === '' ? 'nothing to save' : 'saved'
      return disk.modified === null ? 'saved' : `saved ${formatWhen(disk.modified, now)}`
    }
    default:
      return draft.save satisfies never
  }
}

/** Why nothing can be typed; null when it can. */
export function whyReadOnly(row: SessionRow | null, use: SessionUse | null): string | null {
  if (row?.readOnly) return 'This session is read-only for Grove, and so is its draft.'
  if (row?.problem != null)
    return 'The file of this session is damaged: a draft beside it would not be found.'
  if (use?.state === 'in-use') {
    const who = use.text === null ? '' : ` ${use.text}`
    return `The session is in use, and omp writes the draft itself when it ends.${who}`
  }
  return null
}

/** Room (characters) for the beginning of a text in a bar. */
const START = 60

/** How a text that was set aside begins, in one line. */
export function asideStart(text: string): string {
  const line = text
    .slice(0, 4 * START)
    .trim()
    .replace(/\s+/g, ' ')
  const characters = [...line]
  return characters.length > START || text.length > 4 * START
    ? `${characters.slice(0, START).join('')}…`
    : line
}
