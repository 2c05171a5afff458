/** Asks before trash is deleted for good, with exactly what goes. */
import type { TrashItem } from '@shared/ipc/models/change-models'
import type { AppError } from '@shared/ipc/result'
import { Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { errorLine } from '../../commands/error-text'
import { emptyTrash } from '../../commands/flows/change-flows'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { Facts } from '../../ui/change-parts'
import { Dialog } from '../../ui/dialog'
import { countOf, formatBytes, formatCount } from '../../ui/format'
import { Note, ProgressBar } from '../../ui/states'

export function EmptyTrashDialog(props: { items: TrashItem[]; all: boolean; onFocusLost(): void }) {
  const { items, all, onFocusLost } = props
  const stores = useStores()
  const [work, setWork] = useState<{ done: number; total: number; text: string } | null>(null)
  const [error, setError] = useState<AppError | null>(null)
  const abort = useRef<AbortController | null>(null)
  const close = () => stores.dialogs.getState().close()
  const sum = (pick: (item: TrashItem) => number) => items.reduce((total, item) => total + pick(item), 0)
  const sessions = countOf(items.length, 'session')

  const apply = async () => {
    abort.current = new AbortController()
    setError(null)
    setWork({ done: 0, total: items.length, text: '' })
    const result = await emptyTrash(
      stores,
      items.map(item => item.id),
      { signal: abort.current.signal, onProgress: setWork },
    )
    setWork(null)
    if (result.ok) close()
    else setError(result.error)
  }

  return (
    <Dialog
      title={all ? 'Empty the trash?' : `Delete ${sessions} for good?`}
      description="This cannot be undone. Pictures that other sessions use stay where they are."
      size="small"
      locked={work !== null}
      onClose={close}
      onFocusLost={onFocusLost}
      footer={
        <>
          <Button onClick={() => (work ? abort.current?.abort() : close())}>Cancel</Button>
          <Button look="danger" disabled={work !== null} onClick={() => void apply()}>
            <Trash2 aria-hidden />
            {all ? 'Empty trash' : `Delete ${sessions}`}
          </Button>
        </>
      }
    >
      <Facts
        facts={[
          { value: formatCount(items.length), text: items.length === 1 ? 'session' : 'sessions' },
          { value: formatCount(sum(item => item.files)), text: 'files' },
          { value: formatBytes(sum(item => item.bytes)), text: 'freed on the disk' },
        ]}
      />
      <p className="u-muted u-num">{formatCount(sum(item => item.bytes))} bytes exactly.</p>
      {work ? <ProgressBar label="Deleting" done={work.done} total={work.total} /> : null}
      {error ? (
        <div role="alert">
          <Note tone="bad">{errorLine(error)}</Note>
        </div>
      ) : null}
    </Dialog>
  )
}
