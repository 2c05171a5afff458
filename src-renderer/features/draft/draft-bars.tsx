/** What stands in the way of a draft, in a bar above its text, each with what can be done about it. */
import { Lock, TriangleAlert, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { errorLine } from '../../commands/error-text'
import { copyText } from '../../commands/flows/session-flows'
import { draftStoreOf, type OpenDraft } from '../../stores/draft-store'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { asideStart } from './draft-words'

/** One bar: what it is about, and what can be done. */
export function Bar(props: {
  tone: 'warn' | 'bad' | 'plain'
  icon: ReactNode
  text: ReactNode
  children?: ReactNode
}) {
  return (
    <div className={`note note-${props.tone} dr-bar`} role={props.tone === 'plain' ? 'status' : 'alert'}>
      <span className="note-icon">{props.icon}</span>
      <span className="dr-bar-text u-text">{props.text}</span>
      {props.children ? <span className="dr-bar-acts">{props.children}</span> : null}
    </div>
  )
}

export function DraftBars(props: {
  session: string
  draft: OpenDraft
  readOnly: string | null
  maybeInUse: boolean
  /** The other program's text is shown. */
  theirs: boolean
  onShowTheirs(show: boolean): void
  mine(): string
}) {
  const { session, draft, readOnly, theirs, onShowTheirs } = props
  const stores = useStores()
  const store = draftStoreOf(stores.client)
  const { save, aside } = draft
  const copyMine = () => void copyText(stores, props.mine(), 'Your text')
  return (
    <>
      {readOnly === null ? null : <Bar tone="plain" icon={<Lock aria-hidden />} text={readOnly} />}
      {save.state === 'failed' ? (
        <Bar tone="bad" icon={<TriangleAlert aria-hidden />} text={<>Not saved: {errorLine(save.error)}</>}>
          <Button onClick={() => void store.getState().flush(session)}>Try again</Button>
          {save.error.code === 'in-use' && props.maybeInUse ? (
            <Button onClick={() => void store.getState().saveAnyway(session)}>I closed it there, save</Button>
          ) : null}
          <Button onClick={copyMine}>Copy mine</Button>
        </Bar>
      ) : null}
      {save.state === 'conflict' ? (
        <Bar
          tone="warn"
          icon={<TriangleAlert aria-hidden />}
          text={
            save.theirs === null
              ? 'omp took the draft away while you were typing. Your text is not saved.'
              : 'omp changed the draft while you were typing. Your text is not saved.'
          }
        >
          {save.theirs === null ? (
            <Button onClick={() => store.getState().useTheirs(session)}>Leave it away</Button>
          ) : (
            <>
              <Button aria-pressed={theirs} onClick={() => onShowTheirs(!theirs)}>
                {theirs ? 'Show mine' : 'Show theirs'}
              </Button>
              {theirs ? (
                <Button onClick={() => store.getState().useTheirs(session)}>Use theirs</Button>
              ) : null}
            </>
          )}
          <Button onClick={() => void store.getState().keepMine(session)}>Keep mine</Button>
          <Button onClick={copyMine}>Copy mine</Button>
        </Bar>
      ) : null}
      {aside.map(({ id, text }) => (
        <Bar
          key={id}
          tone="plain"
          icon={<Undo2 aria-hidden />}
          text={
            <>
              Set aside until you close Grove: <q>{asideStart(text)}</q>
            </>
          }
        >
          <Button disabled={readOnly !== null} onClick={() => void store.getState().putBack(session, id)}>
            Put it back
          </Button>
          <Button onClick={() => void copyText(stores, text, 'Your text')}>Copy mine</Button>
          <Button onClick={() => store.getState().forgetAside(session, id)}>Forget it</Button>
        </Bar>
      ))}
    </>
  )
}
