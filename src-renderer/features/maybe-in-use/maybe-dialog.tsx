/** Asks before a session is changed in whose folder an omp runs that nothing ties to one session. */
import type { MaybeInUse } from '@shared/ipc/models/change-models'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Note } from '../../ui/states'

export function MaybeDialog(props: {
  maybe: readonly MaybeInUse[]
  act: string
  apply(): Promise<void>
  onFocusLost(): void
}) {
  const { maybe, act, apply, onFocusLost } = props
  const stores = useStores()
  const [busy, setBusy] = useState(false)
  const close = () => stores.dialogs.getState().close()
  const submit = async () => {
    setBusy(true)
    await apply()
    close()
  }
  return (
    <Dialog
      title="This session may be in use"
      description="An omp that has it open stops saving when the file changes behind its back."
      size="small"
      locked={busy}
      onClose={close}
      onFocusLost={onFocusLost}
      footer={
        <>
          <span className="u-grow" />
          <Button onClick={close} disabled={busy} autoFocus>
            Cancel
          </Button>
          <Button look="primary" onClick={() => void submit()} disabled={busy}>
            {act} all the same
          </Button>
        </>
      }
    >
      {maybe.map(one => (
        <Note key={`${one.ref ?? ''}${one.text}`} icon={<TriangleAlert aria-hidden />}>
          <b className="u-text">{one.title}</b>
          <p className="u-text">{one.text}</p>
        </Note>
      ))}
    </Dialog>
  )
}
