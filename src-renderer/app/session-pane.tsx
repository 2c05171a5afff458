/** The right pane: the open session's head and its five tabs. */
import { FileX, MousePointerClick, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { useCommands } from '../commands/context'
import { errorHeading } from '../commands/error-text'
import { ArtifactsView } from '../features/artifacts/artifacts-view'
import { BranchesView } from '../features/branches/branches-view'
import { DetailsView } from '../features/details/details-view'
import { DraftView } from '../features/draft/draft-view'
import { UnsavedText } from '../features/draft/unsaved-text'
import { TranscriptView } from '../features/transcript/transcript-view'
import { readyValue } from '../stores/async'
import { SESSION_TABS, type SessionTab } from '../stores/session-store'
import { useStores } from '../stores/stores-context'
import { Button, Kbd } from '../ui/button'
import { formatBytes, formatCount } from '../ui/format'
import { Bone, EmptyState, ErrorState, Note, ProgressBar } from '../ui/states'
import { Tabs } from '../ui/tabs'
import { SessionHeader } from './session-header'
import './session-pane.css'

const TABS: Readonly<Record<SessionTab, { title: string; view(): ReactNode }>> = {
  transcript: { title: 'Transcript', view: () => <TranscriptView /> },
  branches: { title: 'Branches', view: () => <BranchesView /> },
  artifacts: { title: 'Artifacts', view: () => <ArtifactsView /> },
  draft: { title: 'Draft', view: () => <DraftView /> },
  details: { title: 'Details', view: () => <DetailsView /> },
}

export function SessionPane() {
  const stores = useStores()
  const ref = useStore(stores.session, state => state.ref)
  return <div className="pane">{ref === null ? <Nothing /> : <OpenSession />}</div>
}

function Nothing() {
  const stores = useStores()
  const commands = useCommands()
  const snapshot = readyValue(useStore(stores.library, state => state.snapshot))
  if (snapshot && snapshot.counts.all === 0) return null
  return (
    <EmptyState icon={<MousePointerClick aria-hidden />} title="Choose a session">
      <p>Its messages, branches, artifacts and draft are shown here.</p>
      <p className="pane-hint">
        <Kbd>{commands.keys('search.box')}</Kbd> searches everything, <Kbd>?</Kbd> shows all shortcuts.
      </p>
    </EmptyState>
  )
}

function OpenSession() {
  const stores = useStores()
  const view = useStore(stores.session, state => state.view)
  const tab = useStore(stores.session, state => state.tab)
  const gone = useStore(stores.session, state => state.gone)
  const ref = useStore(stores.session, state => state.ref)
  if (view.state === 'error') {
    return (
      <>
        {ref === null ? null : <UnsavedText session={ref} />}
        <ErrorState
          icon={<FileX aria-hidden />}
          title="This session cannot be opened"
          text={`${errorHeading(view.error.code)} ${view.error.message}`}
          actions={
            <Button onClick={() => void stores.session.getState().reload()}>
              <RefreshCw aria-hidden />
              Try again
            </Button>
          }
        />
      </>
    )
  }
  const ready = readyValue(view)
  const counts: Partial<Record<SessionTab, string>> = ready
    ? {
        branches: ready.tipCount > 1 ? formatCount(ready.tipCount) : '',
        artifacts: ready.artifacts > 0 ? formatCount(ready.artifacts) : '',
      }
    : {}
  return (
    <Tabs
      label="Parts of the session"
      open={tab}
      onOpen={name => stores.session.getState().setTab(name)}
      head={ready ? <SessionHeader view={ready} /> : <HeaderBones />}
      tabs={SESSION_TABS.map(name => ({
        name,
        title: TABS[name].title,
        count: counts[name],
        mark: name === 'draft' && ready?.hasDraft ? 'has a draft' : undefined,
        panel: TABS[name].view,
      }))}
    >
      {gone ? (
        <div className="pane-gone" role="status">
          <Note>The file of this session is gone from the disk. What was loaded stays readable.</Note>
        </div>
      ) : null}
    </Tabs>
  )
}

function HeaderBones() {
  const { session } = useStores()
  const opening = useStore(session, state => state.opening)
  return (
    <div className="pane-bones">
      <div role="status" aria-label="Opening the session" className="pane-bones-lines">
        <Bone width={260} height={16} />
        <Bone width={380} />
      </div>
      {opening === null || opening.total === 0 ? null : (
        <div className="pane-opening">
          <ProgressBar label="Reading the session" done={opening.done} total={opening.total} />
          <span>
            {formatBytes(opening.done)} of {formatBytes(opening.total)} read
          </span>
          <Button onClick={() => session.getState().cancelOpening()}>Cancel</Button>
        </div>
      )}
    </div>
  )
}
