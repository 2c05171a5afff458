/** The editor of a draft: facts and acts above, what stands in the way, the text. */
import { charCount, lineCount } from '@shared/session/text-size'
import { Check, CircleCheck, Copy, Trash2 } from 'lucide-react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { tellError } from '../../commands/flows/change-flows'
import { discardDraft } from '../../commands/flows/draft-flows'
import { draftStoreOf, type OpenDraft } from '../../stores/draft-store'
import { perClient } from '../../stores/per-client'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { countOf, formatExact } from '../../ui/format'
import { useMinute } from '../../ui/use-minute'
import { DraftBars } from './draft-bars'
import { savedText } from './draft-words'
import { LongDraftBar, ReadOnlyPaper, useIsLong } from './long-draft'

/** Time (ms) the button says that the text was copied. */
const SAID_MS = 1500

/** Sessions of which the other program's text is shown: the editor is made anew when the window becomes narrow or wide. */
const theirsOf = perClient(() => new Set<string>())

export function DraftEditor(props: {
  session: string
  draft: OpenDraft
  /** Why nothing can be typed, or null. */
  readOnly: string | null
  maybeInUse: boolean
  autoFocus: boolean
  /** Something was typed: the editor stays, also when all of it is deleted again. */
  onTyped(): void
  /** The draft was discarded. */
  onEmpty(): void
}) {
  const { session, draft, readOnly } = props
  const stores = useStores()
  const store = draftStoreOf(stores.client)
  const now = useMinute()
  /** The field that is typed in; none while a long draft is only shown. */
  const paper = useRef<HTMLTextAreaElement>(null)
  const papers = useRef<HTMLDivElement>(null)
  const sessionsOfTheirs = theirsOf(stores.client)
  const [theirs, setTheirs] = useState(() => sessionsOfTheirs.has(session))
  const { save } = draft
  const showTheirs = theirs && save.state === 'conflict'
  useEffect(() => {
    if (showTheirs) sessionsOfTheirs.add(session)
    else sessionsOfTheirs.delete(session)
  }, [sessionsOfTheirs, session, showTheirs])
  const isLong = useIsLong(draft)
  const counts = useMemo(
    () => [countOf(lineCount(draft.text), 'line'), countOf(charCount(draft.text), 'character')],
    [draft.text],
  )

  // The text lives in the field: megabytes are not handed back and forth with every key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only texts that did not come from the field
  useLayoutEffect(() => {
    const field = paper.current
    if (field && field.value !== draft.text) field.value = draft.text
  }, [draft.serial])

  useEffect(() => {
    if (!props.autoFocus) return
    papers.current?.querySelector('textarea')?.focus()
    store.getState().wantFocus(null)
  }, [props.autoFocus, store])

  useLayoutEffect(() => {
    const onHidden = () => void store.getState().flush(session)
    window.addEventListener('blur', onHidden)
    return () => {
      window.removeEventListener('blur', onHidden)
      // The field still holds what was typed: it is taken from it before it goes.
      void store.getState().leave(session)
    }
  }, [store, session])

  const discard = async () => {
    await discardDraft(stores, session)
    props.onEmpty()
  }
  const sent = draft.disk?.alreadySent === true && save.state === 'saved'
  return (
    <section className="dr-view" aria-label="Draft">
      <div className="dr-head">
        <span className="dr-facts u-num">
          <b>{sent ? 'Draft' : 'Unsent text'}</b>
          {counts.map(count => (
            <span key={count}>{count}</span>
          ))}
          <span
            className={save.state === 'failed' || save.state === 'conflict' ? 'dr-unsaved' : ''}
            title={draft.disk === null ? undefined : formatExact(draft.disk.modified)}
          >
            {savedText(draft, now)}
          </span>
        </span>
        {sent ? (
          <span className="badge badge-ok dr-sent" title="The last prompt of this session is the same text">
            <CircleCheck aria-hidden size={12} /> already sent
          </span>
        ) : null}
        <span className="u-grow" />
        <CopyButton text={() => paper.current?.value ?? draft.text} />
        <Button disabled={readOnly !== null || save.state === 'conflict'} onClick={() => void discard()}>
          <Trash2 aria-hidden />
          Discard
        </Button>
      </div>
      <DraftBars
        session={session}
        draft={draft}
        readOnly={readOnly}
        maybeInUse={props.maybeInUse}
        theirs={showTheirs}
        onShowTheirs={setTheirs}
        mine={() => paper.current?.value ?? draft.text}
      />
      <LongDraftBar session={session} draft={draft} isLong={isLong} />
      <div ref={papers} className="dr-paper">
        {showTheirs ? (
          <ReadOnlyPaper label="Text that omp wrote" text={save.theirs?.text ?? ''} focusable={false} />
        ) : null}
        {isLong && !showTheirs ? (
          <ReadOnlyPaper label="Beginning of the draft" text={draft.text} focusable />
        ) : null}
        {isLong ? null : (
          <textarea
            ref={paper}
            className="u-text"
            aria-label="Text of the draft"
            placeholder="Type what you want to send when you resume this session."
            hidden={showTheirs}
            readOnly={readOnly !== null}
            spellCheck={false}
            defaultValue={draft.text}
            data-region-focus=""
            onInput={event => {
              const field = event.currentTarget
              store.getState().edit(session, () => field.value)
              props.onTyped()
            }}
            onBlur={() => void store.getState().flush(session)}
          />
        )}
      </div>
    </section>
  )
}

function CopyButton({ text }: { text(): string }) {
  const stores = useStores()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    const result = await stores.client.call('app.copyText', { text: text() })
    if (result.ok) setCopied(true)
    else tellError(stores, result.error)
  }
  return (
    <Button onClick={() => void copy()}>
      {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      {copied ? 'Copied' : 'Copy'}
    </Button>
  )
}
