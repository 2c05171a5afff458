/** What the search says of itself: how far it is, what it covers, why there is nothing. */
import { CircleStop, Filter, Search as SearchIcon, SearchX, TriangleAlert } from 'lucide-react'
import { useStore } from 'zustand'
import { errorHeading } from '../../commands/error-text'
import { asksForFile, EMPTY_ASK, filterCount } from '../../stores/search-ask'
import { coverageStoreOf } from '../../stores/search-coverage-store'
import { searchStoreOf } from '../../stores/search-store'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { countOf, formatCount } from '../../ui/format'
import { EmptyState, ErrorState, ProgressBar } from '../../ui/states'
import { coverageText, foundText, searchedText } from './search-words'

/** The line between question and results. */
export function SearchStatus() {
  const { client } = useStores()
  const search = searchStoreOf(client)
  const state = useStore(search)
  const coverage = useStore(coverageStoreOf(client), now => now.coverage)
  const { run, notes } = state
  const covered = coverageText(coverage)
  return (
    <div className="sv-status u-num">
      <div className="sv-line">
        {run.state === 'running' ? (
          <>
            <span className="sv-progress">
              <ProgressBar label="Searching" done={run.done} total={run.total} />
            </span>
            <span>
              {run.total > 0
                ? `Searching ${formatCount(run.done)} of ${countOf(run.total, 'session')}`
                : 'Searching…'}
            </span>
            {!state.stale && state.sessions.length > 0 ? <span>{foundText(state)} so far</span> : null}
            <Button look="quiet" onClick={() => search.getState().cancel()}>
              Cancel
            </Button>
          </>
        ) : (
          <span role="status" className="sv-found">
            {run.state === 'cancelled'
              ? `Cancelled${run.total > 0 ? ` after ${formatCount(run.done)} of ${countOf(run.total, 'session')}` : ''}. ${foundText(state)}`
              : run.state === 'done'
                ? foundText(state)
                : ''}
          </span>
        )}
        {run.state === 'cancelled' ? (
          <Button look="quiet" onClick={() => search.getState().again()}>
            Search again
          </Button>
        ) : null}
      </div>
      {covered === null ? null : <p className="sv-covered">{covered}</p>}
      {notes.map(note => (
        <p key={note} className="sv-note u-text">
          <TriangleAlert aria-hidden />
          {note}
        </p>
      ))}
    </div>
  )
}

/** In the place of the list; `id` is that of the list, which the field names. */
export function SearchEmpty({ id }: { id: string }) {
  const { client } = useStores()
  const search = searchStoreOf(client)
  const run = useStore(search, state => state.run)
  return (
    <div className="sv-empty">
      <div id={id} role="listbox" aria-label="Results" className="u-hidden" />
      {run.state === 'error' ? (
        <ErrorState
          icon={<TriangleAlert aria-hidden />}
          title={errorHeading(run.error.code)}
          text={run.error.message}
          actions={<Button onClick={() => search.getState().again()}>Search again</Button>}
        />
      ) : run.state === 'done' ? (
        <NothingFound />
      ) : run.state === 'cancelled' ? (
        <EmptyState icon={<CircleStop aria-hidden />} title="Cancelled before anything was found" />
      ) : run.state === 'idle' ? (
        <EmptyState icon={<SearchIcon aria-hidden />} title="Search all that was said">
          <p>Every message of every session and branch. The filters narrow it down.</p>
          <p>With a touched file and no text: the sessions that changed this file.</p>
        </EmptyState>
      ) : null}
    </div>
  )
}

/** What was searched, and how to widen it. */
function NothingFound() {
  const { client } = useStores()
  const search = searchStoreOf(client)
  const ask = useStore(search, state => state.ask)
  const { change } = search.getState()
  const filters = filterCount(ask)
  if (asksForFile(ask)) {
    return (
      <EmptyState icon={<SearchX aria-hidden />} title="No session touched this file">
        A whole path, the end of one (src/app.ts) or a name is meant. Changes by shell commands are not known.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<SearchX aria-hidden />}
      title="Nothing found"
      actions={
        <>
          {filters === 0 ? null : (
            <Button onClick={() => change({ filters: EMPTY_ASK.filters, span: EMPTY_ASK.span })}>
              <Filter aria-hidden />
              Clear {countOf(filters, 'filter')}
            </Button>
          )}
          {ask.allText ? null : (
            <Button onClick={() => change({ allText: true })}>Also tool output and artifacts</Button>
          )}
          {ask.thinking ? null : <Button onClick={() => change({ thinking: true })}>Also thinking</Button>}
          {ask.mode === 'words' ? null : <Button onClick={() => change({ mode: 'words' })}>As words</Button>}
        </>
      }
    >
      {searchedText(ask)}
    </EmptyState>
  )
}
