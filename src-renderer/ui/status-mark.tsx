/** The state of a session: a word and a mark whose shape, not only its colour, tells it. */
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDotDashed,
  CircleEllipsis,
  CircleSlash,
  CircleX,
  type LucideIcon,
} from 'lucide-react'
import './marks.css'

export type MarkedStatus =
  | 'complete'
  | 'interrupted'
  | 'pending'
  | 'error'
  | 'aborted'
  | 'unknown'
  | 'in-use'
  | 'maybe-in-use'
  | 'damaged'

export type StatusTone = 'ok' | 'wait' | 'bad' | 'none'

const STATUS: Readonly<
  Record<MarkedStatus, { word: string; tone: StatusTone; icon: LucideIcon; hint: string }>
> = {
  complete: { word: 'complete', tone: 'ok', icon: CircleCheck, hint: 'The agent finished its answer.' },
  interrupted: {
    word: 'interrupted',
    tone: 'wait',
    icon: CircleSlash,
    hint: 'The last answer ended before the agent was done.',
  },
  pending: {
    word: 'no answer yet',
    tone: 'wait',
    icon: CircleEllipsis,
    hint: 'The last message is a prompt without an answer.',
  },
  error: { word: 'error', tone: 'bad', icon: CircleX, hint: 'The last answer ended with an error.' },
  aborted: { word: 'aborted', tone: 'wait', icon: CircleSlash, hint: 'The last answer was stopped by hand.' },
  unknown: {
    word: 'unknown',
    tone: 'none',
    icon: CircleDashed,
    hint: 'There is no message to judge by.',
  },
  'maybe-in-use': {
    word: 'maybe in use',
    tone: 'wait',
    icon: CircleDotDashed,
    hint: 'An omp runs in this folder; nothing tells which session it has.',
  },
  'in-use': { word: 'in use', tone: 'wait', icon: CircleDotDashed, hint: 'A running omp has this session.' },
  damaged: { word: 'damaged', tone: 'bad', icon: CircleAlert, hint: 'The file cannot be read as a session.' },
}

/** Mark and word in a line of small facts. */
export function StatusMark({ status }: { status: MarkedStatus }) {
  const { word, tone, icon: Icon, hint } = STATUS[status]
  return (
    <span className={`status status-${tone}`} title={hint}>
      <Icon aria-hidden />
      {word}
    </span>
  )
}

/** The same as a pill beside a title. `title` replaces the usual explanation. */
export function StatusPill({ status, title }: { status: MarkedStatus; title?: string }) {
  const { word, tone, icon: Icon, hint } = STATUS[status]
  return (
    <span className={`pill pill-${tone}`} title={title ?? hint}>
      <Icon aria-hidden />
      {word}
    </span>
  )
}

/** A short word on a coloured ground. */
export function Badge({
  tone = 'warn',
  title,
  children,
}: {
  tone?: 'warn' | 'ok' | 'plain' | 'bad'
  title?: string | undefined
  children: string
}) {
  return (
    <span className={`badge badge-${tone}`} title={title}>
      {children}
    </span>
  )
}
