/** The re-root dialog: question, preview, progress, report. */
import type { ChangeReport, RerootSubject } from '@shared/ipc/models/change-models'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { errorLine } from '../../commands/error-text'
import { undoChange } from '../../commands/flows/change-flows'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { countOf } from '../../ui/format'
import { ErrorNote, ReportDialog } from '../../ui/plan-parts'
import { Bone, ProgressBar } from '../../ui/states'
import { RerootPreview } from './reroot-preview'
import { RerootQuestion } from './reroot-question'
import { createRerootStore, type RerootStore } from './reroot-store'
import { folderState, goingCount } from './reroot-words'
import './reroot.css'

export function RerootDialog(props: {
  subject: RerootSubject
  /** A folder that is known from the start: it was dropped on the project. */
  to: string | null
  onFocusLost(): void
}) {
  const { subject, to, onFocusLost } = props
  const stores = useStores()
  const [store] = useState(() => createRerootStore(stores.client, subject, to))
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
      {question.state === 'error' ? <ErrorNote text={errorLine(question.error)} /> : null}
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
      {error ? <ErrorNote text={errorLine(error)} /> : null}
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
    <ReportDialog
      title={done ? `Re-rooted ${countOf(report.done, 'session')}` : 'Nothing was re-rooted'}
      description={done ? `omp continues ${report.done === 1 ? 'it' : 'them'} in the new folder.` : undefined}
      report={report}
      onUndo={report.changeId === null ? null : undo}
      onClose={onClose}
      onFocusLost={onFocusLost}
    />
  )
}
