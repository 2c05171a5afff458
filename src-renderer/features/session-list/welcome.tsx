/** The first start: no sessions yet, where Grove looked for them, and how to add a folder. */
import type { LibrarySnapshot, RootView } from '@shared/ipc/models/library-models'
import { FolderPlus, Trees } from 'lucide-react'
import { useStore } from 'zustand'
import { useCommands } from '../../commands/context'
import { type Async, readyValue } from '../../stores/async'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/states'

function rootState(root: RootView): string {
  if (root.state === 'absent') return 'not there yet'
  if (root.state === 'unreadable') return root.note ?? 'unreadable'
  return 'no sessions yet'
}

/** Whether every root has been looked at and no session was found. */
export function isEmptyLibrary(snapshot: Async<LibrarySnapshot>): boolean {
  return snapshot.state === 'ready' && snapshot.value.scanning === null && snapshot.value.counts.all === 0
}

export function Welcome() {
  const stores = useStores()
  const commands = useCommands()
  const roots = readyValue(useStore(stores.library, state => state.snapshot))?.roots ?? []
  return (
    <EmptyState
      icon={<Trees aria-hidden />}
      title="No sessions yet"
      actions={
        <Button look="primary" data-region-focus="" onClick={() => commands.run('root.add')}>
          <FolderPlus aria-hidden />
          Add a folder…
        </Button>
      }
    >
      <p>Grove looked here:</p>
      <ul className="list-looked">
        {roots.map(root => (
          <li key={root.ref}>
            <span className="u-mono u-text">{root.agentDir}</span>
            <span className="u-faint">{rootState(root)}</span>
          </li>
        ))}
      </ul>
      <p>
        Sessions appear by themselves as soon as omp writes one. If yours lie elsewhere, add the agent folder
        that holds them.
      </p>
    </EmptyState>
  )
}
