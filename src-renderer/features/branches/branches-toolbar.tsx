/** Above the graph: what is shown, folds, order, and find. */
import { GRAPH_MODES, type GraphMode } from '@shared/graph/visible-tree'
import {
  ArrowDownWideNarrow,
  ArrowUpNarrowWide,
  ChevronDown,
  ChevronUp,
  FoldVertical,
  Search,
  UnfoldVertical,
} from 'lucide-react'
import type { RefObject } from 'react'
import { useStore } from 'zustand'
import { branchesStoreOf } from '../../stores/branches-store'
import { useStores } from '../../stores/stores-context'
import { Button, IconButton, Kbd } from '../../ui/button'
import { formatCount } from '../../ui/format'
import type { Found } from './use-find'

const MODE_NAMES: Readonly<Record<GraphMode, string>> = {
  default: 'Default',
  'no-tools': 'No tools',
  prompts: 'Prompts',
  labelled: 'Labelled',
  all: 'All',
}

export function BranchesToolbar(props: {
  input: RefObject<HTMLInputElement | null>
  found: Found
  at: number
  onStep: (by: 1 | -1) => void
  onLeave: () => void
}) {
  const { client, settings } = useStores()
  const branches = branchesStoreOf(client)
  const mode = useStore(branches, state => state.mode)
  const unfoldAll = useStore(branches, state => state.unfoldAll)
  const find = useStore(branches, state => state.find)
  const order = useStore(settings, state => state.settings.graphOrder)
  return (
    <div className="br-toolbar">
      <fieldset className="br-seg">
        <legend className="u-hidden">Entries shown</legend>
        {GRAPH_MODES.map(one => (
          <label key={one} className={one === mode ? 'br-seg-on' : undefined}>
            <input
              type="radio"
              name="graph-mode"
              className="u-hidden"
              checked={one === mode}
              onChange={() => branches.getState().setMode(one)}
            />
            {MODE_NAMES[one]}
          </label>
        ))}
      </fieldset>
      <Button onClick={() => branches.getState().setUnfoldAll(!unfoldAll)} aria-pressed={unfoldAll}>
        {unfoldAll ? <FoldVertical aria-hidden /> : <UnfoldVertical aria-hidden />}
        <span className="br-btn-text">{unfoldAll ? 'Fold' : 'Unfold all'}</span>
      </Button>
      <IconButton
        label={order === 'newest' ? 'Newest first' : 'Oldest first'}
        onClick={() => void settings.getState().set({ graphOrder: order === 'newest' ? 'oldest' : 'newest' })}
      >
        {order === 'newest' ? <ArrowDownWideNarrow aria-hidden /> : <ArrowUpNarrowWide aria-hidden />}
      </IconButton>
      <span className="u-grow" />
      <search className="br-find">
        <Search aria-hidden size={15} />
        <input
          ref={props.input}
          type="text"
          placeholder="Find in branches"
          aria-label="Find in branches"
          spellCheck={false}
          value={find}
          onChange={event => branches.getState().setFind(event.target.value)}
          onKeyDown={event => {
            if (event.key === 'Enter') props.onStep(event.shiftKey ? -1 : 1)
            else if (event.key === 'Escape') {
              if (find === '') props.onLeave()
              else branches.getState().setFind('')
            } else if (event.key === 'ArrowDown') props.onLeave()
            else return
            event.preventDefault()
            event.stopPropagation()
          }}
        />
        {find === '' ? (
          <Kbd>/</Kbd>
        ) : (
          <>
            <FindCount found={props.found} at={props.at} />
            <button
              type="button"
              className="br-step"
              aria-label="Previous match"
              title="Previous match (Shift N)"
              onClick={() => props.onStep(-1)}
            >
              <ChevronUp aria-hidden size={14} />
            </button>
            <button
              type="button"
              className="br-step"
              aria-label="Next match"
              title="Next match (N)"
              onClick={() => props.onStep(1)}
            >
              <ChevronDown aria-hidden size={14} />
            </button>
          </>
        )}
      </search>
    </div>
  )
}

function FindCount({ found, at }: { found: Found; at: number }) {
  const total = found.hits.length
  const text =
    total === 0 ? (found.pending > 0 ? '...' : 'none') : `${at < 0 ? '?' : at + 1} of ${formatCount(total)}`
  const note =
    found.unsearched > 0 ? `${formatCount(found.unsearched)} older entries were not searched` : undefined
  return (
    <output className="br-count" title={note}>
      {text}
      {found.unsearched > 0 && '+'}
    </output>
  )
}
