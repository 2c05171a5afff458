/** The preview part: what exactly would happen, and what stays as it is. */
import type { RerootPlan } from '@shared/ipc/models/change-models'
import type { AppError } from '@shared/ipc/result'
import { Info, TriangleAlert } from 'lucide-react'
import { errorLine } from '../../commands/error-text'
import type { Async } from '../../stores/async'
import { Facts, MaybeInUseQuestion, StayingList } from '../../ui/change-parts'
import { formatBytes, formatCount } from '../../ui/format'
import { Bone, Note } from '../../ui/states'

export function RerootPreview(props: {
  plan: Async<RerootPlan>
  includeMaybe: boolean
  locked: boolean
  onIncludeMaybe(include: boolean): void
}) {
  const { plan } = props
  if (plan.state === 'loading') {
    return (
      <div className="reroot-waiting" role="status" aria-label="Working out the preview">
        <Bone width={90} height={14} />
        <Bone width={90} height={14} />
        <Bone width={90} height={14} />
      </div>
    )
  }
  if (plan.state === 'error') return <ErrorNote error={plan.error} />
  const { value } = plan
  return (
    <>
      <Facts
        facts={[
          { value: `${formatCount(value.sessions)} of ${formatCount(value.asked)}`, text: 'sessions' },
          {
            value: formatCount(value.artifactDirectories),
            text: value.artifactDirectories === 1 ? 'artifact folder' : 'artifact folders',
          },
          { value: formatBytes(value.bytes), text: 'to move' },
          {
            value: formatCount(value.breadcrumbs),
            text: value.breadcrumbs === 1 ? 'breadcrumb' : 'breadcrumbs',
          },
          { value: formatCount(value.clashes), text: value.clashes === 1 ? 'name clash' : 'name clashes' },
        ]}
      />
      <StayingList staying={value.staying} />
      <MaybeInUseQuestion
        maybe={value.maybe}
        verb="re-root"
        checked={props.includeMaybe}
        disabled={props.locked}
        onChange={props.onIncludeMaybe}
      />
      {value.notes.map(note => (
        <Note key={note} tone="plain" icon={<Info aria-hidden />}>
          {note}
        </Note>
      ))}
    </>
  )
}

export function ErrorNote({ error }: { error: AppError }) {
  return (
    <div role="alert">
      <Note tone="bad" icon={<TriangleAlert aria-hidden />}>
        {errorLine(error)}
      </Note>
    </div>
  )
}
