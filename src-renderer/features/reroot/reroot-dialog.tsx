/** The re-root dialog: question, preview, progress, report. */
import type { ChangeReport, RerootSubject } from '@shared/ipc/models/change-models'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { errorLine } from '../../commands/error-text'
import { followMove, undoMove } from '../../commands/flows/change-flows'
import { planView } from '../../commands/plan-view'
import { useStores } from '../../stores/stores-context'
import { countOf } from '../../ui/format'
import { PlanDialog } from '../../ui/plan-dialog'
import { ErrorNote, ReportDialog } from '../../ui/plan-parts'
import { Bone } from '../../ui/states'
import { RerootQuestion } from './reroot-question'
import { createRerootStore, type RerootStore } from './reroot-store'
import { folderState } from './reroot-words'
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

function Ask({ store, ...rest }: PartProps & { store: RerootStore }) {
  const state = useStore(store)
  const { question } = state
  const ready = question.state === 'ready' ? question.value : null
  return (
    <PlanDialog
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
      act="Re-root"
      view={planView(state)}
      acts={state}
      {...rest}
    >
      {question.state === 'error' ? <ErrorNote text={errorLine(question.error)} /> : null}
      {question.state === 'loading' ? (
        <div className="reroot-bones" role="status" aria-label="Looking for the folder">
          <Bone width={140} height={12} />
          <Bone width="100%" height={46} />
          <Bone width="100%" height={46} />
        </div>
      ) : null}
      {ready ? <RerootQuestion store={store} question={ready} locked={state.work !== null} /> : null}
    </PlanDialog>
  )
}

function Report({ report, onClose, onFocusLost }: PartProps & { report: ChangeReport }) {
  const stores = useStores()
  useEffect(() => followMove(stores, report), [stores, report])
  const { changeId, done } = report
  return (
    <ReportDialog
      title={done > 0 ? `Re-rooted ${countOf(done, 'session')}` : 'Nothing was re-rooted'}
      description={done > 0 ? `omp continues ${done === 1 ? 'it' : 'them'} in the new folder.` : undefined}
      report={report}
      onUndo={changeId === null ? null : () => undoMove(stores, changeId)}
      onClose={onClose}
      onFocusLost={onFocusLost}
    />
  )
}
