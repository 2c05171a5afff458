/** What the commands of single entries do. Without a target it is the current row's entry, or the graph's chosen one. */
import type { CommandId } from '@shared/commands'
import { readyValue } from '../stores/async'
import { branchesStoreOf } from '../stores/branches-store'
import { treeStoreOf } from '../stores/session-views-stores'
import type { Stores } from '../stores/stores-context'
import type { Action } from './action'
import type { CommandContext } from './context'
import { copyEntry, copyTurn } from './flows/copy-flows'
import { askFork, askLabel, continueBranch } from './flows/manage-flows'
import { isReadOnly } from './session-rows'

type EntryCommand = Extract<CommandId, `entry.${string}`>
type Entry = { session: string; ordinal: number }

/** The entry that the keyboard is at in the open session, or null. */
function currentEntry(stores: Stores): Entry | null {
  const { ref, tab } = stores.session.getState()
  if (ref === null || stores.navigation.getState().place.view !== 'sessions') return null
  if (tab === 'transcript') {
    const { session, current, rows } = stores.transcript.getState()
    const row = session === ref ? rows.get(current) : undefined
    return row === undefined ? null : { session: ref, ordinal: row.ordinal }
  }
  if (tab !== 'branches') return null
  const branches = branchesStoreOf(stores.client).getState()
  if (branches.session !== ref) return null
  const ordinal = branches.chosen ?? readyValue(treeStoreOf(stores.client).getState().data)?.leaf ?? null
  return ordinal === null ? null : { session: ref, ordinal }
}

function entryOf({ stores, target }: CommandContext): Entry | null {
  if (target === null) return currentEntry(stores)
  return target.kind === 'entry' ? target : null
}

const forEntry = (act: (stores: Stores, entry: Entry) => void): Action => ({
  enabled: context => entryOf(context) !== null,
  run: context => {
    const entry = entryOf(context)
    if (entry !== null) act(context.stores, entry)
  },
})

const forWritableEntry = (act: (stores: Stores, entry: Entry) => void): Action => ({
  ...forEntry(act),
  enabled: context => {
    const entry = entryOf(context)
    return entry !== null && !isReadOnly(context.stores, entry.session)
  },
})

/** Whether omp would resume at this entry anyway. */
function isLeaf(stores: Stores, { session, ordinal }: Entry): boolean {
  const view = readyValue(stores.session.getState().view)
  return view?.row.ref === session && view.leaf === ordinal
}

const continued = forWritableEntry(
  (stores, entry) => void continueBranch(stores, entry.session, entry.ordinal),
)

export const entryActions: Record<EntryCommand, Action> = {
  'entry.label': {
    ...forWritableEntry((stores, entry) => void askLabel(stores, entry.session, entry.ordinal)),
    region: 'session',
  },
  'entry.fork': forEntry((stores, entry) => void askFork(stores, entry.session, entry.ordinal)),
  'entry.continue': {
    ...continued,
    enabled: context => {
      const entry = entryOf(context)
      return entry !== null && (continued.enabled?.(context) ?? true) && !isLeaf(context.stores, entry)
    },
  },
  'entry.copy': forEntry((stores, entry) => void copyEntry(stores, entry.session, entry.ordinal)),
  'entry.copyTurn': forEntry((stores, entry) => void copyTurn(stores, entry.session, entry.ordinal)),
}
