/** Find in session: over the whole path, also what is not loaded and what is folded. */
import { CaseSensitive, ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { useCommands } from '../../commands/context'
import { errorLine } from '../../commands/error-text'
import { countOfPlaces } from '../../stores/find-places'
import { type FindState, findStoreOf } from '../../stores/find-store'
import { useStores } from '../../stores/stores-context'
import { IconButton } from '../../ui/button'
import { formatCount } from '../../ui/format'

/** `3 of 214`; what is said while it is not known, and when there is none. */
export function findCount({ answer, running, at, text }: FindState): string {
  if (text === '') return ''
  if (answer === null) return running ? 'Searching…' : ''
  const total = countOfPlaces(answer)
  if (total === 0) return running ? 'Searching…' : 'None'
  return `${at < 0 ? '?' : formatCount(at + 1)} of ${formatCount(total)}${answer.cut ? '+' : ''}`
}

/** `onClosed`: the keyboard goes back to what is read. */
export function FindBar({ onClosed }: { onClosed(): void }) {
  const { client } = useStores()
  const commands = useCommands()
  const find = findStoreOf(client)
  const state = useStore(find)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (state.asked === 0) return
    input.current?.focus()
    input.current?.select()
  }, [state.asked])
  const close = () => {
    find.getState().close()
    onClosed()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && event.target === input.current)
      find.getState().step(event.shiftKey ? -1 : 1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const none = state.answer !== null && countOfPlaces(state.answer) === 0
  return (
    <search className="tr-find" onKeyDown={onKeyDown}>
      <span className={none && state.text !== '' ? 'tr-find-field tr-find-none' : 'tr-find-field'}>
        <Search aria-hidden size={15} />
        <input
          ref={input}
          type="text"
          aria-label="Find in session"
          placeholder="Find in session"
          spellCheck={false}
          maxLength={1000}
          value={state.text}
          onChange={event => find.getState().setText(event.target.value)}
        />
        <output className="tr-find-count u-num">{findCount(state)}</output>
      </span>
      <IconButton
        label="Match case and accents"
        aria-pressed={state.exact}
        className={state.exact ? 'tr-find-on' : ''}
        onClick={() => find.getState().setExact(!state.exact)}
      >
        <CaseSensitive aria-hidden />
      </IconButton>
      <IconButton
        label="Previous match"
        keys={commands.keys('find.previous')}
        onClick={() => find.getState().step(-1)}
      >
        <ChevronUp aria-hidden />
      </IconButton>
      <IconButton
        label="Next match"
        keys={commands.keys('find.next')}
        onClick={() => find.getState().step(1)}
      >
        <ChevronDown aria-hidden />
      </IconButton>
      <IconButton label="Close find" keys="Esc" onClick={close}>
        <X aria-hidden />
      </IconButton>
      {state.error === null ? null : (
        <p className="tr-find-error u-text" role="alert">
          {errorLine(state.error)}
        </p>
      )}
    </search>
  )
}
