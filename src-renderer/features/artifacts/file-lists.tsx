/** Files as a table, subagents as a tree, pictures as a grid. */
// biome-ignore-all lint/a11y/useSemanticElements: cells of a virtual grid
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row
import type { ArtifactView, BlobView } from '@shared/ipc/models/session-models'
import {
  Braces,
  FileDiff,
  FileQuestion,
  FileText,
  Image,
  ImageOff,
  type LucideIcon,
  MessagesSquare,
  SquareTerminal,
  StickyNote,
  Users,
} from 'lucide-react'
import { useState } from 'react'
import { useStores } from '../../stores/stores-context'
import { formatAge, formatBytes, formatExact } from '../../ui/format'
import { KIND_NAMES, outermost } from './artifact-words'
import { useArtifactActs, useFileMenu } from './use-artifact-acts'
import { VirtualRows } from './virtual-rows'

const ICONS: Readonly<Record<ArtifactView['kind'], LucideIcon>> = {
  output: SquareTerminal,
  subagent: Users,
  advisor: MessagesSquare,
  document: FileText,
  data: Braces,
  patch: FileDiff,
  local: StickyNote,
  draft: StickyNote,
  other: FileQuestion,
}

type ListProps = {
  files: readonly ArtifactView[]
  chosen: string | null
  onChoose: (file: ArtifactView) => void
}

/** Time and size columns of both lists. */
function Facts({ file }: { file: ArtifactView }) {
  return (
    <>
      <span role="gridcell" className="ar-num">
        {formatBytes(file.bytes)}
      </span>
      <span role="gridcell" className="ar-num ar-time" title={formatExact(file.time)}>
        {file.time === null ? '' : formatAge(file.time, Date.now())}
      </span>
      <span role="gridcell" className="ar-made">
        <MadeBy ordinal={file.madeBy} />
      </span>
    </>
  )
}

/** Way to the entry that made a file. */
export function MadeBy({ ordinal }: { ordinal: number | null }) {
  const { session } = useStores()
  if (ordinal === null) return null
  return (
    <button
      type="button"
      className="ar-jump"
      title="Show the entry that made it"
      onClick={event => {
        event.stopPropagation()
        void session.getState().readAt(ordinal)
      }}
    >
      Entry {ordinal + 1}
    </button>
  )
}

export function FileTable({ files, chosen, onChoose }: ListProps) {
  const menu = useFileMenu()
  const { open } = useArtifactActs()
  const shown = files.find(file => file.ref === chosen)
  return (
    <>
      <div className="ar-head ar-cols" aria-hidden>
        <span>Name</span>
        <span className="ar-kind">Kind</span>
        <span className="ar-num">Size</span>
        <span className="ar-num ar-time">Changed</span>
        <span className="ar-made">Made by</span>
      </div>
      <VirtualRows
        label="Files"
        count={files.length}
        chosen={files.findIndex(file => file.ref === chosen)}
        rowKey={row => files[row]?.ref ?? ''}
        onChoose={row => files[row] && onChoose(files[row])}
        onEnter={row => files[row] && void open(files[row].ref)}
        menu={() => menu(shown)}
        cells={row => {
          const file = files[row]
          if (!file) return null
          const Icon = ICONS[file.kind]
          return (
            <div className="ar-cols" role="presentation">
              <span role="gridcell" className="ar-name">
                <Icon aria-hidden size={15} />
                <span className="u-cut" title={file.name}>
                  {file.name}
                </span>
                {file.detail !== null && <span className="u-cut u-faint ar-detail">{file.detail}</span>}
              </span>
              <span role="gridcell" className="ar-kind">
                {KIND_NAMES[file.kind]}
              </span>
              <Facts file={file} />
            </div>
          )
        }}
      />
    </>
  )
}

export function SubagentTree({ files, chosen, onChoose }: ListProps) {
  const { session } = useStores()
  const menu = useFileMenu()
  const shown = files.find(file => file.ref === chosen)
  const top = outermost(files)
  return (
    <>
      <div className="ar-head ar-cols" aria-hidden>
        <span>Subagent</span>
        <span className="ar-kind">Kind</span>
        <span className="ar-num">Size</span>
        <span className="ar-num ar-time">Changed</span>
        <span className="ar-made">Started by</span>
      </div>
      <VirtualRows
        label="Subagents"
        count={files.length}
        chosen={files.findIndex(file => file.ref === chosen)}
        level={row => (files[row]?.depth ?? top) - top + 1}
        rowKey={row => files[row]?.ref ?? ''}
        onChoose={row => files[row] && onChoose(files[row])}
        onEnter={row => {
          const ref = files[row]?.session
          if (ref != null) void session.getState().openFrom(ref)
        }}
        menu={() => menu(shown)}
        cells={row => {
          const file = files[row]
          if (!file) return null
          const Icon = ICONS[file.kind]
          return (
            <div className="ar-cols" role="presentation">
              <span role="gridcell" className="ar-name" style={{ paddingLeft: (file.depth - top) * 20 }}>
                <Icon aria-hidden size={15} />
                <span className="u-cut" title={file.name}>
                  {agentName(file.name)}
                </span>
                {file.detail !== null && <span className="u-cut u-faint ar-detail">{file.detail}</span>}
              </span>
              <span role="gridcell" className="ar-kind">
                {KIND_NAMES[file.kind]}
              </span>
              <Facts file={file} />
            </div>
          )
        }}
      />
    </>
  )
}

/** Last part of the path, without its ending: the directories are told by the tree. */
function agentName(name: string): string {
  return (name.split('/').pop() ?? name).replace(/\.jsonl$/, '')
}

export function PictureGrid(props: {
  blobs: readonly BlobView[]
  chosen: string | null
  onChoose: (blob: BlobView) => void
}) {
  return (
    <ul className="ar-pictures" aria-label="Pictures">
      {props.blobs.map(blob => (
        <li key={blob.hash}>
          <button
            type="button"
            className={props.chosen === blob.hash ? 'ar-picture ar-on' : 'ar-picture'}
            aria-pressed={props.chosen === blob.hash}
            onClick={() => props.onChoose(blob)}
          >
            <Thumb blob={blob} />
            <span className="u-hidden">
              {blob.missing ? 'Picture, ' : `Picture, ${blob.mimeType ?? 'unknown type'}, `}
            </span>
            <span className="ar-caption">
              {blob.missing ? 'missing' : blob.bytes === null ? 'size unknown' : formatBytes(blob.bytes)}
              {blob.uses > 1 && `, used ${blob.uses} times`}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function Thumb({ blob }: { blob: BlobView }) {
  const [failed, setFailed] = useState(false)
  if (blob.url === null || blob.missing || failed) {
    return (
      <span className={blob.missing ? 'ar-thumb ar-gone' : 'ar-thumb'}>
        {blob.missing ? <ImageOff aria-hidden size={22} /> : <Image aria-hidden size={22} />}
      </span>
    )
  }
  return (
    <span className="ar-thumb">
      <img src={blob.url} alt="" loading="lazy" onError={() => setFailed(true)} />
    </span>
  )
}
