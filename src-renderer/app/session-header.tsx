/** The head of the right pane: title, state, resume, what can be done, and the facts in one line. */
import type { SessionRow } from '@shared/ipc/models/library-models'
import type { SessionView } from '@shared/ipc/models/session-models'
import { visiblePath } from '@shared/session/text'
import { Ellipsis, GitFork, Star, Terminal, TriangleAlert } from 'lucide-react'
import { useCommands } from '../commands/context'
import { sessionItems, starItem } from '../commands/menu-items'
import { mayStar } from '../commands/session-rows'
import { useStores } from '../stores/stores-context'
import { Button, IconButton } from '../ui/button'
import { countOf, formatCost, formatCount, formatExact, formatSpan } from '../ui/format'
import { DropdownMenu } from '../ui/menu'
import { Badge } from '../ui/status-mark'
import { useMinute } from '../ui/use-minute'
import { SessionOrigin } from './session-origin'
import { StatePill, UseLine } from './session-state'
import { SessionTitle } from './session-title'

const ARCHIVED =
  'omp archived this session: it is only read, and omp does not resume it. Fork it to go on with it.'

export function SessionHeader({ view }: { view: SessionView }) {
  const stores = useStores()
  const commands = useCommands()
  const { row } = view
  const target = { kind: 'sessions' as const, sessions: [row.ref], at: 'session' as const }
  const star = starItem(stores, [row.ref])
  return (
    <>
      <SessionOrigin view={view} />
      <div className="pane-title-line">
        <SessionTitle row={row} />
        {mayStar(row) ? (
          <IconButton
            label={star.text}
            keys={commands.keys('session.star')}
            className={row.starred ? 'pane-star pane-starred' : 'pane-star'}
            onClick={() => commands.run('session.star', target)}
          >
            <Star aria-hidden />
          </IconButton>
        ) : null}
        <StatePill view={view} />
        {row.archived ? (
          <Badge tone="plain" title={ARCHIVED}>
            archived
          </Badge>
        ) : row.readOnly ? (
          <Badge tone="plain">read-only</Badge>
        ) : null}
        {view.outside === null ? null : (
          <Badge tone="plain" title={`Opened from ${visiblePath(view.outside)}`}>
            not in the library
          </Badge>
        )}
        <span className="u-grow" />
        <Button title={commands.title('session.fork')} onClick={() => commands.run('session.fork', target)}>
          <GitFork aria-hidden />
          <span className="pane-act">Fork</span>
        </Button>
        <Button
          title={row.archived ? ARCHIVED : 'Copy the command that resumes this session in omp'}
          disabled={row.archived}
          onClick={() => commands.run('session.copyResume', target)}
        >
          <Terminal aria-hidden />
          <span className="pane-act">Resume</span>
        </Button>
        <DropdownMenu items={() => sessionItems(stores, commands, [row.ref], 'session')}>
          <IconButton label="More about this session">
            <Ellipsis aria-hidden />
          </IconButton>
        </DropdownMenu>
      </div>
      <MetaLine view={view} row={row} />
    </>
  )
}

function MetaLine({ view, row }: { view: SessionView; row: SessionRow }) {
  const stores = useStores()
  const now = useMinute()
  const span = formatSpan(row.created, row.lastActivity, now)
  return (
    <p className="pane-meta u-num">
      <span
        className="u-mono u-text u-cut pane-cwd"
        title={view.cwd === null ? undefined : visiblePath(view.cwd)}
      >
        {view.cwd === null ? 'no folder' : row.shortCwd}
      </span>
      {view.projectState === 'missing' ? <Badge>folder missing</Badge> : null}
      {view.projectState === 'unreachable' ? <Badge>folder unreachable</Badge> : null}
      {view.projectState === 'other-system' ? <Badge>folder of another system</Badge> : null}
      {row.model === null ? null : <span className="u-cut">{row.model}</span>}
      {row.messages === null ? null : (
        <span>
          <b>{formatCount(row.messages)}</b> {row.messages === 1 ? 'message' : 'messages'}
        </span>
      )}
      {row.cost === null ? null : (
        <span>
          <b>{formatCost(row.cost)}</b>
        </span>
      )}
      {span === null ? null : (
        <span title={`${formatExact(row.created)} to ${formatExact(row.lastActivity)}`}>{span}</span>
      )}
      {view.damagedLines > 0 ? (
        <button
          type="button"
          className="pane-damaged"
          title={view.problems.join('\n')}
          onClick={() => stores.session.getState().setTab('details')}
        >
          <TriangleAlert aria-hidden />
          {countOf(view.damagedLines, 'damaged line')}
        </button>
      ) : null}
      <UseLine />
    </p>
  )
}
