/** One choice among several, as a card: what it is, perhaps a mark, and a line about it. */
import type { ReactNode } from 'react'
import { Badge } from './status-mark'
import './choices.css'

export function ChoiceCard(props: {
  /** Of the group: one of its cards is chosen. */
  name: string
  title: ReactNode
  /** The title is a path. */
  path?: boolean
  text?: string
  badge?: { text: string; tone: 'ok' | 'warn' } | undefined
  checked: boolean
  onChoose(): void
}) {
  return (
    <label className={props.checked ? 'choice choice-card choice-on' : 'choice choice-card'}>
      <input type="radio" name={props.name} checked={props.checked} onChange={props.onChoose} />
      <span className={props.path ? 'choice-path u-mono u-text' : 'choice-path'}>{props.title}</span>
      {props.badge ? <Badge tone={props.badge.tone}>{props.badge.text}</Badge> : null}
      {props.text === undefined ? null : <small className="choice-text u-text">{props.text}</small>}
    </label>
  )
}
