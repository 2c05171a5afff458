/** Forks a session: what the new one will hold, with or without its artifacts, and how to go on in omp. */
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'

export function ForkDialog({
  entry,
  onFocusLost,
}: {
  session: string
  entry: number | null
  onFocusLost(): void
}) {
  const stores = useStores()
  const close = () => stores.dialogs.getState().close()
  return (
    <Dialog
      title={entry === null ? 'Fork this session' : 'Fork from this entry'}
      onClose={close}
      onFocusLost={onFocusLost}
      footer={<Button onClick={close}>Cancel</Button>}
    />
  )
}
