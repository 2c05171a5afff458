/** The filter of the list: rows that do not hold what is typed are left out. */
import { type KeyboardEvent, useRef } from 'react'
import { useStore } from 'zustand'
import { useCommands } from '../../commands/context'
import { useStores } from '../../stores/stores-context'
import { FilterField } from '../../ui/filter-field'

export function ListFilter() {
  const stores = useStores()
  const commands = useCommands()
  const filter = useStore(stores.list, state => state.filter)
  const frame = useRef<HTMLElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const leaves = event.key === 'ArrowDown' || event.key === 'Enter'
    if (!leaves && (event.key !== 'Escape' || filter !== '')) return
    event.preventDefault()
    event.stopPropagation()
    frame.current?.parentElement?.querySelector<HTMLElement>('[role="listbox"]')?.focus()
  }
  return (
    <search className="list-filter" ref={frame}>
      <FilterField
        label="Filter sessions"
        placeholder="Filter"
        main={{ keys: commands.keys('find.here') }}
        value={filter}
        onChange={text => stores.list.getState().setFilter(text)}
        onKeyDown={onKeyDown}
      />
    </search>
  )
}
