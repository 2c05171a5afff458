/** The artifacts tab: files beside the session, its subagents as a tree, its pictures, and a preview. */
import type { ArtifactsView as Artifacts } from '@shared/ipc/models/session-models'
import { Eye, Paperclip, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { errorHeading } from '../../commands/error-text'
import { artifactsStoreOf } from '../../stores/session-views-stores'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { formatBytes, formatCount } from '../../ui/format'
import { Bone, EmptyState, ErrorState } from '../../ui/states'
import { firstPart, type Part, partsOf } from './artifact-words'
import { FileTable, PictureGrid, SubagentTree } from './file-lists'
import { FilePreview, PicturePreview } from './preview-pane'
import './artifacts.css'
import './preview.css'

/** Needs no props: the stores say which session. */
export function ArtifactsView() {
  const { client, session } = useStores()
  const store = artifactsStoreOf(client)
  const ref = useStore(session, state => state.ref)
  const data = useStore(store, state => state.data)
  const loaded = useStore(store, state => state.session)
  useEffect(() => {
    if (ref !== null) store.getState().show(ref)
  }, [store, ref])
  if (ref === null) return null
  if (loaded !== ref || data.state === 'loading') {
    return (
      <div className="ar-loading" aria-busy="true">
        <p className="u-hidden">Loading the artifacts</p>
        {[58, 42, 64, 50].map(width => (
          <Bone key={width} width={`${width}%`} height={12} />
        ))}
      </div>
    )
  }
  if (data.state === 'error') {
    return (
      <ErrorState
        icon={<TriangleAlert aria-hidden />}
        title={errorHeading(data.error.code)}
        text={data.error.message}
        actions={<Button onClick={() => store.getState().reload()}>Try again</Button>}
      />
    )
  }
  if (data.value.files.length === 0 && data.value.blobs.length === 0) {
    return (
      <EmptyState icon={<Paperclip aria-hidden />} title="No artifacts">
        Long tool outputs, subagents, documents and pictures of a session are kept beside it. This one has
        none.
      </EmptyState>
    )
  }
  return <Lists key={ref} view={data.value} />
}

const PART_NAMES: Readonly<Record<Part, string>> = {
  files: 'Files',
  subagents: 'Subagents',
  pictures: 'Pictures',
}

const PART_ONE: Readonly<Record<Part, string>> = {
  files: 'a file',
  subagents: 'a subagent',
  pictures: 'a picture',
}

function Lists({ view }: { view: Artifacts }) {
  const [part, setPart] = useState<Part>(() => firstPart(view))
  const [chosen, setChosen] = useState<string | null>(null)
  const { files, subagents } = partsOf(view)
  const counts: Readonly<Record<Part, number>> = {
    files: files.length,
    subagents: subagents.length,
    pictures: view.blobs.length,
  }
  const parts: readonly Part[] = ['files', 'subagents', 'pictures']
  const file = part === 'pictures' ? undefined : view.files.find(one => one.ref === chosen)
  const blob = part === 'pictures' ? view.blobs.find(one => one.hash === chosen) : undefined
  const close = () => setChosen(null)
  return (
    <section className="ar-view" aria-label="Artifacts">
      <div className="ar-toolbar">
        <fieldset className="ar-seg">
          <legend className="u-hidden">What is listed</legend>
          {parts
            .filter(one => counts[one] > 0 || one === part)
            .map(one => (
              <label key={one} className={one === part ? 'ar-seg-on' : undefined}>
                <input
                  type="radio"
                  name="artifact-part"
                  className="u-hidden"
                  checked={one === part}
                  onChange={() => {
                    setPart(one)
                    setChosen(null)
                  }}
                />
                {PART_NAMES[one]} <span className="u-num">{formatCount(counts[one])}</span>
              </label>
            ))}
        </fieldset>
        <span className="u-grow" />
        {view.bytes > 0 && <span className="u-muted u-num">{formatBytes(view.bytes)}</span>}
        {view.directory !== null && (
          <span className="u-mono u-faint u-cut u-text ar-dir" title={view.directory}>
            {view.directory}
          </span>
        )}
      </div>
      <div className={file || blob ? 'ar-body ar-chosen' : 'ar-body'}>
        <div className="ar-list">
          {part === 'files' && (
            <FileTable files={files} chosen={chosen} onChoose={one => setChosen(one.ref)} />
          )}
          {part === 'subagents' && (
            <SubagentTree files={subagents} chosen={chosen} onChoose={one => setChosen(one.ref)} />
          )}
          {part === 'pictures' && (
            <PictureGrid blobs={view.blobs} chosen={chosen} onChoose={one => setChosen(one.hash)} />
          )}
        </div>
        {file && <FilePreview file={file} onClose={close} />}
        {blob && <PicturePreview blob={blob} onClose={close} />}
        {/* The pane keeps its place, so that a second click does not land in it. */}
        {!file && !blob && (
          <div className="ar-pane ar-hint">
            <EmptyState icon={<Eye aria-hidden />} title="Preview">
              Choose {PART_ONE[part]} on the left to see what it holds.
            </EmptyState>
          </div>
        )}
      </div>
    </section>
  )
}
