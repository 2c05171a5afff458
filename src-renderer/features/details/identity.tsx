/** Which session this is: id, file, folder, who has it, previous places. */
import type { SessionDetails } from '@shared/ipc/models/session-models'
import { visiblePath } from '@shared/session/text'
import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { readyValue } from '../../stores/async'
import { useStores } from '../../stores/stores-context'
import { IconButton } from '../../ui/button'
import { formatExact } from '../../ui/format'
import { Badge } from '../../ui/status-mark'

/** Time (ms) a button says that its text was copied. */
const SAID_MS = 1500

export function Identity({ details }: { details: SessionDetails }) {
  const { session } = useStores()
  const outside = useStore(session, state => readyValue(state.view)?.outside ?? null)
  const use = useStore(session, state => state.use)
  return (
    <section className="de-block" aria-label="Identity">
      <h2>Identity</h2>
      <dl className="de-list">
        <Fact name="Id">
          {details.id === null ? (
            <span className="u-faint">none in the file</span>
          ) : (
            <CopyText text={details.id} what="id" />
          )}
        </Fact>
        <Fact name="File">
          <CopyText text={details.file} what="path" />
          {outside === null ? null : (
            <Badge tone="plain" title={`Opened from ${visiblePath(outside)}`}>
              not in the library
            </Badge>
          )}
        </Fact>
        <Fact name="Folder">
          {details.cwd === null ? (
            <span className="u-faint">unknown: the header names none</span>
          ) : (
            <CopyText text={details.cwd} what="folder" />
          )}
        </Fact>
        {details.additionalDirectories.length > 0 && (
          <Fact name="Also">
            <PathList paths={details.additionalDirectories} />
          </Fact>
        )}
        <Fact name="Created">
          <span className="u-text u-num">{formatExact(details.created)}</span>
        </Fact>
        <Fact name="Last activity">
          <span className="u-text u-num">{formatExact(details.lastActivity)}</span>
        </Fact>
        <Fact name="Format">
          Version {details.version}
          {details.hasSlot ? ', with a title slot' : ', without a title slot'}
        </Fact>
        <Fact name="In use">
          {use === null ? (
            <span className="u-faint">Looking…</span>
          ) : (
            <span className="u-text">{use.text ?? 'No program is known to have it.'}</span>
          )}
        </Fact>
        {details.previousFiles.length > 0 && (
          <Fact name="Was at">
            <PathList paths={details.previousFiles} />
          </Fact>
        )}
      </dl>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function PathList({ paths }: { paths: readonly string[] }) {
  return (
    <ul className="de-links">
      {paths.map(path => (
        <li key={path} className="u-mono u-text de-path">
          {visiblePath(path)}
        </li>
      ))}
    </ul>
  )
}

function CopyText({ text, what }: { text: string; what: string }) {
  const { client } = useStores()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    const result = await client.call('app.copyText', { text })
    if (result.ok) setCopied(true)
  }
  return (
    <span className="de-copy">
      <span className="u-mono u-text de-path">{visiblePath(text)}</span>
      <IconButton label={copied ? 'Copied' : `Copy ${what}`} onClick={() => void copy()}>
        {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      </IconButton>
    </span>
  )
}
