/** The state of a session: a word and a mark whose shape, not only its colour, tells it. */
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDotDashed,
  CircleEllipsis,
  CirclePause,
  CirclePlay,
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
  | 'running'
  | 'waiting'
  | 'in-use'
  | 'maybe-in-use'
  | 'damaged'

export type StatusTone = 'ok' | 'live' | 'wait' | 'bad' | 'none'

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
  running: {
    word: 'running',
    tone: 'live',
    icon: CirclePlay,
    hint: 'A program has it and is at work: the last message waits for an answer or a tool.',
  },
  waiting: {
    word: 'waiting for you',
    tone: 'live',
    icon: CirclePause,
    hint: 'A program has it; the agent finished its answer.',
  },
  'maybe-in-use': {
    word: 'maybe in use',
    tone: 'wait',
    icon: CircleDotDashed,
    hint: 'An omp runs in this folder; nothing tells which session it has.',
  },
  'in-use': { word: 'in use', tone: 'wait', icon: CircleDotDashed, hint: 'A program has this session.' },
  damaged: { word: 'damaged', tone: 'bad', icon: CircleAlert, hint: 'The file cannot be read as a session.' },
}

/** Mark and word in a line of small facts. `title` replaces the usual explanation. */
export function StatusMark({ status, title }: { status: MarkedStatus; title?: string | undefined }) {
  const { word, tone, icon: Icon, hint } = STATUS[status]
  return (
    <span className={`status status-${tone}`} title={title ?? hint}>
      <Icon aria-hidden />
      {word}
    </span>
  )
}

/** The same as a pill beside a title. `title` replaces the usual explanation. */
export function StatusPill({ status, title }: { status: MarkedStatus; title?: string | undefined }) {
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
