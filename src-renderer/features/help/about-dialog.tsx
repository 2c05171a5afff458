/** What this program is, and what runs it. */
import { TriangleAlert } from 'lucide-react'
import { useStore } from 'zustand'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Note } from '../../ui/states'
import './help.css'

export function AboutDialog({ onFocusLost }: { onFocusLost(): void }) {
  const stores = useStores()
  const info = useStore(stores.settings, state => state.info)
  const close = () => stores.dialogs.getState().close()
  const lines = info
    ? [
        ['Version', info.version],
        ['Electron', info.electron],
        ['Chromium', info.chrome],
        ['Node.js', info.node],
        ['System', info.platform],
        ['Data', info.dataDir],
      ]
    : []
  return (
    <Dialog
      title="About Grove"
      description="The session history of the Oh My Pi coding agent. MIT licence. No network at all."
      size="small"
      onClose={close}
      onFocusLost={onFocusLost}
      footer={
        <Button look="primary" onClick={close}>
          Close
        </Button>
      }
    >
      <dl className="help-about u-text">
        {lines.map(([name, value]) => (
          <div key={name} className="help-line">
            <dt className="u-muted">{name}</dt>
            <dd className="help-value">{value}</dd>
          </div>
        ))}
      </dl>
      {info?.oldRuntime ? (
        <Note icon={<TriangleAlert aria-hidden />}>
          This is an old runtime for closed networks. WebP pictures are not decoded on it.
        </Note>
      ) : null}
    </Dialog>
  )
}
