/** Above the title: the way back to where one came from, and the session that this one came from or belongs to. */
import type { SessionView } from '@shared/ipc/models/session-models'
import { ArrowLeft, CornerLeftUp } from 'lucide-react'
import { useStore } from 'zustand'
import { useCommands } from '../commands/context'
import { useStores } from '../stores/stores-context'

export function SessionOrigin({ view }: { view: SessionView }) {
  const stores = useStores()
  const commands = useCommands()
  const back = useStore(stores.session, state => state.back)
  const from = back[back.length - 1]
  // Where the parent is where one came from, one line says both.
  const parent = view.parent !== null && view.parent.ref !== from?.ref ? view.parent : null
  if (from === undefined && parent === null) return null
  return (
    <div className="pane-origins">
      {from === undefined ? null : (
        <button type="button" className="pane-origin" onClick={() => void stores.session.getState().goBack()}>
          <ArrowLeft aria-hidden />
          <span className="u-cut">Back to {from.title}</span>
        </button>
      )}
      {parent === null ? null : (
        <button
          type="button"
          className="pane-origin"
          title={commands.keys('session.parent') ?? undefined}
          onClick={() => void stores.session.getState().openFrom(parent.ref)}
        >
          <CornerLeftUp aria-hidden />
          <span className="u-cut">
            {originWords(parent.kind)} {parent.title}
          </span>
        </button>
      )}
    </div>
  )
}

function originWords(kind: NonNullable<SessionView['parent']>['kind']): string {
  switch (kind) {
    case 'fork':
      return 'Forked from'
    case 'branched':
      return 'Branched from'
    case 'child':
      return 'Child of'
    case 'owner':
      return 'Part of'
    default:
      return kind satisfies never
  }
}
