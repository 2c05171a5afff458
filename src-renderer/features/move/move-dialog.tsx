/** The move dialog: another folder, another agent directory or both; preview, progress, report. */
import type { ChangeReport } from '@shared/ipc/models/change-models'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { errorLine } from '../../commands/error-text'
import { refreshAll, undoChange } from '../../commands/flows/change-flows'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { countOf } from '../../ui/format'
import { ErrorNote, PlanBones, PlanPreview, ReportDialog } from '../../ui/plan-parts'
import { ProgressBar } from '../../ui/states'
import { createMoveStore, type MoveStore, movingCount } from './move-store'
import { MoveTargetChoice } from './move-target'

export function MoveDialog({ sessions, onFocusLost }: { sessions: readonly string[]; onFocusLost(): void }) {
  const stores = useStores()
  const [store] = useState(() => createMoveStore(stores.client, sessions))
  const report = useStore(store, state => state.report)
  const close = () => stores.dialogs.getState().close()
  return report ? (
    <Report report={report} onClose={close} onFocusLost={onFocusLost} />
  ) : (
    <Ask store={store} count={sessions.length} onClose={close} onFocusLost={onFocusLost} />
  )
}

type PartProps = { onClose(): void; onFocusLost(): void }

function Ask({ store, count, onClose, onFocusLost }: PartProps & { store: MoveStore; count: number }) {
  const { plan, includeMaybe, work, error } = useStore(store)
  const going = plan?.state === 'ready' ? movingCount(plan.value, includeMaybe) : 0
  return (
    <Dialog
      title={`Move ${countOf(count, 'session')}`}
      description="With artifacts, draft and breadcrumbs. Nothing changes until you confirm."
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
              {going > 0 ? `Move ${countOf(going, 'session')}` : 'Move'}
            </button>
          </>
        )
      }
    >
      <MoveTargetChoice store={store} one={count === 1} locked={work !== null} />
      {plan?.state === 'loading' ? <PlanBones /> : null}
      {plan?.state === 'error' ? <ErrorNote text={errorLine(plan.error)} /> : null}
      {plan?.state === 'ready' ? (
        <PlanPreview
          plan={plan.value}
          verb="move"
          includeMaybe={includeMaybe}
          locked={work !== null}
          onIncludeMaybe={include => store.getState().setIncludeMaybe(include)}
        />
      ) : null}
      {work ? <ProgressBar label="Moving sessions" done={work.done} total={work.total} /> : null}
      {error && error.code !== 'cancelled' ? <ErrorNote text={errorLine(error)} /> : null}
    </Dialog>
  )
}

function Report({ report, onClose, onFocusLost }: PartProps & { report: ChangeReport }) {
  const stores = useStores()
  // What is behind the dialog is asked for again at once.
  useEffect(() => {
    refreshAll(stores)
    void stores.session.getState().reload()
    if (report.changeId !== null) stores.undo.getState().made({ id: report.changeId, kind: 're-root' })
  }, [stores, report])
  const undo = () => {
    onClose()
    if (report.changeId !== null) void undoChange(stores, report.changeId)
  }
  return (
    <ReportDialog
      title={report.done > 0 ? `Moved ${countOf(report.done, 'session')}` : 'Nothing was moved'}
      description={report.done > 0 ? `omp continues ${report.done === 1 ? 'it' : 'them'} there.` : undefined}
      report={report}
      onUndo={report.changeId === null ? null : undo}
      onClose={onClose}
      onFocusLost={onFocusLost}
    />
  )
}
