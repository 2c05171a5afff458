/** The bar at the foot: how much there is, what is going on, what is degraded. */

import type { AppInfo } from '@shared/ipc/models/app-models'
import type { LibrarySnapshot, WatchingView } from '@shared/ipc/models/library-models'
import type { SearchCoverage } from '@shared/ipc/models/search-models'
import { FlaskConical, TriangleAlert } from 'lucide-react'
import { useStore } from 'zustand'
import { errorLine } from '../commands/error-text'
import { coverageStoreOf } from '../stores/search-coverage-store'
import { useStores } from '../stores/stores-context'
import { countOf, formatBytes, formatCount } from '../ui/format'
import { ProgressBar } from '../ui/states'

/** How changes from outside come to be seen, in a few words. */
export function watchingText({ roots, watched, failed, pollMs }: WatchingView): string {
  if (roots === 0) return 'No sessions folder to watch yet'
  if (failed === roots) return `Looking at ${countOf(roots, 'root')} every ${pollMs / 1000} s`
  return watched === roots
    ? `Watching ${countOf(roots, 'root')}`
    : `Watching ${formatCount(watched)} of ${countOf(roots, 'root')}`
}

/** How far the search index is, in a few words. */
export function indexText({ indexed, all, running, problem }: SearchCoverage): string {
  if (problem !== null) return 'No search index'
  if (indexed >= all) return 'Index up to date'
  return `${running ? 'Indexing' : 'Indexed'} ${formatCount(indexed)} of ${formatCount(all)}`
}

export function StatusBar() {
  const stores = useStores()
  const coverage = useStore(coverageStoreOf(stores.client), state => state.coverage)
  const data = useStore(stores.library, state => state.snapshot)
  const info = useStore(stores.settings, state => state.info)
  return (
    <footer className="statusbar u-num">
      {data.state === 'ready' ? <Numbers snapshot={data.value} /> : null}
      {data.state === 'loading' ? <span>Loading</span> : null}
      {data.state === 'error' ? (
        <span className="statusbar-warn u-cut" title={errorLine(data.error)}>
          <TriangleAlert aria-hidden />
          {errorLine(data.error)}
        </span>
      ) : null}
      <span className="u-grow" />
      {info ? <Program info={info} /> : null}
      {coverage ? <Index coverage={coverage} /> : null}
      {data.state === 'ready' ? <Watching view={data.value.watching} /> : null}
    </footer>
  )
}

function Index({ coverage }: { coverage: SearchCoverage }) {
  const { problem } = coverage
  const title = problem ?? 'Sessions that are not in the index yet are searched by reading them.'
  return (
    <span className={problem === null ? 'statusbar-optional' : 'statusbar-warn'} title={title}>
      {problem === null ? null : <TriangleAlert aria-hidden />}
      {indexText(coverage)}
    </span>
  )
}

function Watching({ view }: { view: WatchingView }) {
  const { roots, watched, notes } = view
  // Until it is known of any root.
  if (roots === 0 && notes.length === 0) return null
  const degraded = watched < roots
  const title = notes.length === 0 ? 'Changes by other programs are shown as they happen.' : notes.join('\n')
  return (
    <span className={degraded ? 'statusbar-warn' : 'statusbar-optional'} title={title}>
      {degraded ? <TriangleAlert aria-hidden /> : null}
      {watchingText(view)}
    </span>
  )
}

function Numbers({ snapshot }: { snapshot: LibrarySnapshot }) {
  const { counts, projects, bytes, scanning, notes } = snapshot
  return (
    <>
      <span>
        {countOf(counts.all, 'session')} in {countOf(projects.length, 'project')}
      </span>
      <span>{formatBytes(bytes)}</span>
      {counts.damaged > 0 ? (
        <span className="statusbar-optional" title="Sessions with lines that cannot be read">
          {countOf(counts.damaged, 'damaged session')}
        </span>
      ) : null}
      {scanning ? (
        <span className="statusbar-scan">
          <ProgressBar label="Reading sessions" done={scanning.done} total={scanning.total} />
          Reading {formatCount(scanning.done)} of {formatCount(scanning.total)}
        </span>
      ) : null}
      {notes.length > 0 ? (
        <span className="statusbar-warn u-cut" title={notes.join('\n')}>
          <TriangleAlert aria-hidden />
          <span className="u-cut">
            {notes[0]}
            {notes.length > 1 ? ` (and ${notes.length - 1} more)` : ''}
          </span>
        </span>
      ) : null}
    </>
  )
}

function Program({ info }: { info: AppInfo }) {
  return (
    <>
      {info.samples ? (
        <span className="statusbar-samples" title="These sessions were made up to try Grove with.">
          <FlaskConical aria-hidden />
          Sample library
        </span>
      ) : null}
      {info.onlyAgentDir ? (
        <span className="u-cut statusbar-optional" title={info.onlyAgentDir}>
          Only {info.onlyAgentDir}
        </span>
      ) : null}
      {info.oldRuntime ? (
        <span
          className="statusbar-optional"
          title={`Electron ${info.electron} is an old runtime for closed networks. WebP pictures are not decoded on it.`}
        >
          Old runtime: Electron {info.electron}
        </span>
      ) : null}
    </>
  )
}
