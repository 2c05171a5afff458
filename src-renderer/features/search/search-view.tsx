/** The search view: the question above, what was found below; the keyboard stays in the field. */
import { type KeyboardEvent, useEffect, useId, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import { openFound, openHit, openTouch } from '../../commands/flows/search-flows'
import { coverageStoreOf } from '../../stores/search-coverage-store'
import { searchStoreOf } from '../../stores/search-store'
import { useStores } from '../../stores/stores-context'
import { type ResultItem, resultItems } from './result-items'
import { ResultList } from './result-list'
import { SearchFilterBar } from './search-filter-bar'
import { SearchForm } from './search-form'
import { SearchEmpty, SearchStatus } from './search-states'
import './search-view.css'

/** Lines that Page Up and Page Down go. */
const PAGE = 10

/** `onOpened`: a session was opened, and the keyboard goes there. */
export function SearchView({ onOpened }: { onOpened(): void }) {
  const stores = useStores()
  const search = searchStoreOf(stores.client)
  const coverage = coverageStoreOf(stores.client)
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const sessions = useStore(search, state => state.sessions)
  const opened = useStore(search, state => state.opened)
  const more = useStore(search, state => state.more)
  const touched = useStore(search, state => state.touched)
  const cursor = useStore(search, state => state.cursor)
  const items = useMemo(
    () => resultItems({ sessions, opened, more, touched }),
    [sessions, opened, more, touched],
  )
  const at = useMemo(
    () =>
      Math.max(
        0,
        items.findIndex(item => item.key === cursor),
      ),
    [items, cursor],
  )
  useEffect(() => {
    field.current?.focus()
    void coverage.getState().load()
  }, [coverage])

  const choose = (item: ResultItem) => {
    search.getState().setCursor(item.key)
    switch (item.kind) {
      case 'session':
        openFound(stores, item.found.session, item.found.project)
        return onOpened()
      case 'hit':
        void openHit(stores, item.found, item.hit)
        return onOpened()
      case 'touch':
        void openTouch(stores, item.touch)
        return onOpened()
      case 'rest':
        return void search.getState().openAll(item.found.session)
      case 'more':
        return void search.getState().loadMore()
      default:
        return item satisfies never
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const go = (to: number) => {
      const item = items[Math.max(0, Math.min(to, items.length - 1))]
      if (item !== undefined) search.getState().setCursor(item.key)
    }
    const { run, ask, cancel, change } = search.getState()
    if (event.key === 'ArrowDown') go(cursor === null ? 0 : at + 1)
    else if (event.key === 'ArrowUp') go(at - 1)
    else if (event.key === 'PageDown') go(at + PAGE)
    else if (event.key === 'PageUp') go(at - PAGE)
    else if (event.key === 'Enter') {
      const item = items[at]
      if (item !== undefined) choose(item)
    } else if (event.key === 'Escape' && run.state === 'running') cancel()
    else if (event.key === 'Escape' && ask.text !== '') change({ text: '' })
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const current = items[at]
  return (
    <section className="sv" aria-label="Search">
      <header className="sv-head">
        <h2 className="u-hidden">Search</h2>
        <SearchForm
          field={field}
          list={`${id}-list`}
          active={current === undefined ? undefined : `${id}-${at}`}
          onKeyDown={onKeyDown}
        />
        <SearchFilterBar />
      </header>
      <SearchStatus />
      {items.length === 0 ? (
        <SearchEmpty id={`${id}-list`} />
      ) : (
        <ResultList id={id} items={items} at={at} onChoose={choose} />
      )}
    </section>
  )
}
