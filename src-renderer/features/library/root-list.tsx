/** The roots at the foot of the sidebar: where sessions come from, how much, and whether all is well. */
import type { RootView } from '@shared/ipc/models/library-models'
import { HardDrive, Lock, TriangleAlert } from 'lucide-react'
import { countOf, formatBytes } from '../../ui/format'

function stateText(root: RootView): string {
  switch (root.state) {
    case 'ok':
      return formatBytes(root.bytes)
    case 'absent':
      return 'not there yet'
    case 'unreadable':
      return 'unreadable'
    default:
      return root.state satisfies never
  }
}

export function RootList({ roots }: { roots: readonly RootView[] }) {
  return (
    <ul className="roots" aria-label="Session folders">
      {roots.map(root => (
        <li
          key={root.ref}
          className={root.state === 'unreadable' ? 'root root-bad' : 'root'}
          title={[root.agentDir, countOf(root.sessions, 'session'), root.note].filter(Boolean).join('\n')}
        >
          {root.state === 'unreadable' ? <TriangleAlert aria-hidden /> : <HardDrive aria-hidden />}
          <span className="u-cut u-grow">{root.name}</span>
          {root.readOnly ? <Lock className="root-lock" aria-label="read-only" /> : null}
          <span className="nav-count u-num">{stateText(root)}</span>
        </li>
      ))}
    </ul>
  )
}
