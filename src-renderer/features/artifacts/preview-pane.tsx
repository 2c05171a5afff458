/** The chosen artifact or picture: what it holds, and what can be done with it. */
import type { ArtifactPreview, ArtifactView, BlobView } from '@shared/ipc/models/session-models'
import {
  ArrowUpRight,
  Copy,
  Download,
  ExternalLink,
  FolderOpen,
  ImageOff,
  TriangleAlert,
  Users,
  X,
} from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { errorHeading } from '../../commands/error-text'
import { type Async, LOADING, settled } from '../../stores/async'
import { useStores } from '../../stores/stores-context'
import { Button, IconButton } from '../../ui/button'
import { formatBytes } from '../../ui/format'
import { Bone, EmptyState, ErrorState } from '../../ui/states'
import { KIND_NAMES } from './artifact-words'
import { MadeBy } from './file-lists'
import { PreviewBody } from './preview-body'
import { useArtifactActs } from './use-artifact-acts'

export function FilePreview({ file, onClose }: { file: ArtifactView; onClose: () => void }) {
  const { client, session } = useStores()
  const { open, reveal, copyShown, saveAs } = useArtifactActs()
  const artifact = file.ref
  const [preview, setPreview] = useState<{ ref: string; data: Async<ArtifactPreview> } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a file that changed is read again
  useEffect(() => {
    // A subagent's journal is read as a session, not as text.
    if (file.session !== null) return
    const abort = new AbortController()
    void client.call('artifact.preview', { artifact }, { signal: abort.signal }).then(result => {
      if (!abort.signal.aborted) setPreview({ ref: artifact, data: settled(result) })
    })
    return () => abort.abort()
  }, [client, artifact, file.session, file.bytes, file.time])
  const data = preview?.ref === artifact ? preview.data : LOADING
  const text = data.state === 'ready' && data.value.text !== '' ? data.value : null
  const agent = file.session
  return (
    <Pane
      name={file.name}
      facts={`${KIND_NAMES[file.kind]}, ${formatBytes(file.bytes)}`}
      jump={file.madeBy}
      onClose={onClose}
      actions={
        <>
          {agent !== null && (
            <Button look="primary" onClick={() => void session.getState().openFrom(agent)}>
              <ArrowUpRight aria-hidden /> Open session
            </Button>
          )}
          {agent === null && (
            <IconButton label="Open with its program" onClick={() => void open(artifact)}>
              <ExternalLink aria-hidden />
            </IconButton>
          )}
          <IconButton label="Show in file manager" onClick={() => void reveal(artifact)}>
            <FolderOpen aria-hidden />
          </IconButton>
          {agent === null && (
            <IconButton
              label={text?.cut ? 'Copy the shown text' : 'Copy text'}
              disabled={text === null}
              onClick={() => text && void copyShown(text)}
            >
              <Copy aria-hidden />
            </IconButton>
          )}
          <IconButton label="Save as..." onClick={() => void saveAs(artifact)}>
            <Download aria-hidden />
          </IconButton>
        </>
      }
    >
      {agent !== null && (
        <EmptyState icon={<Users aria-hidden />} title={`${KIND_NAMES[file.kind]} session`}>
          {file.detail ?? 'It has a transcript, branches and artifacts of its own.'}
        </EmptyState>
      )}
      {agent === null && data.state === 'loading' && <Loading />}
      {data.state === 'error' && (
        <ErrorState
          icon={<TriangleAlert aria-hidden />}
          title={errorHeading(data.error.code)}
          text={data.error.message}
        />
      )}
      {data.state === 'ready' && (
        <>
          <PreviewBody preview={data.value} />
          {data.value.cut && (
            <p className="ar-cut">
              The start of {formatBytes(data.value.bytes)}. Open or save it for the rest.
            </p>
          )}
        </>
      )}
    </Pane>
  )
}

export function PicturePreview({ blob, onClose }: { blob: BlobView; onClose: () => void }) {
  const facts = [blob.mimeType ?? 'type unknown', blob.bytes === null ? null : formatBytes(blob.bytes)]
  return (
    <Pane
      name={`${blob.hash.slice(0, 16)}...`}
      facts={facts.filter(fact => fact !== null).join(', ')}
      jump={blob.ordinal}
      onClose={onClose}
      actions={null}
    >
      {blob.url === null || blob.missing ? (
        <EmptyState icon={<ImageOff aria-hidden />} title={blob.missing ? 'Missing' : 'Not shown'}>
          {blob.missing
            ? 'The session refers to this picture, but the blob store does not hold it.'
            : 'Pictures of this type are not shown.'}
          <p className="u-mono u-text">{blob.hash}</p>
        </EmptyState>
      ) : (
        <div className="ar-image">
          <img src={blob.url} alt={`${blob.mimeType ?? 'Picture'} of this session`} />
        </div>
      )}
    </Pane>
  )
}

function Pane(props: {
  name: string
  facts: string
  jump: number | null
  actions: ReactNode
  onClose: () => void
  children: ReactNode
}) {
  return (
    <section className="ar-pane" aria-label={`Preview of ${props.name}`}>
      <div className="ar-pane-head">
        <div className="ar-pane-name">
          <b className="u-cut u-text" title={props.name}>
            {props.name}
          </b>
          <span className="ar-pane-facts u-num">
            {props.facts}
            <MadeBy ordinal={props.jump} />
          </span>
        </div>
        {props.actions}
        <IconButton label="Close preview" onClick={props.onClose}>
          <X aria-hidden />
        </IconButton>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="ar-pane-body" tabIndex={0} aria-label="Content">
        {props.children}
      </section>
    </section>
  )
}

function Loading() {
  return (
    <div className="ar-loading" aria-busy="true">
      <Bone width="72%" />
      <Bone width="50%" />
      <Bone width="64%" />
    </div>
  )
}
