/** The dialog that is open, if one is. */
import { useStore } from 'zustand'
import { DeleteDialog } from '../features/delete/delete-dialog'
import { ForkDialog } from '../features/fork/fork-dialog'
import { AboutDialog } from '../features/help/about-dialog'
import { ShortcutsDialog } from '../features/help/shortcuts-dialog'
import { LabelDialog } from '../features/label/label-dialog'
import { MaybeDialog } from '../features/maybe-in-use/maybe-dialog'
import { MoveDialog } from '../features/move/move-dialog'
import { RerootDialog } from '../features/reroot/reroot-dialog'
import { SearchBox } from '../features/search/search-box'
import { SettingsDialog } from '../features/settings/settings-dialog'
import { EmptyTrashDialog } from '../features/trash/empty-trash-dialog'
import { useStores } from '../stores/stores-context'

export function Dialogs(props: {
  mac: boolean
  /** A session was opened: the keyboard goes there. */
  onOpened(): void
  onFocusLost(): void
}) {
  const { mac, onOpened, onFocusLost } = props
  const stores = useStores()
  const open = useStore(stores.dialogs, state => state.open)
  if (!open) return null
  switch (open.kind) {
    case 'reroot':
      return <RerootDialog subject={open.subject} to={open.to ?? null} onFocusLost={onFocusLost} />
    case 'delete':
      return <DeleteDialog plan={open.plan} onFocusLost={onFocusLost} />
    case 'empty-trash':
      return <EmptyTrashDialog items={open.items} all={open.all} onFocusLost={onFocusLost} />
    case 'move':
      return <MoveDialog sessions={open.sessions} onFocusLost={onFocusLost} />
    case 'fork':
      return <ForkDialog session={open.session} entry={open.entry} onFocusLost={onFocusLost} />
    case 'label':
      return <LabelDialog {...open} onFocusLost={onFocusLost} />
    case 'maybe-in-use':
      return <MaybeDialog maybe={open.maybe} act={open.act} apply={open.apply} onFocusLost={onFocusLost} />
    case 'search':
      return (
        <SearchBox sessionsOnly={open.sessionsOnly} mac={mac} onOpened={onOpened} onFocusLost={onFocusLost} />
      )
    case 'settings':
      return <SettingsDialog onFocusLost={onFocusLost} />
    case 'shortcuts':
      return <ShortcutsDialog mac={mac} onFocusLost={onFocusLost} />
    case 'about':
      return <AboutDialog onFocusLost={onFocusLost} />
    default:
      return open satisfies never
  }
}
