/** The chosen entry: the start of its text, its facts, and the way to read it. */
import type { TranscriptRow } from '@shared/ipc/models/transcript-models'
import { BookOpenText } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { useCommands } from '../../commands/context'
import { previewsStoreOf } from '../../stores/previews-store'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { commandIcon } from '../../ui/command-icons'
import { formatCount, formatExact } from '../../ui/format'
import { withoutBold } from '../../ui/plain-words'
import { rowStart } from './row-start'
import type { Graph } from './use-graph'

/** Time (ms) the choice has to rest before its text is fetched. */
const REST_MS = 120
/** Rows looked at for one entry: thinking, text and calls are rows of their own. */
const ROWS = 12

export function Inspector(props: {
  session: string
  graph: Graph
  ordinal: number
  onShowPath: (ordinal: number) => void
}) {
  const { session, graph, ordinal } = props
  const { client, session: sessions } = useStores()
  const preview = useStore(previewsStoreOf(client), state => state.previews.get(ordinal))
  const commands = useCommands()
  const target = { kind: 'entry' as const, session, ordinal }
  // Whether it can be continued changes with the branch that omp resumes.
  useStore(sessions, state => state.view)
  // A tip that the filter hides has no row of the graph that would ask for it.
  useEffect(() => previewsStoreOf(client).getState().need([ordinal]), [client, ordinal])
  const [text, setText] = useState<{ ordinal: number; text: string } | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    const timer = setTimeout(async () => {
      const tip = graph.tipThrough(ordinal)
      const options = { signal: abort.signal }
      const place = await client.call('session.rowOf', { session, tip, ordinal }, options)
      if (abort.signal.aborted || !place.ok || place.value.row === null) return
      const from = place.value.row
      const page = await client.call('session.transcript', { session, tip, from, count: ROWS }, options)
      if (abort.signal.aborted || !page.ok) return
      const rows: TranscriptRow[] = page.value.rows.filter(row => row.ordinal === ordinal)
      setText({ ordinal, text: rowStart(rows) })
    }, REST_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [client, session, ordinal, graph])
  const time = graph.tree.times[ordinal] ?? Number.NaN
  const tokens = graph.tree.tokens[ordinal] ?? 0
  const body = text?.ordinal === ordinal && text.text !== '' ? text.text : (preview?.text ?? '')
  return (
    <section className="br-inspector" aria-label="Chosen entry">
      <div className="br-inspector-head">
        <b>{preview === undefined || preview.who === '' ? 'Entry' : preview.who}</b>
        <span className="u-muted u-num">
          {Number.isNaN(time) ? 'time unknown' : formatExact(time)}
          {tokens > 0 && `, ${formatCount(tokens)} tokens`}
        </span>
        {preview?.id != null && <span className="u-faint u-mono u-cut u-text">{preview.id}</span>}
        <span className="u-grow" />
        {commands.enabled('entry.continue', target) ? (
          <Button onClick={() => commands.run('entry.continue', target)}>
            {commandIcon('entry.continue')} {commands.title('entry.continue')}
          </Button>
        ) : null}
        <Button onClick={() => props.onShowPath(ordinal)}>
          <BookOpenText aria-hidden /> Read here
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="br-inspector-text u-text" tabIndex={0} aria-label="Start of its text">
        {body === '' ? <span className="u-faint">No text.</span> : withoutBold(body)}
      </section>
    </section>
  )
}
