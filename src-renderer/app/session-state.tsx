/** How the open session stands now: its word beside the title, and who has it in the line below. */
import type { SessionView } from '@shared/ipc/models/session-models'
import { liveStatus } from '@shared/session/live-status'
import { CircleHelp, Cpu } from 'lucide-react'
import { useStore } from 'zustand'
import { useStores } from '../stores/stores-context'
import { StatusPill } from '../ui/status-mark'

/** The same word as the session's row in the list has. */
export function StatePill({ view: { row } }: { view: SessionView }) {
  const stores = useStores()
  const use = useStore(stores.session, state => state.use)
  if (row.problem !== null) return <StatusPill status="damaged" />
  // Until it is known, what the last look at the whole library found.
  const found = use === null ? row.use : use.state === 'in-use' || use.state === 'maybe' ? use.state : null
  const text = use === null ? row.useText : use.text
  return (
    <StatusPill
      status={liveStatus(row.status, found)}
      title={found === null ? undefined : (text ?? undefined)}
    />
  )
}

/** Which process has the session, or that this cannot be told here; nothing when nobody has it. */
export function UseLine() {
  const stores = useStores()
  const use = useStore(stores.session, state => state.use)
  if (use === null || use.text === null) return null
  return (
    <span className="pane-use u-cut u-text" role="note" aria-label="In use" title={use.text}>
      {use.state === 'unknown' ? <CircleHelp aria-hidden /> : <Cpu aria-hidden />}
      {use.text}
    </span>
  )
}
