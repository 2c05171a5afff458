/** What the dialogs that move sessions share: the preview of a plan, and the report of what was done. */
import { CircleCheck, Info, TriangleAlert, Undo2 } from 'lucide-react'
import { Button } from './button'
import { Facts, MaybeInUseQuestion, StayingList } from './change-parts'
import { Dialog } from './dialog'
import { formatBytes, formatCount } from './format'
import { Bone, Note } from './states'

type Named = readonly { title: string; text: string }[]

export type PlanNumbers = {
  sessions: number
  asked: number
  artifactDirectories: number
  bytes: number
  breadcrumbs: number
  clashes: number
  staying: Named
  maybe: Named
  notes: readonly string[]
}

/** What exactly would happen, and what stays as it is. */
export function PlanPreview(props: {
  plan: PlanNumbers
  /** What is done to a session, as in "move it". */
  verb: string
  includeMaybe: boolean
  locked: boolean
  onIncludeMaybe(include: boolean): void
}) {
  const { plan } = props
  return (
    <>
      <Facts
        facts={[
          {
            value: `${formatCount(plan.sessions)} of ${formatCount(plan.asked)}`,
            text: plan.asked === 1 ? 'session' : 'sessions',
          },
          {
            value: formatCount(plan.artifactDirectories),
            text: plan.artifactDirectories === 1 ? 'artifact folder' : 'artifact folders',
          },
          { value: formatBytes(plan.bytes), text: 'to move' },
          {
            value: formatCount(plan.breadcrumbs),
            text: plan.breadcrumbs === 1 ? 'breadcrumb' : 'breadcrumbs',
          },
          { value: formatCount(plan.clashes), text: plan.clashes === 1 ? 'name clash' : 'name clashes' },
        ]}
      />
      <StayingList staying={plan.staying} />
      <MaybeInUseQuestion
        maybe={plan.maybe}
        verb={props.verb}
        checked={props.includeMaybe}
        disabled={props.locked}
        onChange={props.onIncludeMaybe}
      />
      {plan.notes.map(note => (
        <Note key={note} tone="plain" icon={<Info aria-hidden />}>
          {note}
        </Note>
      ))}
    </>
  )
}

/** In the place of a preview that is being worked out. */
export function PlanBones() {
  return (
    <div className="plan-bones" role="status" aria-label="Working out the preview">
      <Bone width={90} height={14} />
      <Bone width={90} height={14} />
      <Bone width={90} height={14} />
    </div>
  )
}

/** Something that went wrong, inside a dialog. */
export function ErrorNote({ text }: { text: string }) {
  return (
    <div role="alert">
      <Note tone="bad" icon={<TriangleAlert aria-hidden />}>
        {text}
      </Note>
    </div>
  )
}

export type DoneNumbers = {
  done: number
  asked: number
  files: number
  bytes: number
  staying: Named
  notes: readonly string[]
}

/** What was done and what stayed, with Undo where there is something to undo. */
export function ReportDialog(props: {
  title: string
  description?: string | undefined
  report: DoneNumbers
  onUndo: (() => void) | null
  onClose(): void
  onFocusLost(): void
}) {
  const { report, onUndo, onClose } = props
  return (
    <Dialog
      title={props.title}
      description={props.description}
      size="large"
      onClose={onClose}
      onFocusLost={props.onFocusLost}
      footer={
        <>
          <span className="dlg-foot-note">{report.done > 0 ? 'Undo stays in Recent changes.' : ''}</span>
          {onUndo === null ? null : (
            <Button onClick={onUndo}>
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
          {
            value: `${formatCount(report.done)} of ${formatCount(report.asked)}`,
            text: report.asked === 1 ? 'session' : 'sessions',
          },
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
