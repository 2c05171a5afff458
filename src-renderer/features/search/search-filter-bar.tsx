/** Filters of the search: which sessions, which entries. */
import { type SearchFilters, searchRole } from '@shared/ipc/models/search-models'
import { useStore } from 'zustand'
import { readyValue } from '../../stores/async'
import { EMPTY_ASK, filterCount, spanFilter, TIME_SPANS, type TimeSpan } from '../../stores/search-ask'
import { searchStoreOf } from '../../stores/search-store'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { ROLE_WORDS } from './hit-words'

const SPAN_WORDS: Readonly<Record<TimeSpan, string>> = {
  any: 'Any time',
  day: 'Today',
  week: 'Last 7 days',
  month: 'Last 30 days',
  year: 'Last year',
  range: 'From … to …',
}

const DAY = 24 * 60 * 60 * 1000

/** `2026-11-30`, by the local clock, as a date field has it. */
function dayOf(time: number | null): string {
  if (time === null) return ''
  const date = new Date(time)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Beginning of a day by the local clock; null for a field that holds none. */
function startOf(day: string): number | null {
  const time = new Date(`${day}T00:00:00`).getTime()
  return Number.isNaN(time) ? null : time
}

export function SearchFilterBar() {
  const stores = useStores()
  const search = searchStoreOf(stores.client)
  const ask = useStore(search, state => state.ask)
  const snapshot = readyValue(useStore(stores.library, state => state.snapshot))
  const { filters, span } = ask
  const set = (part: Partial<SearchFilters>) => search.getState().change({ filters: { ...filters, ...part } })
  const setSpan = (next: TimeSpan) =>
    search
      .getState()
      .change({ span: next, filters: { ...filters, ...spanFilter(next, filters, Date.now()) } })
  const projects = [...(snapshot?.projects ?? [])].sort((a, b) => a.shortCwd.localeCompare(b.shortCwd))
  const count = filterCount(ask)
  return (
    <fieldset className="sv-filters">
      <legend className="u-hidden">Filters</legend>
      <Choice
        name="Project"
        on={filters.project !== null}
        value={filters.project ?? ''}
        options={[['', 'All projects'], ...projects.map(({ ref, shortCwd }) => [ref, shortCwd] as const)]}
        onChange={value => set({ project: value === '' ? null : value })}
      />
      <Choice
        name="Time"
        on={span !== 'any'}
        value={span}
        options={TIME_SPANS.map(one => [one, SPAN_WORDS[one]] as const)}
        onChange={value => setSpan(TIME_SPANS.find(one => one === value) ?? 'any')}
      />
      {span === 'range' ? (
        <>
          <input
            type="date"
            className="sv-input"
            aria-label="From this day on"
            value={dayOf(filters.from)}
            onChange={event => set({ from: startOf(event.target.value) })}
          />
          <input
            type="date"
            className="sv-input"
            aria-label="Up to this day"
            // The filter ends where the next day begins.
            value={dayOf(filters.to === null ? null : filters.to - 1)}
            onChange={event => {
              const start = startOf(event.target.value)
              set({ to: start === null ? null : (startOf(dayOf(start + 1.5 * DAY)) ?? start + DAY) })
            }}
          />
        </>
      ) : null}
      <Choice
        name="Whose text"
        on={filters.role !== null}
        value={filters.role ?? ''}
        options={[
          ['', 'Anyone’s text'],
          ...searchRole.options.map(role => [role, ROLE_WORDS[role]] as const),
        ]}
        onChange={value => set({ role: searchRole.options.find(role => role === value) ?? null })}
      />
      <input
        type="text"
        className="sv-input"
        aria-label="Model"
        placeholder="Model"
        spellCheck={false}
        maxLength={200}
        value={filters.model ?? ''}
        onChange={event => set({ model: event.target.value === '' ? null : event.target.value })}
      />
      <input
        type="text"
        className="sv-input sv-file"
        aria-label="Touched file"
        placeholder="Touched file"
        spellCheck={false}
        maxLength={4096}
        value={filters.touchedFile ?? ''}
        onChange={event => set({ touchedFile: event.target.value === '' ? null : event.target.value })}
      />
      <label className="sv-check">
        <input
          type="checkbox"
          checked={filters.hasBranches === true}
          onChange={event => set({ hasBranches: event.target.checked ? true : null })}
        />
        Has branches
      </label>
      <label className="sv-check">
        <input
          type="checkbox"
          checked={filters.hasArtifacts === true}
          onChange={event => set({ hasArtifacts: event.target.checked ? true : null })}
        />
        Has artifacts
      </label>
      {count === 0 ? null : (
        <Button
          look="quiet"
          onClick={() => search.getState().change({ filters: EMPTY_ASK.filters, span: EMPTY_ASK.span })}
        >
          Clear filters
        </Button>
      )}
    </fieldset>
  )
}

function Choice(props: {
  name: string
  on: boolean
  value: string
  options: readonly (readonly [value: string, text: string])[]
  onChange(value: string): void
}) {
  return (
    <span className={props.on ? 'sv-select sv-select-on' : 'sv-select'}>
      <select
        aria-label={props.name}
        value={props.value}
        onChange={event => props.onChange(event.target.value)}
      >
        {props.options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </span>
  )
}
