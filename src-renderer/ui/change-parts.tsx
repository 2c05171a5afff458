/** Parts of the dialogs that change files: numbers, what stays and why, the question about maybe in use. */
import { TriangleAlert } from 'lucide-react'
import { Note } from './states'
import './change-parts.css'

/** Up to four numbers side by side. */
export function Facts({ facts }: { facts: readonly { value: string; text: string }[] }) {
  return (
    <dl className="facts">
      {facts.map(fact => (
        <div key={fact.text} className="fact">
          <dt className="fact-text">{fact.text}</dt>
          <dd className="fact-value u-num">{fact.value}</dd>
        </div>
      ))}
    </dl>
  )
}

type Stays = { title: string; text: string }

/** Sessions by why they are listed: what is true of several is said once. */
function Reasons({ sessions }: { sessions: readonly Stays[] }) {
  const titles = new Map<string, string[]>()
  for (const { title, text } of sessions) titles.set(text, [...(titles.get(text) ?? []), title])
  return (
    <ul className="stay-list">
      {[...titles].map(([text, named]) => (
        <li key={text}>
          <b>{named.join(', ')}</b>
          <span className="u-text">{text}</span>
        </li>
      ))}
    </ul>
  )
}

/** What a change leaves alone, each with its reason. */
export function StayingList({ staying }: { staying: readonly Stays[] }) {
  if (staying.length === 0) return null
  return (
    <Note icon={<TriangleAlert aria-hidden />}>
      <p className="stay-head">
        {staying.length === 1 ? '1 session stays' : `${staying.length} sessions stay`}:
      </p>
      <Reasons sessions={staying} />
    </Note>
  )
}

/** Asks whether sessions in whose folder an unknown omp runs are to be changed as well. */
export function MaybeInUseQuestion(props: {
  maybe: readonly Stays[]
  verb: string
  checked: boolean
  disabled: boolean
  onChange(checked: boolean): void
}) {
  const { maybe, verb, checked, disabled, onChange } = props
  if (maybe.length === 0) return null
  const one = maybe.length === 1
  return (
    <Note icon={<TriangleAlert aria-hidden />}>
      <p className="stay-head">
        {one ? '1 session may be in use' : `${maybe.length} sessions may be in use`}:
      </p>
      <Reasons sessions={maybe} />
      <label className="stay-check">
        <input
          type="checkbox"
          checked={checked}
          disabled={disabled}
          onChange={event => onChange(event.target.checked)}
        />
        {one ? `I closed it there, ${verb} it too` : `I closed them there, ${verb} them too`}
      </label>
    </Note>
  )
}
