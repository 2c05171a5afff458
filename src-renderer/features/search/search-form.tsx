/** What is searched for, and how it is meant. */
import type { SearchMode } from '@shared/ipc/models/search-models'
import { Search, X } from 'lucide-react'
import type { KeyboardEvent, RefObject } from 'react'
import { useStore } from 'zustand'
import { searchStoreOf } from '../../stores/search-store'
import { useStores } from '../../stores/stores-context'

const MODES: readonly { mode: SearchMode; text: string; title: string }[] = [
  { mode: 'words', text: 'Words', title: 'Every word, in any order; case and accents do not matter' },
  { mode: 'exact', text: 'Exact', title: 'The text as it stands' },
  { mode: 'regex', text: 'Regex', title: 'A regular expression; (?i) in front ignores case' },
]

export function SearchForm(props: {
  field: RefObject<HTMLInputElement | null>
  /** Ids of the list and of its active line. */
  list: string
  active: string | undefined
  onKeyDown(event: KeyboardEvent): void
}) {
  const { client } = useStores()
  const search = searchStoreOf(client)
  const ask = useStore(search, state => state.ask)
  const fault = useStore(search, state => (state.run.state === 'fault' ? state.run.fault : null))
  const change = search.getState().change
  const faultId = `${props.list}-fault`
  return (
    <div className="sv-form">
      <search className={fault === null ? 'sv-field' : 'sv-field sv-field-bad'}>
        <Search aria-hidden />
        <input
          ref={props.field}
          type="text"
          role="combobox"
          data-filter=""
          data-region-focus=""
          aria-label="Search for"
          aria-expanded={props.active !== undefined}
          aria-controls={props.list}
          aria-activedescendant={props.active}
          aria-autocomplete="list"
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? undefined : faultId}
          placeholder="Search all that was said"
          spellCheck={false}
          autoComplete="off"
          maxLength={2000}
          className={ask.mode === 'regex' ? 'u-mono' : undefined}
          value={ask.text}
          onChange={event => change({ text: event.target.value })}
          onKeyDown={props.onKeyDown}
        />
        {ask.text === '' ? null : (
          <button
            type="button"
            className="sv-clear"
            aria-label="Clear text"
            onClick={() => {
              change({ text: '' })
              props.field.current?.focus()
            }}
          >
            <X aria-hidden />
          </button>
        )}
      </search>
      {fault === null ? null : (
        <p className="sv-fault u-text" id={faultId} role="alert">
          This expression cannot be read from character {fault.at + 1} on: {fault.reason}.{' '}
          <span className="u-mono" aria-hidden>
            {ask.text.slice(Math.max(0, fault.at - 20), fault.at)}
            <mark>{ask.text.slice(fault.at, fault.at + 20) || '␣'}</mark>
          </span>
        </p>
      )}
      <div className="sv-options">
        <fieldset className="sv-modes">
          <legend className="u-hidden">How the text is meant</legend>
          {MODES.map(({ mode, text, title }) => (
            <label key={mode} title={title} className={ask.mode === mode ? 'sv-mode sv-mode-on' : 'sv-mode'}>
              <input
                type="radio"
                name="search-mode"
                className="u-hidden"
                checked={ask.mode === mode}
                onChange={() => change({ mode })}
              />
              {text}
            </label>
          ))}
        </fieldset>
        <label className="sv-check">
          <input
            type="checkbox"
            checked={ask.allText}
            onChange={event => change({ allText: event.target.checked })}
          />
          Also tool output and artifacts
        </label>
        <label className="sv-check">
          <input
            type="checkbox"
            checked={ask.thinking}
            onChange={event => change({ thinking: event.target.checked })}
          />
          Also thinking
        </label>
        <span className="u-grow" />
        <span className="sv-select">
          <select
            aria-label="Order"
            value={ask.order}
            onChange={event => change({ order: event.target.value === 'recent' ? 'recent' : 'relevance' })}
          >
            <option value="relevance">Most relevant first</option>
            <option value="recent">Latest first</option>
          </select>
        </span>
      </div>
    </div>
  )
}
