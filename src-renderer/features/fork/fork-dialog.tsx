/** Forks a session: what the new one will hold, with or without its artifacts, and how to go on in omp. */
import type { ForkDone } from '@shared/ipc/models/manage-models'
import { Copy, GitFork, Info, TriangleAlert, Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { errorLine } from '../../commands/error-text'
import { showFork, tellReport, undoChange } from '../../commands/flows/change-flows'
import { copyText } from '../../commands/flows/session-flows'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { Facts } from '../../ui/change-parts'
import { Dialog } from '../../ui/dialog'
import { countOf, formatBytes, formatCount } from '../../ui/format'
import { Bone, Note, ProgressBar } from '../../ui/states'
import { artifactWeight, createForkStore, type ForkStore, type Previews } from './fork-store'
import './fork.css'

export function ForkDialog(props: { session: string; entry: string | null; onFocusLost(): void }) {
  const { session, entry, onFocusLost } = props
  const stores = useStores()
  const [store] = useState(() => createForkStore(stores.client, session, entry))
  const done = useStore(store, state => state.done)
  useEffect(() => void store.getState().look(), [store])
  return done ? (
    <Result done={done} onFocusLost={onFocusLost} />
  ) : (
    <Ask store={store} entry={entry} onFocusLost={onFocusLost} />
  )
}

function Ask(props: { store: ForkStore; entry: string | null; onFocusLost(): void }) {
  const { store, entry, onFocusLost } = props
  const stores = useStores()
  const { previews, work, error } = useStore(store)
  const close = () => stores.dialogs.getState().close()
  const fork = async () => {
    const done = await store.getState().fork()
    if (done) await showFork(stores, done.session)
  }
  return (
    <Dialog
      title={entry === null ? 'Fork this session' : 'Fork from this entry'}
      description={
        entry === null
          ? 'A new session with everything in it. The present one stays as it is.'
          : 'A new session with the path to this entry. The present one stays as it is.'
      }
      locked={work !== null}
      onClose={close}
      onFocusLost={onFocusLost}
      onSubmit={() => void fork()}
      footer={
        work ? (
          <>
            <span className="dlg-foot-note">{work.text || 'Copying'}</span>
            <Button onClick={() => store.getState().cancel()}>Cancel</Button>
          </>
        ) : (
          <>
            <span className="dlg-foot-note">You can undo this in Recent changes.</span>
            <Button onClick={close}>Cancel</Button>
            <button type="submit" className="btn btn-primary" disabled={previews.state !== 'ready'}>
              <GitFork aria-hidden />
              Fork
            </button>
          </>
        )
      }
    >
      {previews.state === 'loading' ? (
        <div className="fork-bones" role="status" aria-label="Looking at what it would hold">
          <Bone width="100%" height={56} />
          <Bone width="60%" height={12} />
        </div>
      ) : null}
      {previews.state === 'error' ? <ErrorNote text={errorLine(previews.error)} /> : null}
      {previews.state === 'ready' ? <Preview store={store} previews={previews.value} /> : null}
      {work ? <ProgressBar label="Forking" done={work.done} total={work.total} /> : null}
      {error ? <ErrorNote text={errorLine(error)} /> : null}
    </Dialog>
  )
}

function Preview({ store, previews }: { store: ForkStore; previews: Previews }) {
  const withArtifacts = useStore(store, state => state.withArtifacts)
  const working = useStore(store, state => state.work !== null)
  const why = 'code' in previews.full ? previews.full : null
  const shown = withArtifacts && !('code' in previews.full) ? previews.full : previews.bare
  const weight = artifactWeight(previews)
  return (
    <>
      <Facts
        facts={[
          { value: formatCount(shown.entries), text: shown.entries === 1 ? 'entry' : 'entries' },
          { value: formatCount(shown.messages), text: shown.messages === 1 ? 'message' : 'messages' },
          {
            value: formatCount(shown.artifactFiles),
            text: shown.artifactFiles === 1 ? 'artifact file' : 'artifact files',
          },
          { value: shown.bytes === null ? 'not known yet' : formatBytes(shown.bytes), text: 'on the disk' },
        ]}
      />
      {weight === null || weight.files > 0 ? (
        <label className="fork-check">
          <input
            type="checkbox"
            checked={withArtifacts}
            disabled={working || weight === null}
            onChange={event => store.getState().setWithArtifacts(event.target.checked)}
          />
          Copy artifacts
          {weight === null ? null : ` (${countOf(weight.files, 'file')}${bytesOf(weight.bytes)})`}
        </label>
      ) : null}
      {why === null ? null : (
        <Note icon={<TriangleAlert aria-hidden />}>
          <span className="u-text">{errorLine(why)}</span>
        </Note>
      )}
      {shown.deadLinks > 0 ? (
        <Note icon={<TriangleAlert aria-hidden />}>
          {countOf(shown.deadLinks, 'artifact')} that its entries name will not be there.
        </Note>
      ) : null}
      {shown.notes.map(note => (
        <Note key={note} tone="plain" icon={<Info aria-hidden />}>
          <span className="u-text">{note}</span>
        </Note>
      ))}
    </>
  )
}

const bytesOf = (bytes: number | null) => (bytes === null ? '' : `, ${formatBytes(bytes)}`)

function ErrorNote({ text }: { text: string }) {
  return (
    <div role="alert">
      <Note tone="bad">{text}</Note>
    </div>
  )
}

/** What was made, and the command that goes on with it. */
function Result({ done, onFocusLost }: { done: ForkDone; onFocusLost(): void }) {
  const stores = useStores()
  const { report, resume } = done
  const close = () => stores.dialogs.getState().close()
  const finish = () => {
    close()
    // Told only now: behind a dialog nobody reaches a toast's Undo.
    tellReport(stores, { kind: 'fork' }, report)
  }
  return (
    <Dialog
      title="Forked"
      description="The new session is open behind this dialog."
      onClose={finish}
      onFocusLost={onFocusLost}
      footer={
        <>
          <span className="u-grow" />
          {report.changeId === null ? null : (
            <Button
              onClick={() => {
                close()
                if (report.changeId !== null) void undoChange(stores, report.changeId, 'fork')
              }}
            >
              <Undo2 aria-hidden />
              Undo
            </Button>
          )}
          <Button look="primary" onClick={finish} autoFocus>
            Done
          </Button>
        </>
      }
    >
      <p>Resume with:</p>
      <div className="fork-command">
        <code className="u-mono u-text">{resume.command}</code>
        <Button onClick={() => void copyText(stores, resume.command, 'Resume command')}>
          <Copy aria-hidden />
          Copy
        </Button>
      </div>
      {resume.note === null ? null : (
        <Note tone="plain" icon={<Info aria-hidden />}>
          <span className="u-text">{resume.note}</span>
        </Note>
      )}
      {report.notes.map(note => (
        <Note key={note} icon={<TriangleAlert aria-hidden />}>
          <span className="u-text">{note}</span>
        </Note>
      ))}
    </Dialog>
  )
}
