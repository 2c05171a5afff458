/** The frame of the dialogs that carry out a plan: what is asked (its children), the preview, the progress. */
import type { ReactNode } from 'react'
import { Button } from './button'
import { Dialog } from './dialog'
import { countOf } from './format'
import { ErrorNote, PlanBones, type PlanNumbers, PlanPreview } from './plan-parts'
import { ProgressBar } from './states'

export function PlanDialog(props: {
  title: string
  description: ReactNode
  /** What is done to sessions, as on the button. */
  act: 'Move' | 'Re-root'
  view: {
    plan:
      | { state: 'loading' }
      | { state: 'ready'; value: PlanNumbers }
      | { state: 'error'; text: string }
      | null
    going: number
    includeMaybe: boolean
    work: { done: number; total: number; text: string } | null
    error: string | null
  }
  acts: { setIncludeMaybe(include: boolean): void; apply(): Promise<void>; cancel(): void }
  onClose(): void
  onFocusLost(): void
  children: ReactNode
}) {
  const { act, acts, onClose } = props
  const { plan, going, includeMaybe, work, error } = props.view
  return (
    <Dialog
      title={props.title}
      description={props.description}
      size="large"
      locked={work !== null}
      onClose={onClose}
      onFocusLost={props.onFocusLost}
      onSubmit={() => going > 0 && void acts.apply()}
      footer={
        work ? (
          <>
            <span className="dlg-foot-note u-cut">{work.text || 'Moving sessions'}</span>
            <Button onClick={acts.cancel}>Cancel</Button>
          </>
        ) : (
          <>
            <span className="dlg-foot-note">You can undo this in Recent changes.</span>
            <Button onClick={onClose}>Cancel</Button>
            <button type="submit" className="btn btn-primary" disabled={going === 0}>
              {going > 0 ? `${act} ${countOf(going, 'session')}` : act}
            </button>
          </>
        )
      }
    >
      {props.children}
      {plan?.state === 'loading' ? <PlanBones /> : null}
      {plan?.state === 'error' ? <ErrorNote text={plan.text} /> : null}
      {plan?.state === 'ready' ? (
        <PlanPreview
          plan={plan.value}
          verb={act.toLowerCase()}
          includeMaybe={includeMaybe}
          locked={work !== null}
          onIncludeMaybe={acts.setIncludeMaybe}
        />
      ) : null}
      {work ? <ProgressBar label="Moving sessions" done={work.done} total={work.total} /> : null}
      {error === null ? null : <ErrorNote text={error} />}
    </Dialog>
  )
}
