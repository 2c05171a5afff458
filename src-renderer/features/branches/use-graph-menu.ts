/** The context menu of the graph's rows, made for the chosen one. */
import { useStore } from 'zustand'
import { useCommands } from '../../commands/context'
import { type CommandItem, entryItems, plainItem } from '../../commands/menu-items'
import { branchesStoreOf } from '../../stores/branches-store'
import { useStores } from '../../stores/stores-context'
import { countOf } from '../../ui/format'
import type { Graph } from './use-graph'

/** Items for the row that is chosen when the menu opens; a folded run can only be unfolded. */
export function useGraphMenu(
  graph: Graph,
  acts: { toggle(row: number): void; show(row: number): void },
): () => CommandItem[] {
  const stores = useStores()
  const commands = useCommands()
  const session = useStore(stores.session, state => state.ref)
  return () => {
    const { layout, tree, labels } = graph
    const ordinal = branchesStoreOf(stores.client).getState().chosen ?? tree.leaf
    const row = ordinal === null ? -1 : (layout.rowOf[ordinal] ?? -1)
    if (session === null || ordinal === null || row < 0) return []
    const folded = layout.folded[row] ?? 0
    if (folded > 0) {
      const text = `Unfold ${countOf(folded, 'entry', 'entries')}`
      return [plainItem({ key: 'entry.unfold', text, onSelect: () => acts.toggle(row) })]
    }
    return entryItems(stores, commands, { session, ordinal, label: labels.get(ordinal)?.at(-1) ?? null }, [
      { key: 'entry.read', text: 'Show in transcript', keys: 'Enter', onSelect: () => acts.show(row) },
    ])
  }
}
