/** What the draft tab says, as words, and how much of a draft it shows. Pure. */
import type { SessionRow } from '@shared/ipc/models/library-models'
import type { SessionUse } from '@shared/ipc/models/session-models'
import { cutAtCharacter } from '@shared/session/text'
import { charCount } from '@shared/session/text-size'
import { utf8Length } from '@shared/session/utf8'
import type { OpenDraft } from '../../stores/draft-store'
import { countOf, formatBytes, formatWhen } from '../../ui/format'

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
  if (row?.archived) return 'This session is archived by omp and only read, and so is its draft.'
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

/**
 * Characters up to which a draft is opened to be edited. What a key costs in a text field grows faster than its text: with this
 * much it is four times that of an empty one, with twice as much fourteen times.
 */
export const EDITED_CHARS = 100_000

/** Characters that are shown of a draft that is too long to be edited. */
const SHOWN_CHARS = 20_000

/** What is shown of a text that is only looked at, and what is said of the rest; null where all is shown. */
export function shownPart(text: string): { text: string; rest: string | null } {
  if (text.length <= EDITED_CHARS) return { text, rest: null }
  const shown = cutAtCharacter(text, SHOWN_CHARS)
  return { text: shown, rest: `${countOf(charCount(text) - charCount(shown), 'more character')} not shown.` }
}

/** Why a long draft cannot be typed in, and what can be done. */
export function longDraftText(text: string, isSaved: boolean): string {
  const size = formatBytes(utf8Length(text))
  return isSaved
    ? `This draft is ${size} long, too long to be edited here: you see its beginning. omp still takes all of it. To change it, open its file in an editor of your own.`
    : `This text is ${size} long, too long to be edited here: you see its beginning. All of it is kept until it can be saved.`
}

/** What is said while a draft that has become long is still edited. */
export const GROWN_TEXT = `This draft has become longer than ${countOf(EDITED_CHARS, 'character')}. You can go on here until you leave this tab, and then only in an editor of your own. omp takes it whatever its length.`
