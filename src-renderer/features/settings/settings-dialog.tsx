/** Settings: theme, folders with sessions, and where Grove keeps its own data. */
import type { ThemeChoice } from '@shared/ipc/models/app-models'
import type { RootView } from '@shared/ipc/models/library-models'
import { FolderPlus, HardDrive, Monitor, Moon, Sun, TriangleAlert, X } from 'lucide-react'
import { useStore } from 'zustand'
import { errorLine } from '../../commands/error-text'
import { addRoot, tellFailure } from '../../commands/flows/session-flows'
import { readyValue } from '../../stores/async'
import { useStores } from '../../stores/stores-context'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { countOf, formatBytes } from '../../ui/format'
import { Note } from '../../ui/states'
import { Badge } from '../../ui/status-mark'
import './settings.css'

const THEMES: readonly { theme: ThemeChoice; text: string; icon: typeof Sun }[] = [
  { theme: 'system', text: 'System', icon: Monitor },
  { theme: 'light', text: 'Light', icon: Sun },
  { theme: 'dark', text: 'Dark', icon: Moon },
]

export function SettingsDialog({ onFocusLost }: { onFocusLost(): void }) {
  const stores = useStores()
  const settings = useStore(stores.settings, state => state.settings)
  const info = useStore(stores.settings, state => state.info)
  const error = useStore(stores.settings, state => state.error)
  const snapshot = readyValue(useStore(stores.library, state => state.snapshot))
  const close = () => stores.dialogs.getState().close()
  return (
    <Dialog
      title="Settings"
      onClose={close}
      onFocusLost={onFocusLost}
      footer={
        <Button look="primary" onClick={close}>
          Done
        </Button>
      }
    >
      {error ? (
        <div role="alert">
          <Note tone="bad" icon={<TriangleAlert aria-hidden />}>
            {errorLine(error)}
          </Note>
        </div>
      ) : null}
      <fieldset className="set-part">
        <legend className="set-legend">Theme</legend>
        <div className="set-themes">
          {THEMES.map(({ theme, text, icon: Icon }) => (
            <label key={theme} className={settings.theme === theme ? 'set-theme set-on' : 'set-theme'}>
              <input
                type="radio"
                name="theme"
                className="u-hidden"
                checked={settings.theme === theme}
                onChange={() => void stores.settings.getState().set({ theme })}
              />
              <Icon aria-hidden />
              {text}
            </label>
          ))}
        </div>
      </fieldset>
      <section className="set-part" aria-labelledby="set-roots">
        <h3 id="set-roots" className="set-legend">
          Folders with sessions
        </h3>
        <ul className="set-roots">
          {(snapshot?.roots ?? []).map(root => (
            <Root key={root.ref} root={root} />
          ))}
        </ul>
        {info?.onlyAgentDir ? (
          <p className="u-muted">
            This window was started for <span className="u-mono u-text">{info.onlyAgentDir}</span> only.
          </p>
        ) : (
          <div>
            <Button onClick={() => void addRoot(stores)}>
              <FolderPlus aria-hidden />
              Add a folder…
            </Button>
          </div>
        )}
      </section>
      <section className="set-part" aria-labelledby="set-data">
        <h3 id="set-data" className="set-legend">
          Grove’s own data
        </h3>
        <p className="u-muted">
          Settings, recent changes and caches are kept in{' '}
          <span className="u-mono u-text set-path">{info?.dataDir ?? 'an unknown place'}</span>. Nothing
          leaves this computer.
        </p>
      </section>
      {info ? (
        <section className="set-part" aria-labelledby="set-runtime">
          <h3 id="set-runtime" className="set-legend">
            Program
          </h3>
          <p className="u-muted u-text">
            Grove {info.version}, Electron {info.electron}, Chromium {info.chrome}, Node.js {info.node}
          </p>
          {info.oldRuntime ? (
            <Note icon={<TriangleAlert aria-hidden />}>
              This is an old runtime for closed networks. WebP pictures are not decoded on it.
            </Note>
          ) : null}
        </section>
      ) : null}
    </Dialog>
  )
}

function rootFacts(root: RootView): string {
  if (root.state === 'absent') return 'Not there yet. It is looked for again and again.'
  if (root.state === 'unreadable') return root.note ?? 'It cannot be read.'
  return [`${countOf(root.sessions, 'session')}, ${formatBytes(root.bytes)}`, root.note]
    .filter(Boolean)
    .join('. ')
}

function Root({ root }: { root: RootView }) {
  const stores = useStores()
  const remove = async () => {
    await tellFailure(stores, stores.client.call('settings.removeRoot', { root: root.ref }))
    void stores.library.getState().refresh()
    void stores.list.getState().refresh()
  }
  return (
    <li className="set-root">
      <HardDrive aria-hidden />
      <div className="u-grow">
        <p className="set-root-name">
          <b>{root.name}</b>
          {root.readOnly ? <Badge tone="plain">read-only</Badge> : null}
          {root.state === 'unreadable' ? <Badge tone="bad">unreadable</Badge> : null}
        </p>
        <p className="u-mono u-text set-path">{root.agentDir}</p>
        <p className="u-muted u-num">{rootFacts(root)}</p>
      </div>
      {root.kind === 'added' ? (
        <IconButton label={`Remove ${root.name} from Grove`} onClick={() => void remove()}>
          <X aria-hidden />
        </IconButton>
      ) : null}
    </li>
  )
}
