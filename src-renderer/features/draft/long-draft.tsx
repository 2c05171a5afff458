/**
 * A draft that is too long for a text field: its beginning, to be read. Nothing is ever saved from here: what is kept, copied and
 * discarded is the whole text in the store.
 */
import { ClipboardCopy, FileText, FolderOpen } from 'lucide-react'
import { useMemo, useState } from 'react'
import { tellError } from '../../commands/flows/change-flows'
import { copyText, tellFailure } from '../../commands/flows/session-flows'
import type { OpenDraft } from '../../stores/draft-store'
import { type Stores, useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { Bar } from './draft-bars'
import { EDITED_CHARS, GROWN_TEXT, longDraftText, shownPart } from './draft-words'

/** Whether a draft is only shown. Decided when it is opened and when another text comes, never by typing: what grows is edited on. */
export function useIsLong({ text, serial }: OpenDraft): boolean {
  const [decided, setDecided] = useState(() => ({ serial, isLong: text.length > EDITED_CHARS }))
  if (decided.serial === serial) return decided.isLong
  const next = { serial, isLong: text.length > EDITED_CHARS }
  setDecided(next)
  return next.isLong
}

/** Says that the draft is long, and what that means for it. */
export function LongDraftBar({
  session,
  draft,
  isLong,
}: {
  session: string
  draft: OpenDraft
  isLong: boolean
}) {
  const stores = useStores()
  const isSaved = draft.save.state === 'saved' && draft.disk !== null
  const { text } = draft
  const said = useMemo(() => (isLong ? longDraftText(text, isSaved) : GROWN_TEXT), [text, isLong, isSaved])
  if (!isLong && text.length <= EDITED_CHARS) return null
  return (
    <Bar tone="plain" icon={<FileText aria-hidden />} text={said}>
      {isLong && isSaved ? (
        <>
          <Button onClick={() => void tellFailure(stores, stores.client.call('draft.reveal', { session }))}>
            <FolderOpen aria-hidden />
            Show in file manager
          </Button>
          <Button onClick={() => void copyLocation(stores, session)}>
            <ClipboardCopy aria-hidden />
            Copy file path
          </Button>
        </>
      ) : null}
    </Bar>
  )
}

async function copyLocation(stores: Stores, session: string): Promise<void> {
  const location = await stores.client.call('draft.location', { session })
  if (location.ok) await copyText(stores, location.value.path, 'File path')
  else tellError(stores, location.error)
}

/** A text that is only looked at, as much of it as a field bears. */
export function ReadOnlyPaper({
  label,
  text,
  focusable,
}: {
  label: string
  text: string
  focusable: boolean
}) {
  const shown = useMemo(() => shownPart(text), [text])
  return (
    <div className="dr-read">
      <textarea
        className="u-text"
        aria-label={label}
        readOnly
        spellCheck={false}
        value={shown.text}
        data-region-focus={focusable ? '' : undefined}
      />
      {shown.rest === null ? null : <p className="dr-rest u-num">{shown.rest}</p>}
    </div>
  )
}
