/** What an artifact holds: text, Markdown, JSON, a patch, a picture, or the notice that it is binary. */
import type { ArtifactPreview } from '@shared/ipc/models/session-models'
import { FileQuestion } from 'lucide-react'
import { memo, useMemo } from 'react'
import { formatBytes } from '../../ui/format'
import { EmptyState } from '../../ui/states'
import { jsonSpans, patchLine, prettyJson, terminalText } from './artifact-words'
import { MarkdownPreview } from './markdown-preview'

/** JSON longer than this is shown without colours. */
const COLOURED_JSON = 60_000
/** Markdown longer than this is shown as text. */
const MARKDOWN_LIMIT = 150_000
/** Lines per chunk; chunks out of view are not laid out. */
const CHUNK_LINES = 200

export const PreviewBody = memo(function PreviewBody({ preview }: { preview: ArtifactPreview }) {
  switch (preview.kind) {
    case 'image':
      return preview.url === null ? (
        <Binary preview={preview} />
      ) : (
        <div className="ar-image">
          <img src={preview.url} alt={preview.name} />
        </div>
      )
    case 'binary':
      return <Binary preview={preview} />
    case 'markdown':
      return preview.text.length > MARKDOWN_LIMIT ? (
        <Lines text={preview.text} />
      ) : (
        <MarkdownPreview text={preview.text} />
      )
    case 'json':
      return <Json text={preview.text} />
    case 'patch':
      return <Patch text={preview.text} />
    case 'text':
      return <Lines text={terminalText(preview.text)} />
  }
})

function Binary({ preview }: { preview: ArtifactPreview }) {
  return (
    <EmptyState icon={<FileQuestion aria-hidden />} title="Not shown here">
      This file is not text ({formatBytes(preview.bytes)}). It can be shown in its folder or saved elsewhere.
    </EmptyState>
  )
}

function Lines({ text }: { text: string }) {
  const chunks = useMemo(() => {
    const lines = text.split('\n')
    const list: string[] = []
    for (let at = 0; at < lines.length; at += CHUNK_LINES)
      list.push(lines.slice(at, at + CHUNK_LINES).join('\n'))
    return list
  }, [text])
  return (
    <div className="ar-code u-text">
      {chunks.map((chunk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: chunks of one text never move
        <pre key={index}>{chunk}</pre>
      ))}
    </div>
  )
}

function Json({ text }: { text: string }) {
  const pretty = useMemo(() => prettyJson(text), [text])
  if (pretty.length > COLOURED_JSON) return <Lines text={pretty} />
  return (
    <div className="ar-code u-text">
      <pre>
        {jsonSpans(pretty).map((span, index) =>
          span.kind === 'plain' ? (
            span.text
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: spans of one text never move
            <span key={index} className={`ar-json-${span.kind}`}>
              {span.text}
            </span>
          ),
        )}
      </pre>
    </div>
  )
}

/** Lines of a patch that are coloured; the rest of a longer one is plain. */
const PATCH_LINES = 4000

function Patch({ text }: { text: string }) {
  const lines = useMemo(() => text.split('\n'), [text])
  return (
    <div className="ar-code ar-patch u-text">
      <pre>
        {lines.slice(0, PATCH_LINES).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one patch never move
          <span key={index} className={`ar-patch-${patchLine(line)}`}>
            {line}
            {'\n'}
          </span>
        ))}
      </pre>
      {lines.length > PATCH_LINES && <pre>{lines.slice(PATCH_LINES).join('\n')}</pre>}
    </div>
  )
}
