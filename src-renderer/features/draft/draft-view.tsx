/** The draft tab: the unsent text of the open session, edited in place. */
import { PencilLine, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { errorHeading } from '../../commands/error-text'
import { readyValue } from '../../stores/async'
import { draftStoreOf } from '../../stores/draft-store'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { Bone, EmptyState, ErrorState } from '../../ui/states'
import { DraftEditor } from './draft-editor'
import { whyReadOnly } from './draft-words'
import './draft.css'

/** Needs no props: the stores say which session. */
export function DraftView() {
  const { session } = useStores()
  const ref = useStore(session, state => state.ref)
  return ref === null ? null : <SessionDraft key={ref} session={ref} />
}

function SessionDraft({ session }: { session: string }) {
  const stores = useStores()
  const store = draftStoreOf(stores.client)
  const data = useStore(store, state => state.drafts.get(session))
  const focus = useStore(store, state => state.focus === session)
  const view = readyValue(useStore(stores.session, state => state.view))
  const use = useStore(stores.session, state => state.use)
  const [writing, setWriting] = useState(false)
  useEffect(() => void store.getState().show(session), [store, session])
  const readOnly = whyReadOnly(view?.row ?? null, use)

  if (data === undefined || data.state === 'loading') {
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
        actions={<Button onClick={() => void store.getState().show(session)}>Try again</Button>}
      />
    )
  }
  const draft = data.value
  const nothing = draft.text === '' && draft.disk === null && draft.save.state === 'saved'
  if (nothing && draft.aside.length === 0 && (!writing || readOnly !== null)) {
    return (
      <EmptyState
        icon={<PencilLine aria-hidden />}
        title="No draft"
        actions={
          readOnly === null ? (
            <Button autoFocus={focus} onClick={() => setWriting(true)}>
              <PencilLine aria-hidden />
              Write a draft
            </Button>
          ) : null
        }
      >
        <p>What is typed in omp and not sent yet is kept with the session. There is nothing here.</p>
        {readOnly === null ? (
          <p>omp puts a draft into its prompt when it resumes the session.</p>
        ) : (
          <p>{readOnly}</p>
        )}
      </EmptyState>
    )
  }
  return (
    <DraftEditor
      session={session}
      draft={draft}
      readOnly={readOnly}
      maybeInUse={use?.state === 'maybe'}
      autoFocus={writing || focus}
      onTyped={() => setWriting(true)}
      onEmpty={() => setWriting(false)}
    />
  )
}
