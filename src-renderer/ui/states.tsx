/** What a region shows when it has nothing to show: empty, failed, or still loading. */
import type { ReactNode } from 'react'
import './states.css'

/** A region without content: says so, why, and what can be done. */
export function EmptyState(props: {
  icon?: ReactNode
  title: string
  children?: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className="state">
      {props.icon ? <div className="state-icon">{props.icon}</div> : null}
      <p className="state-title">{props.title}</p>
      {props.children ? <div className="state-text">{props.children}</div> : null}
      {props.actions ? <div className="state-actions">{props.actions}</div> : null}
    </div>
  )
}

/** A region whose content could not be had. Announced when it appears. */
export function ErrorState(props: { icon?: ReactNode; title: string; text: string; actions?: ReactNode }) {
  return (
    <div className="state" role="alert">
      {props.icon ? <div className="state-icon state-icon-bad">{props.icon}</div> : null}
      <p className="state-title">{props.title}</p>
      <div className="state-text u-text">{props.text}</div>
      {props.actions ? <div className="state-actions">{props.actions}</div> : null}
    </div>
  )
}

/** A grey bar in the place of a text that is on its way. */
export function Bone({ width, height = 10 }: { width: number | string; height?: number }) {
  return <span className="bone" style={{ width, height }} />
}

/** A sentence with an icon on a soft ground, inside dialogs and lists. */
export function Note(props: { tone?: 'warn' | 'plain' | 'bad'; icon?: ReactNode; children: ReactNode }) {
  return (
    <div className={`note note-${props.tone ?? 'warn'}`}>
      {props.icon ? <span className="note-icon">{props.icon}</span> : null}
      <div className="u-grow">{props.children}</div>
    </div>
  )
}

/** How far long work is. `total` 0: not known yet. */
export function ProgressBar({ label, done, total }: { label: string; done: number; total: number }) {
  return (
    <progress
      className="progress"
      aria-label={label}
      {...(total > 0 ? { value: Math.min(done, total), max: total } : {})}
    />
  )
}
