/** The move dialog: another folder, another agent directory or both; preview, progress, report. */
import type { ChangeReport } from '@shared/ipc/models/change-models'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { followMove, undoMove } from '../../commands/flows/change-flows'
import { planView } from '../../commands/plan-view'
import { useStores } from '../../stores/stores-context'
import { countOf } from '../../ui/format'
import { PlanDialog } from '../../ui/plan-dialog'
import { ReportDialog } from '../../ui/plan-parts'
import { createMoveStore, type MoveStore } from './move-store'
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

function Ask({ store, count, ...rest }: PartProps & { store: MoveStore; count: number }) {
  const state = useStore(store)
  return (
    <PlanDialog
      title={`Move ${countOf(count, 'session')}`}
      description="With artifacts, draft and breadcrumbs. Nothing changes until you confirm."
      act="Move"
      view={planView(state)}
      acts={state}
      {...rest}
    >
      <MoveTargetChoice store={store} one={count === 1} locked={state.work !== null} />
    </PlanDialog>
  )
}

function Report({ report, onClose, onFocusLost }: PartProps & { report: ChangeReport }) {
  const stores = useStores()
  useEffect(() => followMove(stores, report), [stores, report])
  const { changeId, done } = report
  return (
    <ReportDialog
      title={done > 0 ? `Moved ${countOf(done, 'session')}` : 'Nothing was moved'}
      description={done > 0 ? `omp continues ${done === 1 ? 'it' : 'them'} there.` : undefined}
      report={report}
      onUndo={changeId === null ? null : () => undoMove(stores, changeId)}
      onClose={onClose}
      onFocusLost={onFocusLost}
    />
  )
}
