/** The transcript tab: one path of the open session, with its prompts at the side. */
import { MessageSquareDashed, PanelRightOpen, TriangleAlert } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { errorHeading } from '../../commands/error-text'
import { findStoreOf } from '../../stores/find-store'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { EmptyState, ErrorState } from '../../ui/states'
import { Banners } from './banners'
import { FindBar } from './find-bar'
import { Opening } from './opening'
import { OutlinePanel } from './outline-panel'
import './find.css'
import './transcript.css'
import './rows.css'
import './text.css'
import { TranscriptList } from './transcript-list'
import { useNarrow } from './use-narrow'

/** Width of the pane (CSS px) from which the prompts stand beside the text. */
const OUTLINE_BESIDE = 820

/** Needs no props: the stores say which session and which path. */
export function TranscriptView() {
  const { client, session, transcript, settings } = useStores()
  const find = findStoreOf(client)
  const ref = useStore(session, state => state.ref)
  const view = useStore(session, state => state.view)
  const tip = useStore(session, state => state.tip)
  const target = useStore(session, state => state.target)
  const showOutline = useStore(settings, state => state.settings.showOutline)
  const [top, setTop] = useState(0)
  const [frame, narrow] = useNarrow(OUTLINE_BESIDE)
  // Beside the text it is remembered; over the text it is there only while a prompt is looked for.
  const [over, setOver] = useState(false)

  useEffect(() => {
    if (ref === null) return
    transcript.getState().show(ref, tip)
    find.getState().show(ref, tip)
  }, [transcript, find, ref, tip])
  useEffect(() => {
    if (target === null) return
    void transcript.getState().jumpToEntry(target.ordinal)
    session.getState().targetShown()
  }, [session, transcript, target])

  const finding = useStore(find, state => state.open)
  const toText = useCallback(() => focusText(transcript.getState().current), [transcript])

  if (ref === null) return null
  const outline = narrow ? over : showOutline
  const toggleOutline = () => {
    if (narrow) setOver(!over)
    else void settings.getState().set({ showOutline: !showOutline })
  }
  const outlineClass = narrow ? 'tr-body tr-over-outline' : 'tr-body tr-with-outline'
  return (
    <section className="tr-view" aria-label="Transcript" ref={frame}>
      {view.state === 'ready' && <Banners view={view.value} />}
      {finding ? <FindBar onClosed={toText} /> : null}
      <div className={outline ? outlineClass : 'tr-body'}>
        <Reading session={ref} tip={tip} onTop={setTop} />
        {outline ? (
          <OutlinePanel top={top} onHide={toggleOutline} onGone={narrow ? toggleOutline : undefined} />
        ) : (
          <button
            type="button"
            className="tr-icon tr-outline-show"
            aria-label="Show prompts"
            title="Show prompts"
            onClick={toggleOutline}
          >
            <PanelRightOpen aria-hidden size={15} />
          </button>
        )}
      </div>
    </section>
  )
}

/** The keyboard goes to a row, or to the feed when there is none. */
function focusText(row: number): void {
  const feed = document.querySelector<HTMLElement>('.tr-scroll')
  const target = feed?.querySelector<HTMLElement>(`article[data-index="${row}"]`) ?? feed
  target?.focus({ preventScroll: true })
}

function Reading(props: { session: string; tip: number | null; onTop: (row: number) => void }): ReactNode {
  const { transcript } = useStores()
  const state = useStore(transcript, now => now.state)
  const error = useStore(transcript, now => now.error)
  const total = useStore(transcript, now => now.total)
  const serial = useStore(transcript, now => now.serial)
  const shown = useStore(transcript, now => now.session)
  const shownTip = useStore(transcript, now => now.tip)
  // Until the effect above has run, the store still holds what was shown before.
  const pending = shown !== props.session || shownTip !== props.tip
  if (pending || state === 'idle' || state === 'loading')
    return <Opening session={props.session} tip={props.tip} />
  if (state === 'error') {
    return (
      <ErrorState
        icon={<TriangleAlert aria-hidden />}
        title={error === null ? 'This session could not be read.' : errorHeading(error.code)}
        text={error?.message ?? ''}
        actions={<Button onClick={() => void transcript.getState().reload()}>Try again</Button>}
      />
    )
  }
  if (total === 0) {
    return (
      <EmptyState icon={<MessageSquareDashed aria-hidden />} title="No messages yet">
        This session holds no conversation. Its details say what is in the file.
      </EmptyState>
    )
  }
  return <TranscriptList key={serial} onTop={props.onTop} />
}
