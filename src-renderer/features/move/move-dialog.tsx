/** Moves sessions to another folder or agent directory. */
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { countOf } from '../../ui/format'

export function MoveDialog({ sessions, onFocusLost }: { sessions: readonly string[]; onFocusLost(): void }) {
  const stores = useStores()
  const close = () => stores.dialogs.getState().close()
  return (
    <Dialog
      title={`Move ${countOf(sessions.length, 'session')}`}
      onClose={close}
      onFocusLost={onFocusLost}
      footer={<Button onClick={close}>Close</Button>}
    />
  )
}
