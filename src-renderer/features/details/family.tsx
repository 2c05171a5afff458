/** The relatives of the open session: where it came from, what came from it, whose agent it is. Each leads there. */
import type { Relation } from '@shared/ipc/models/manage-models'
import { CornerUpLeft, GitBranch, GitFork, type LucideIcon, MessageSquarePlus, Users } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { errorLine } from '../../commands/error-text'
import { familyStoreOf } from '../../stores/session-views-stores'
import { useStores } from '../../stores/stores-context'
import { formatAge, formatExact } from '../../ui/format'
import { useMinute } from '../../ui/use-minute'
import { foundBy, kindWord } from './family-words'

const ICONS: Readonly<Record<Relation['kind'], LucideIcon>> = {
  parent: CornerUpLeft,
  owner: CornerUpLeft,
  sibling: GitFork,
  fork: GitFork,
  branched: GitBranch,
  child: MessageSquarePlus,
  subagent: Users,
}

export function Family({ session }: { session: string }) {
  const stores = useStores()
  const store = familyStoreOf(stores.client)
  const data = useStore(store, state => state.data)
  const loaded = useStore(store, state => state.session)
  const now = useMinute()
  useEffect(() => store.getState().show(session), [store, session])
  const section = useRef<HTMLElement>(null)
  const wanted = useStore(stores.session, state => state.part === 'family')
  const ready = loaded === session && data.state === 'ready' ? data.value : null
  const isThere = ready !== null
  // With its lines only: the first of them takes the keyboard.
  useEffect(() => {
    if (!wanted || !isThere) return
    stores.session.getState().partShown()
    section.current?.scrollIntoView({ block: 'start' })
    const first = section.current?.querySelector<HTMLElement>('button') ?? section.current
    first?.focus({ preventScroll: true })
  }, [wanted, isThere, stores])
  return (
    <section ref={section} className="de-block" aria-label="Family" tabIndex={-1}>
      <h2>Family</h2>
      {ready === null ? (
        data.state === 'error' ? (
          <p className="de-bad">{errorLine(data.error)}</p>
        ) : (
          <p className="u-faint">Looking for relatives…</p>
        )
      ) : ready.length === 0 ? (
        <p className="u-muted">No session here came from this one, and it came from none.</p>
      ) : (
        <ul className="de-family">
          {ready.map((relative, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two relatives may bear one title
            <li key={index}>
              <Relative relative={relative} now={now} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Relative({ relative, now }: { relative: Relation; now: number }) {
  const stores = useStores()
  const { kind, session, title, time, note } = relative
  const Icon = ICONS[kind]
  const line = (
    <>
      <Icon aria-hidden />
      <span className="de-family-kind">{kindWord(kind)}</span>
      <span className="de-family-title u-text u-cut">{title}</span>
      {note === null ? null : <span className="de-family-note">{note}</span>}
      {time === null ? null : (
        <span className="de-family-time u-num" title={formatExact(time)}>
          {formatAge(time, now)}
        </span>
      )}
    </>
  )
  if (session === null) {
    return (
      <div className="de-family-line" title={`${title}\n${foundBy(relative)}`}>
        {line}
      </div>
    )
  }
  return (
    <button
      type="button"
      className="de-family-line de-family-link"
      title={`${title}\n${foundBy(relative)}`}
      onClick={() => void stores.session.getState().openFrom(session)}
    >
      {line}
    </button>
  )
}
