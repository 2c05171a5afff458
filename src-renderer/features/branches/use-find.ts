/** Find in branches: which entries match, over texts, labels and tips. */
import type { EntryPreview, TipView } from '@shared/ipc/models/session-models'
import { useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { branchesStoreOf } from '../../stores/branches-store'
import { previewsStoreOf } from '../../stores/previews-store'
import { useStores } from '../../stores/stores-context'
import { type Graph, shownEntries } from './use-graph'

/** Entries whose texts are fetched for a search; a larger session is searched in its newest part. */
export const MOST_SEARCHED = 10_000

export type Found = {
  /** Matching entries in the order of their rows. */
  hits: readonly number[]
  /** Texts that are still on their way. */
  pending: number
  /** Entries beyond `MOST_SEARCHED`. */
  unsearched: number
}

/** Entries that match. An empty query matches nothing. */
export function findEntries(
  query: string,
  entries: readonly number[],
  previews: ReadonlyMap<number, EntryPreview>,
  labels: ReadonlyMap<number, readonly string[]>,
  tips: ReadonlyMap<number, string>,
): number[] {
  const wanted = query.trim().toLocaleLowerCase()
  if (wanted === '') return []
  const holds = (text: string | undefined) => text?.toLocaleLowerCase().includes(wanted) ?? false
  return entries.filter(
    at =>
      holds(previews.get(at)?.text) ||
      holds(tips.get(at)) ||
      (labels.get(at)?.some(label => holds(label)) ?? false),
  )
}

/** Fetches what is missing while a query stands. */
export function useFind(graph: Graph, tips: readonly TipView[]): Found {
  const { client } = useStores()
  const branches = branchesStoreOf(client)
  const previewsStore = previewsStoreOf(client)
  const query = useStore(branches, state => state.find)
  const mode = useStore(branches, state => state.mode)
  const previews = useStore(previewsStore, state => state.previews)
  const searching = query.trim() !== ''
  const entries = useMemo(
    () => (searching ? shownEntries(graph, mode, MOST_SEARCHED) : []),
    [graph, mode, searching],
  )
  useEffect(() => {
    if (entries.length > 0) previewsStore.getState().need(entries)
  }, [entries, previewsStore])
  const tipTexts = useMemo(() => new Map(tips.map(tip => [tip.ordinal, tip.text])), [tips])
  return useMemo(
    () => ({
      hits: findEntries(query, entries, previews, graph.labels, tipTexts),
      pending: entries.filter(at => !previews.has(at)).length,
      unsearched: searching ? Math.max(0, graph.layout.entries - entries.length) : 0,
    }),
    [query, entries, previews, graph, tipTexts, searching],
  )
}
