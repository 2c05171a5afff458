/** Asks before sessions are changed in whose folder an omp runs that nothing ties to one session. */
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
  const one = maybe.length === 1
  const close = () => stores.dialogs.getState().close()
  const submit = async () => {
    setBusy(true)
    await apply()
    close()
  }
  return (
    <Dialog
      title={one ? 'This session may be in use' : 'These sessions may be in use'}
      description={`An omp that has ${one ? 'it' : 'one of them'} open stops saving when the file changes behind its back.`}
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
      {[...titlesByReason(maybe)].map(([text, titles]) => (
        <Note key={text} icon={<TriangleAlert aria-hidden />}>
          <b className="u-text">{titles.join(', ')}</b>
          <p className="u-text">{text}</p>
        </Note>
      ))}
    </Dialog>
  )
}

/** What is true of several sessions is said once. */
function titlesByReason(maybe: readonly MaybeInUse[]): Map<string, string[]> {
  const titles = new Map<string, string[]>()
  for (const { title, text } of maybe) titles.set(text, [...(titles.get(text) ?? []), title])
  return titles
}
