/** The context menu of the transcript's rows: one for the feed, made for the row it was opened on. */
import type { MouseEvent } from 'react'
import { useCommands } from '../../commands/context'
import { showInGraph } from '../../commands/flows/navigate'
import { copyText } from '../../commands/flows/session-flows'
import { type CommandItem, entryItems, plainItem } from '../../commands/menu-items'
import { useStores } from '../../stores/stores-context'

/** What the feed's menu needs: the row becomes the current one, and the items are about it. */
export function useRowMenu(): { onContextMenu(event: MouseEvent): void; items(): CommandItem[] } {
  const stores = useStores()
  const commands = useCommands()
  return {
    onContextMenu(event) {
      const row = event.target instanceof Element ? event.target.closest('article[data-index]') : null
      const index = Number(row?.getAttribute('data-index') ?? Number.NaN)
      if (stores.transcript.getState().rows.has(index)) stores.transcript.getState().setCurrent(index)
      // Nothing is known of a row that is still being fetched.
      else event.preventDefault()
    },
    items() {
      const { session, current, rows } = stores.transcript.getState()
      const row = rows.get(current)
      if (session === null || row === undefined) return []
      const { ordinal } = row
      const selected = window.getSelection()?.toString() ?? ''
      const items = entryItems(stores, commands, { session, ordinal, label: row.labels.at(-1) ?? null }, [
        { key: 'entry.graph', text: 'Show in graph', onSelect: () => showInGraph(stores, session, ordinal) },
      ])
      if (selected === '') return items
      const copy = plainItem({
        key: 'entry.copySelection',
        text: 'Copy selected text',
        onSelect: () => void copyText(stores, selected, 'Text'),
      })
      return [copy, ...items]
    },
  }
}
