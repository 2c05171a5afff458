/** The re-root dialog: question, preview, progress, report. */
import type { ChangeReport, RerootSubject } from '@shared/ipc/models/change-models'
import { CircleCheck, TriangleAlert, Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { undoChange } from '../../commands/flows/change-flows'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { Facts, StayingList } from '../../ui/change-parts'
import { Dialog } from '../../ui/dialog'
import { countOf, formatBytes, formatCount } from '../../ui/format'
import { Bone, Note, ProgressBar } from '../../ui/states'
import { ErrorNote, RerootPreview } from './reroot-preview'
import { RerootQuestion } from './reroot-question'
import { createRerootStore, type RerootStore } from './reroot-store'
import { folderState, goingCount } from './reroot-words'
import './reroot.css'

export function RerootDialog({ subject, onFocusLost }: { subject: RerootSubject; onFocusLost(): void }) {
  const stores = useStores()
  const [store] = useState(() => createRerootStore(stores.client, subject))
  const report = useStore(store, state => state.report)
  useEffect(() => void store.getState().ask(subject), [store, subject])
  const close = () => stores.dialogs.getState().close()
  return report ? (
    <Report report={report} onClose={close} onFocusLost={onFocusLost} />
  ) : (
    <Ask store={store} onClose={close} onFocusLost={onFocusLost} />
  )
}

type PartProps = { onClose(): void; onFocusLost(): void }

function Ask({ store, onClose, onFocusLost }: PartProps & { store: RerootStore }) {
  const { question, plan, includeMaybe, work, error } = useStore(store)
  const ready = question.state === 'ready' ? question.value : null
  const going = plan?.state === 'ready' ? goingCount(plan.value, includeMaybe) : 0
  return (
    <Dialog
      title={ready ? ready.title : 'Re-root'}
      description={
        ready ? (
          <>
            {ready.from === null ? (
              <>These sessions name several folders.</>
            ) : (
              <>
                Its folder <span className="u-mono u-text">{ready.from}</span> {folderState(ready)}
              </>
            )}{' '}
            Nothing changes until you confirm.
          </>
        ) : (
          'Looking for the folder.'
        )
      }
      size="large"
      locked={work !== null}
      onClose={onClose}
      onFocusLost={onFocusLost}
      onSubmit={() => going > 0 && void store.getState().apply()}
      footer={
        work ? (
          <>
            <span className="dlg-foot-note u-cut">{work.text || 'Moving sessions'}</span>
            <Button onClick={() => store.getState().cancel()}>Cancel</Button>
          </>
        ) : (
          <>
            <span className="dlg-foot-note">You can undo this in Recent changes.</span>
            <Button onClick={onClose}>Cancel</Button>
            <button type="submit" className="btn btn-primary" disabled={going === 0}>
              {going > 0 ? `Re-root ${countOf(going, 'session')}` : 'Re-root'}
            </button>
          </>
        )
      }
    >
      {question.state === 'error' ? <ErrorNote error={question.error} /> : null}
      {question.state === 'loading' ? (
        <div className="reroot-bones" role="status" aria-label="Looking for the folder">
          <Bone width={140} height={12} />
          <Bone width="100%" height={46} />
          <Bone width="100%" height={46} />
        </div>
      ) : null}
      {ready ? <RerootQuestion store={store} question={ready} locked={work !== null} /> : null}
      {plan ? (
        <RerootPreview
          plan={plan}
          includeMaybe={includeMaybe}
          locked={work !== null}
          onIncludeMaybe={include => store.getState().setIncludeMaybe(include)}
        />
      ) : null}
      {work ? <ProgressBar label="Moving sessions" done={work.done} total={work.total} /> : null}
      {error ? <ErrorNote error={error} /> : null}
    </Dialog>
  )
}

function Report({ report, onClose, onFocusLost }: PartProps & { report: ChangeReport }) {
  const stores = useStores()
  // What is behind the dialog is asked for again at once.
  useEffect(() => {
    void stores.library.getState().refresh()
    void stores.list.getState().refresh()
    void stores.session.getState().reload()
  }, [stores])
  const undo = () => {
    onClose()
    if (report.changeId !== null) void undoChange(stores, report.changeId)
  }
  const done = report.done > 0
  return (
    <Dialog
      title={done ? `Re-rooted ${countOf(report.done, 'session')}` : 'Nothing was re-rooted'}
      description={done ? `omp continues ${report.done === 1 ? 'it' : 'them'} in the new folder.` : undefined}
      size="large"
      onClose={onClose}
      onFocusLost={onFocusLost}
      footer={
        <>
          <span className="dlg-foot-note">{done ? 'Undo stays in Recent changes.' : ''}</span>
          {report.changeId === null ? null : (
            <Button onClick={undo}>
              <Undo2 aria-hidden />
              Undo
            </Button>
          )}
          <Button look="primary" onClick={onClose} autoFocus>
            Done
          </Button>
        </>
      }
    >
      <Facts
        facts={[
          { value: `${formatCount(report.done)} of ${formatCount(report.asked)}`, text: 'sessions' },
          { value: formatCount(report.files), text: report.files === 1 ? 'file' : 'files' },
          { value: formatBytes(report.bytes), text: 'moved' },
        ]}
      />
      <StayingList staying={report.staying} />
      {report.notes.map(note => (
        <Note
          key={note}
          tone="plain"
          icon={report.staying.length > 0 ? <TriangleAlert aria-hidden /> : <CircleCheck aria-hidden />}
        >
          {note}
        </Note>
      ))}
    </Dialog>
  )
}
