/** The one box: sessions as one types, messages as they come, commands; the keyboard stays in the field. */

import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { useCommands } from '../../commands/context'
import { errorLine } from '../../commands/error-text'
import { showScope } from '../../commands/flows/navigate'
import { openFound, openHit, showSearch } from '../../commands/flows/search-flows'
import { showKeys } from '../../commands/keys'
import { isCommandText, searchBoxStoreOf } from '../../stores/search-box-store'
import { useStores } from '../../stores/stores-context'
import { Kbd } from '../../ui/button'
import { FloatingBox, type LeaveBox } from '../../ui/floating-box'
import { countOf } from '../../ui/format'
import { useMinute } from '../../ui/use-minute'
import { type BoxItem, boxGroups } from './box-items'
import { BoxRow } from './box-row'
import './search-box.css'

/** Lines that Page Up and Page Down go. */
const PAGE = 8

export function SearchBox(props: {
  sessionsOnly: boolean
  mac: boolean
  /** A session was opened: the keyboard goes there. */
  onOpened(): void
  onFocusLost(): void
}) {
  const stores = useStores()
  const box = searchBoxStoreOf(stores.client)
  const { sessionsOnly } = props
  useEffect(() => {
    box.getState().begin(sessionsOnly)
    return () => box.getState().end()
  }, [box, sessionsOnly])
  return (
    <FloatingBox
      title={sessionsOnly ? 'Go to a session' : 'Search'}
      onClose={() => stores.dialogs.getState().close()}
      onFocusLost={props.onFocusLost}
    >
      {leave => <Box sessionsOnly={sessionsOnly} mac={props.mac} onLeave={leave} onOpened={props.onOpened} />}
    </FloatingBox>
  )
}

function Box(props: { sessionsOnly: boolean; mac: boolean; onLeave: LeaveBox; onOpened(): void }) {
  const { sessionsOnly, onLeave, onOpened } = props
  const stores = useStores()
  const commands = useCommands()
  const box = searchBoxStoreOf(stores.client)
  const state = useStore(box)
  const id = useId()
  const now = useMinute()
  const list = useRef<HTMLDivElement>(null)
  // What one went to; null: whatever is first, as long as one only types.
  const [chosen, setChosen] = useState<string | null>(null)
  const groups = useMemo(() => boxGroups(state, commands), [state, commands])
  const items = groups.flatMap(group => group.items)
  const at = Math.max(
    0,
    items.findIndex(item => item.key === chosen),
  )
  const current = items[at]
  const rowId = (item: BoxItem) => `${id}-${items.indexOf(item)}`

  useEffect(() => {
    const row = current === undefined ? null : document.getElementById(`${id}-${at}`)
    row?.scrollIntoView({ block: 'nearest' })
  }, [id, at, current])

  const everywhere = () => {
    const text = isCommandText(state.text) ? '' : state.text.trim()
    box.getState().remember(text)
    onLeave(() => showSearch(stores, text === '' ? undefined : { text }), 'elsewhere')
  }
  const choose = (item: BoxItem) => {
    switch (item.kind) {
      case 'session':
        box.getState().remember(state.text)
        return onLeave(() => {
          openFound(stores, item.hit.row.ref, item.hit.row.project)
          onOpened()
        }, 'elsewhere')
      case 'message':
        box.getState().remember(state.text)
        return onLeave(() => {
          void openHit(stores, item.found, item.hit)
          // The row of the match takes the keyboard when it is there.
          onOpened()
        }, 'elsewhere')
      case 'project':
        return onLeave(() => showScope(stores, { kind: 'project', project: item.project.ref }), 'before')
      case 'command':
        return onLeave(() => commands.run(item.id), 'before')
      case 'recent':
        setChosen(null)
        return box.getState().setText(item.text)
      case 'everywhere':
        return everywhere()
      default:
        return item satisfies never
    }
  }
  const go = (to: number) => {
    const item = items[(to + items.length) % Math.max(1, items.length)]
    if (item !== undefined) setChosen(item.key)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const last = items.length - 1
    if (event.key === 'ArrowDown') go(at + 1)
    else if (event.key === 'ArrowUp') go(at - 1)
    else if (event.key === 'PageDown') go(Math.min(at + PAGE, last))
    else if (event.key === 'PageUp') go(Math.max(at - PAGE, 0))
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) everywhere()
    else if (event.key === 'Enter') {
      if (current !== undefined) choose(current)
    } else return
    event.preventDefault()
  }
  return (
    <>
      <div className="sb-field">
        <Search aria-hidden />
        <input
          type="text"
          role="combobox"
          aria-label={sessionsOnly ? 'Go to a session' : 'Search sessions, messages and commands'}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={current === undefined ? undefined : rowId(current)}
          aria-autocomplete="list"
          placeholder={sessionsOnly ? 'Go to a session' : 'Search sessions and messages'}
          spellCheck={false}
          autoComplete="off"
          maxLength={500}
          value={state.text}
          onChange={event => {
            setChosen(null)
            box.getState().setText(event.target.value)
          }}
          onKeyDown={onKeyDown}
        />
        <Kbd>Esc</Kbd>
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        className="sb-list"
        role="listbox"
        aria-label="Found"
        tabIndex={-1}
        onMouseDown={event => event.preventDefault()}
      >
        {groups.map(group => (
          <div key={group.key} role="group" aria-labelledby={`${id}-${group.key}`}>
            <div className="sb-heading" id={`${id}-${group.key}`} role="presentation">
              {group.title}
            </div>
            {group.items.map(item => (
              <BoxRow
                key={item.key}
                id={rowId(item)}
                item={item}
                now={now}
                active={item === current}
                onChoose={() => choose(item)}
              />
            ))}
          </div>
        ))}
      </div>
      <BoxStatus items={items.length} />
      <footer className="sb-foot">
        <span className="u-grow u-cut">{sessionsOnly ? 'All sessions' : 'Whole library, all branches'}</span>
        <span>
          <Kbd>Enter</Kbd> open
        </span>
        <span>
          <Kbd>{showKeys('CmdOrCtrl+Enter', props.mac)}</Kbd> search view
        </span>
        {sessionsOnly ? null : (
          <span>
            <Kbd>&gt;</Kbd> commands
          </span>
        )}
      </footer>
    </>
  )
}

/** What is going on, or why there is nothing. */
function BoxStatus({ items }: { items: number }) {
  const { client } = useStores()
  const { text, quick, messages } = useStore(searchBoxStoreOf(client))
  const problem = quick.state === 'error' ? quick.error : messages.state === 'error' ? messages.error : null
  if (problem !== null && !isCommandText(text)) {
    return (
      <p className="sb-note sb-bad u-text" role="alert">
        {errorLine(problem)}
      </p>
    )
  }
  if (messages.state === 'running') return <p className="sb-note">Searching messages…</p>
  if (items === 0 && (isCommandText(text) || quick.state === 'ready')) {
    return (
      <p className="sb-note" role="status">
        {isCommandText(text) ? 'No command of that name that can be used here.' : 'Nothing found.'}
      </p>
    )
  }
  return (
    <p className="u-hidden" aria-live="polite">
      {text === '' ? '' : countOf(items, 'result')}
    </p>
  )
}
