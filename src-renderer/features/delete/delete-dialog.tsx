/** Asks before sessions go to the trash: something is in use, may be in use, or it is very many at once. */
import type { DeletePlan } from '@shared/ipc/models/change-models'
import type { AppError } from '@shared/ipc/result'
import { Link2, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { errorLine } from '../../commands/error-text'
import { applyDelete } from '../../commands/flows/change-flows'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { Facts, MaybeInUseQuestion, StayingList } from '../../ui/change-parts'
import { Dialog } from '../../ui/dialog'
import { countOf, formatBytes, formatCount } from '../../ui/format'
import { Note, ProgressBar } from '../../ui/states'

type Work = { done: number; total: number; text: string }

export function DeleteDialog({ plan, onFocusLost }: { plan: DeletePlan; onFocusLost(): void }) {
  const stores = useStores()
  const [includeMaybe, setIncludeMaybe] = useState(false)
  const [work, setWork] = useState<Work | null>(null)
  const [error, setError] = useState<AppError | null>(null)
  const abort = useRef<AbortController | null>(null)
  const close = () => stores.dialogs.getState().close()
  // The plan counts the sessions that may be in use; without the user's word they stay.
  const going = includeMaybe ? plan.sessions : plan.sessions - plan.maybe.length

  const apply = async () => {
    abort.current = new AbortController()
    setError(null)
    setWork({ done: 0, total: going, text: '' })
    const result = await applyDelete(stores, plan.planId, includeMaybe, {
      signal: abort.current.signal,
      onProgress: setWork,
    })
    setWork(null)
    if (result.ok) close()
    else setError(result.error)
  }

  const nothing = plan.sessions === 0
  // Until the user has said whether those that may be in use go too, the question is about them as well.
  const asked = going === 0 ? plan.sessions : going
  return (
    <Dialog
      title={nothing ? 'Nothing can be deleted now' : `Move ${countOf(asked, 'session')} to trash?`}
      description={nothing ? undefined : restorable(asked)}
      locked={work !== null}
      onClose={close}
      onFocusLost={onFocusLost}
      footer={
        work ? (
          <>
            <span className="dlg-foot-note">{work.text || 'Moving to trash'}</span>
            <Button onClick={() => abort.current?.abort()}>Cancel</Button>
          </>
        ) : (
          <>
            <span className="dlg-foot-note">{nothing ? '' : 'You can undo this in Recent changes.'}</span>
            <Button onClick={close}>{nothing ? 'Close' : 'Cancel'}</Button>
            {nothing ? null : (
              <Button look="danger" disabled={going === 0} onClick={() => void apply()}>
                <Trash2 aria-hidden />
                Move {countOf(asked, 'session')} to trash
              </Button>
            )}
          </>
        )
      }
    >
      {nothing ? null : (
        <Facts
          facts={[
            {
              value: `${formatCount(plan.sessions)} of ${formatCount(plan.asked)}`,
              text: plan.asked === 1 ? 'session' : 'sessions',
            },
            {
              value: formatCount(plan.files),
              text: `${plan.files === 1 ? 'file' : 'files'}, ${formatBytes(plan.bytes)}`,
            },
            {
              value: String(plan.subagents),
              text: plan.subagents === 1 ? 'subagent session' : 'subagent sessions',
            },
            { value: String(plan.drafts), text: plan.drafts === 1 ? 'draft' : 'drafts' },
          ]}
        />
      )}
      {plan.titles.length > 0 && plan.sessions > 0 ? <Titles plan={plan} /> : null}
      {plan.linkedBy.length > 0 ? (
        <Note tone="plain" icon={<Link2 aria-hidden />}>
          {countOf(plan.linkedBy.length, 'session')} will keep a link to one that goes:{' '}
          {plan.linkedBy
            .slice(0, 3)
            .map(link => `“${link.title}”`)
            .join(', ')}
          {plan.linkedBy.length > 3 ? ` and ${plan.linkedBy.length - 3} more` : ''}.
        </Note>
      ) : null}
      <StayingList staying={plan.staying} />
      <MaybeInUseQuestion
        maybe={plan.maybe}
        verb="delete"
        checked={includeMaybe}
        disabled={work !== null}
        onChange={setIncludeMaybe}
      />
      {work ? <ProgressBar label="Moving to trash" done={work.done} total={work.total} /> : null}
      {error ? (
        <div role="alert">
          <Note tone="bad">{errorLine(error)}</Note>
        </div>
      ) : null}
    </Dialog>
  )
}

function restorable(sessions: number): string {
  return `${sessions === 1 ? 'It' : 'They'} can be restored from the trash, with everything listed here.`
}

function Titles({ plan }: { plan: DeletePlan }) {
  const shown = plan.titles.slice(0, 5)
  return (
    <ul className="change-titles">
      {shown.map((title, index) => (
        // Titles may be equal; their place in the plan does not change.
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <li key={index} className="u-cut">
          {title}
        </li>
      ))}
      {plan.sessions > shown.length ? (
        <li className="u-faint">and {countOf(plan.sessions - shown.length, 'more', 'more')}</li>
      ) : null}
    </ul>
  )
}
