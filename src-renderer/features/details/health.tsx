/** Whether the file is well: problems, damaged lines with their places, missing pictures. */
import type { SessionDetails } from '@shared/ipc/models/session-models'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { errorLine } from '../../commands/error-text'
import { type Async, LOADING, settled } from '../../stores/async'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { countOf, formatBytes, formatCount } from '../../ui/format'

/** Damaged lines listed before "more" is asked for. */
const FIRST_LINES = 50

export function Health({ session, details }: { session: string; details: SessionDetails }) {
  const { damaged, problems, blobs } = details
  const [all, setAll] = useState(false)
  // Several damaged pieces may stand on one line.
  const lines = new Set(damaged.map(({ line }) => line)).size
  const shown = all ? damaged : damaged.slice(0, FIRST_LINES)
  if (damaged.length === 0 && problems.length === 0 && blobs.missing === 0) {
    return (
      <p className="de-well">
        <CircleCheck aria-hidden size={16} /> Every line of this file can be read
        {blobs.referenced === 1 && ', and its picture is there'}
        {blobs.referenced > 1 && `, and all ${countOf(blobs.referenced, 'picture')} are there`}.
      </p>
    )
  }
  return (
    <section className="de-block de-health" aria-label="Health">
      <h2>Health</h2>
      <ul className="de-problems">
        {problems.map(problem => (
          <li key={problem}>
            <TriangleAlert aria-hidden size={15} />
            <span className="u-text">{problem}</span>
          </li>
        ))}
        {blobs.missing > 0 && (
          <li>
            <TriangleAlert aria-hidden size={15} />
            {formatCount(blobs.missing)} of {countOf(blobs.referenced, 'picture')} not in the blob store
          </li>
        )}
      </ul>
      {damaged.length > 0 && (
        <>
          <h3>{countOf(lines, 'line')} could not be read</h3>
          <ul className="de-damaged">
            {shown.map(line => (
              <DamagedLine key={`${line.line}/${line.offset}`} session={session} line={line} />
            ))}
          </ul>
          {shown.length < damaged.length && (
            <Button onClick={() => setAll(true)}>
              Show {countOf(damaged.length - shown.length, 'more line')}
            </Button>
          )}
        </>
      )}
    </section>
  )
}

type Raw = { text: string; bytes: number; cut: boolean }

function DamagedLine({ session, line }: { session: string; line: SessionDetails['damaged'][number] }) {
  const { client } = useStores()
  const [raw, setRaw] = useState<Async<Raw> | null>(null)
  const toggle = async () => {
    if (raw !== null) {
      setRaw(null)
      return
    }
    setRaw(LOADING)
    setRaw(settled(await client.call('session.rawLine', { session, line: line.line })))
  }
  return (
    <li>
      <div className="de-damaged-head">
        <b className="u-num">Line {formatCount(line.line)}</b>
        <span className="u-muted u-num">
          at byte {formatCount(line.offset)}, {formatBytes(line.bytes)}
        </span>
        <span className="u-text u-grow">{line.reason}</span>
        <Button aria-expanded={raw !== null} onClick={() => void toggle()}>
          {raw === null ? 'View raw' : 'Hide raw'}
        </Button>
      </div>
      {raw?.state === 'loading' && <p className="u-faint">Loading...</p>}
      {raw?.state === 'error' && <p className="de-bad">{errorLine(raw.error)}</p>}
      {raw?.state === 'ready' && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <section className="de-raw" tabIndex={0} aria-label={`Raw bytes of line ${line.line}`}>
            <pre className="u-text">{raw.value.text}</pre>
          </section>
          {raw.value.cut && <p className="u-faint">The start of {formatBytes(raw.value.bytes)}.</p>}
        </>
      )}
    </li>
  )
}
