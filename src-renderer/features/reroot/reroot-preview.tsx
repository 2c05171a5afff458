/** The preview part: what exactly would happen, and what stays as it is. */
import type { RerootPlan } from '@shared/ipc/models/change-models'
import { errorLine } from '../../commands/error-text'
import type { Async } from '../../stores/async'
import { ErrorNote, PlanBones, PlanPreview } from '../../ui/plan-parts'

export function RerootPreview(props: {
  plan: Async<RerootPlan>
  includeMaybe: boolean
  locked: boolean
  onIncludeMaybe(include: boolean): void
}) {
  const { plan, ...rest } = props
  if (plan.state === 'loading') return <PlanBones />
  if (plan.state === 'error') return <ErrorNote text={errorLine(plan.error)} />
  return <PlanPreview plan={plan.value} verb="re-root" {...rest} />
}
