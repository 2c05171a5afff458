/** The draft tab: the unsent text of the open session, as it is, to be read and copied. */

import type { DraftView as Draft } from '@shared/ipc/models/session-models'
import { Check, CircleCheck, Copy, PencilLine, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { errorHeading, errorLine } from '../../commands/error-text'
import { draftStoreOf } from '../../stores/session-views-stores'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { countOf, formatBytes, formatExact, formatWhen } from '../../ui/format'
import { Bone, EmptyState, ErrorState } from '../../ui/states'
import './draft.css'

/** Needs no props: the stores say which session. */
export function DraftView() {
  const { client, session } = useStores()
  const store = draftStoreOf(client)
  const ref = useStore(session, state => state.ref)
  const data = useStore(store, state => state.data)
  const loaded = useStore(store, state => state.session)
  useEffect(() => {
    if (ref !== null) store.getState().show(ref)
  }, [store, ref])
  if (ref === null) return null
  if (loaded !== ref || data.state === 'loading') {
    return (
      <div className="dr-loading" aria-busy="true">
        <p className="u-hidden">Loading the draft</p>
        <Bone width="70%" height={12} />
        <Bone width="48%" height={12} />
      </div>
    )
  }
  if (data.state === 'error') {
    return (
      <ErrorState
        icon={<TriangleAlert aria-hidden />}
        title={errorHeading(data.error.code)}
        text={data.error.message}
        actions={<Button onClick={() => store.getState().reload()}>Try again</Button>}
      />
    )
  }
  if (data.value === null || data.value.text === '') {
    return (
      <EmptyState icon={<PencilLine aria-hidden />} title="No draft">
        What is typed in omp and not sent yet is kept with the session. There is nothing here.
      </EmptyState>
    )
  }
  return <DraftText draft={data.value} />
}

/** Time (ms) the button says that the text was copied. */
const SAID_MS = 1500

function DraftText({ draft }: { draft: Draft }) {
  const { client, toasts } = useStores()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    const result = await client.call('app.copyText', { text: draft.text })
    if (result.ok) setCopied(true)
    else toasts.getState().push({ tone: 'error', text: errorLine(result.error), undo: null })
  }
  // The line break at the very end begins no line.
  const lines = draft.text.replace(/\n$/, '').split('\n').length
  return (
    <section className="dr-view" aria-label="Draft">
      <div className="dr-head">
        <span className="dr-facts u-num">
          <b>Unsent text</b>
          <span>{countOf(lines, 'line')}</span>
          <span>{formatBytes(draft.bytes)}</span>
          <time title={formatExact(draft.modified)}>
            {draft.modified === null ? 'time unknown' : `saved ${formatWhen(draft.modified, Date.now())}`}
          </time>
        </span>
        {draft.alreadySent && (
          <span className="badge badge-ok dr-sent" title="The last prompt of this session is the same text">
            <CircleCheck aria-hidden size={12} /> already sent
          </span>
        )}
        <span className="u-grow" />
        <Button onClick={() => void copy()}>
          {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <div className="dr-paper">
        <textarea
          className="u-text"
          aria-label="Text of the draft"
          readOnly
          spellCheck={false}
          value={draft.text}
        />
      </div>
    </section>
  )
}
