/** The files that a session changed, as its tool calls tell. Each leads to its entries, and to the other sessions that touched it. */
import type { TouchedFile } from '@shared/ipc/models/search-models'
import { visibleText } from '@shared/session/text'
import { FilePen, FilePlus, FileSymlink, FileX, type LucideIcon, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { errorLine } from '../../commands/error-text'
import { showTouched } from '../../commands/flows/search-flows'
import { filesStoreOf } from '../../stores/session-views-stores'
import { useStores } from '../../stores/stores-context'
import { Button, IconButton } from '../../ui/button'
import { countOf, formatExact } from '../../ui/format'

/** Files that are listed at first: those that were changed most. */
const FIRST = 12

const ICONS: Readonly<Record<TouchedFile['how'], LucideIcon>> = {
  write: FilePlus,
  edit: FilePen,
  delete: FileX,
  move: FileSymlink,
}
const WORDS: Readonly<Record<TouchedFile['how'], string>> = {
  write: 'written',
  edit: 'edited',
  delete: 'deleted',
  move: 'moved',
}

export function Files({ session }: { session: string }) {
  const { client } = useStores()
  const store = filesStoreOf(client)
  const data = useStore(store, state => state.data)
  const loaded = useStore(store, state => state.session)
  const [all, setAll] = useState(false)
  useEffect(() => store.getState().show(session), [store, session])
  const files = loaded === session && data.state === 'ready' ? data.value : null
  return (
    <section className="de-block" aria-label="Files touched">
      <h2>Files touched</h2>
      {files === null ? (
        data.state === 'error' ? (
          <p className="de-bad">{errorLine(data.error)}</p>
        ) : (
          <p className="u-faint">Looking for files…</p>
        )
      ) : files.length === 0 ? (
        <p className="u-muted">No call of a tool changed a file. What shell commands change is not known.</p>
      ) : (
        <>
          <ul className="de-family">
            {files.slice(0, all ? files.length : FIRST).map(file => (
              <li key={file.path} className="de-file">
                <File file={file} />
              </li>
            ))}
          </ul>
          {files.length > FIRST && !all ? (
            <Button look="quiet" onClick={() => setAll(true)}>
              Show all {countOf(files.length, 'file')}
            </Button>
          ) : null}
        </>
      )}
    </section>
  )
}

function File({ file }: { file: TouchedFile }) {
  const stores = useStores()
  const { path, count, how, ordinals, time } = file
  const Icon = ICONS[how]
  const last = ordinals.at(-1)
  const shown = visibleText(path)
  return (
    <>
      <button
        type="button"
        className="de-file-line"
        title={`${shown}\nShow the last change`}
        disabled={last === undefined}
        onClick={() => {
          if (last !== undefined) void stores.session.getState().readAt(last)
        }}
      >
        <Icon aria-hidden />
        <span className="de-file-path u-mono u-cut">{shown}</span>
        <span className="de-file-note u-num">
          {countOf(count, 'change')}, last {WORDS[how]}
        </span>
        <span className="u-hidden">{formatExact(time)}</span>
      </button>
      <IconButton label={`Sessions that touched ${shown}`} onClick={() => showTouched(stores, path)}>
        <Search aria-hidden />
      </IconButton>
    </>
  )
}
