/**
 * What the transcript shows while a session is opened: the last rows of a large one as soon as they are there, else grey bars. The rows
 * are to be read, not to be worked with: what they name is not known yet.
 */
import type { TranscriptRow } from '@shared/ipc/models/transcript-models'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { lastRowsStoreOf } from '../../stores/last-rows-store'
import { useStores } from '../../stores/stores-context'
import { RowBody, RowSkeleton } from './rows/row-view'

const NONE: readonly TranscriptRow[] = []

/** `tip`: of the path that is opened; last rows are those of the one where reading starts (null). */
export function Opening({ session, tip }: { session: string; tip: number | null }) {
  const { client } = useStores()
  const store = lastRowsStoreOf(client)
  const rows = useStore(store, state => (state.session === session ? state.rows : NONE))
  useEffect(() => {
    if (tip === null) void store.getState().show(session)
    return () => store.getState().clear()
  }, [store, session, tip])
  return rows.length === 0 ? (
    <div className="tr-loading" aria-busy="true">
      <p className="u-hidden">Loading the transcript</p>
      {[0, 1, 2, 3].map(index => (
        <div className="tr-col" key={index}>
          <RowSkeleton />
        </div>
      ))}
    </div>
  ) : (
    <div
      className="tr-last"
      role="group"
      aria-label="Last messages, while the session is read"
      aria-busy="true"
    >
      <div inert>
        {rows.map((row, index) => (
          <div className="tr-col" key={row.key} data-row-kind={row.kind}>
            <RowBody row={row} index={index} />
          </div>
        ))}
      </div>
    </div>
  )
}
