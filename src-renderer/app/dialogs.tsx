/** The dialog that is open, if one is. */
import { useStore } from 'zustand'
import { DeleteDialog } from '../features/delete/delete-dialog'
import { AboutDialog } from '../features/help/about-dialog'
import { ShortcutsDialog } from '../features/help/shortcuts-dialog'
import { RerootDialog } from '../features/reroot/reroot-dialog'
import { SettingsDialog } from '../features/settings/settings-dialog'
import { EmptyTrashDialog } from '../features/trash/empty-trash-dialog'
import { useStores } from '../stores/stores-context'

export function Dialogs({ mac, onFocusLost }: { mac: boolean; onFocusLost(): void }) {
  const stores = useStores()
  const open = useStore(stores.dialogs, state => state.open)
  if (!open) return null
  switch (open.kind) {
    case 'reroot':
      return <RerootDialog subject={open.subject} onFocusLost={onFocusLost} />
    case 'delete':
      return <DeleteDialog plan={open.plan} onFocusLost={onFocusLost} />
    case 'empty-trash':
      return <EmptyTrashDialog items={open.items} all={open.all} onFocusLost={onFocusLost} />
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
