/** The session list when it has no rows: still loading, nothing there, nothing found, failed. */
import type { LibrarySnapshot, SessionScope } from '@shared/ipc/models/library-models'
import { Archive, FileWarning, Inbox, RefreshCw, Search, Star, Trees } from 'lucide-react'
import { useStore } from 'zustand'
import { errorHeading } from '../../commands/error-text'
import { showScope } from '../../commands/flows/navigate'
import { readyValue } from '../../stores/async'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { countOf, formatCount } from '../../ui/format'
import { Bone, EmptyState, ErrorState, ProgressBar } from '../../ui/states'
import { isEmptyLibrary, Welcome } from './welcome'

/** Rows in grey while the first answer is on its way. */
export function ListBones() {
  return (
    <div className="list-bones" role="status" aria-label="Loading sessions">
      {[62, 48, 70, 40, 56, 66, 44].map(width => (
        <div key={width} className="list-bone">
          <Bone width={`${width}%`} height={11} />
          <Bone width="88%" />
          <Bone width={`${width - 14}%`} />
        </div>
      ))}
    </div>
  )
}

export function ListError() {
  const stores = useStores()
  const error = useStore(stores.list, state => state.error)
  return (
    <ErrorState
      icon={<FileWarning aria-hidden />}
      title="The sessions could not be listed"
      text={error ? `${errorHeading(error.code)} ${error.message}` : ''}
      actions={
        <Button onClick={() => void stores.list.getState().refresh()}>
          <RefreshCw aria-hidden />
          Try again
        </Button>
      }
    />
  )
}

/** Why there is no row, and what to do about it. */
export function ListEmpty() {
  const stores = useStores()
  const filter = useStore(stores.list, state => state.filter)
  const scope = useStore(stores.list, state => state.scope)
  const data = useStore(stores.library, state => state.snapshot)
  const snapshot = readyValue(data)
  if (filter.trim() !== '') return <NoHits filter={filter} scope={scope} />
  if (snapshot?.scanning && snapshot.counts.all === 0) return <Scanning snapshot={snapshot} />
  if (isEmptyLibrary(data)) return <Welcome />
  return <EmptyScope scope={scope} />
}

function NoHits({ filter, scope }: { filter: string; scope: SessionScope }) {
  const stores = useStores()
  return (
    <EmptyState
      icon={<Search aria-hidden />}
      title={`No session matches “${filter.trim()}”`}
      actions={
        <>
          <Button onClick={() => stores.list.getState().setFilter('')}>Clear filter</Button>
          {scope.kind === 'all' ? null : (
            <Button onClick={() => showScope(stores, { kind: 'all' })}>Filter all sessions</Button>
          )}
        </>
      }
    >
      The filter looks at titles, first prompts, projects and models.
    </EmptyState>
  )
}

function Scanning({ snapshot }: { snapshot: LibrarySnapshot }) {
  const { done, total } = snapshot.scanning ?? { done: 0, total: 0 }
  return (
    <EmptyState icon={<Trees aria-hidden />} title="Reading your sessions">
      <ProgressBar label="Reading sessions" done={done} total={total} />
      <p className="u-num">
        {total > 0 ? `${formatCount(done)} of ${countOf(total, 'file')}` : 'Looking for files'}
      </p>
    </EmptyState>
  )
}

function EmptyScope({ scope }: { scope: SessionScope }) {
  switch (scope.kind) {
    case 'starred':
      return (
        <EmptyState icon={<Star aria-hidden />} title="Nothing starred">
          Sessions that you star here or pin in omp appear here.
        </EmptyState>
      )
    case 'archived':
      return (
        <EmptyState icon={<Archive aria-hidden />} title="Nothing archived">
          Sessions that omp packs away when it tidies up (omp gc) appear here.
        </EmptyState>
      )
    case 'project':
      return (
        <EmptyState icon={<Inbox aria-hidden />} title="No sessions in this project">
          They were deleted or moved. Deleted sessions lie in the trash.
        </EmptyState>
      )
    case 'all':
      return <EmptyState icon={<Inbox aria-hidden />} title="No sessions" />
    default:
      return scope satisfies never
  }
}
