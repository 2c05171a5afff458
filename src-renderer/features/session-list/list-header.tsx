/** The bar above the list: what is shown, how many, in which order; and what can be done with many. */
import type { ProjectView } from '@shared/ipc/models/library-models'
import { ChevronDown, TriangleAlert, X } from 'lucide-react'
import { useStore } from 'zustand'
import { useCommands } from '../../commands/context'
import { starItem } from '../../commands/menu-items'
import { pickedInList } from '../../stores/list-store'
import { pickCursor } from '../../stores/selection'
import { useStores } from '../../stores/stores-context'
import { Button, IconButton } from '../../ui/button'
import { commandIcon } from '../../ui/command-icons'
import { formatCount } from '../../ui/format'
import { DropdownMenu } from '../../ui/menu'
import { SORTS, sortText } from './sort-words'

export function ListHeader({ title }: { title: string }) {
  const stores = useStores()
  const total = useStore(stores.list, state => state.total)
  const phase = useStore(stores.list, state => state.phase)
  const sort = useStore(stores.list, state => state.sort)
  const reverse = useStore(stores.list, state => state.reverse)
  const choose = (next: typeof sort, nextReverse: boolean) => {
    stores.list.getState().setSort(next, nextReverse)
    void stores.settings.getState().set({ sort: next, sortReverse: nextReverse })
  }
  return (
    <div className="list-bar">
      <h2 className="list-title u-cut">{title}</h2>
      <span className="u-faint u-num">{phase === 'loading' ? '' : formatCount(total)}</span>
      <span className="u-grow" />
      <DropdownMenu
        items={[
          ...SORTS.map(({ sort: candidate, text }) => ({
            kind: 'choice' as const,
            key: candidate,
            text,
            checked: candidate === sort,
            onSelect: () => choose(candidate, candidate === sort ? reverse : false),
          })),
          { kind: 'line', key: 'line' },
          {
            kind: 'choice',
            key: 'reverse',
            text: 'Reverse order',
            checked: reverse,
            onSelect: () => choose(sort, !reverse),
          },
        ]}
      >
        <button type="button" className="list-sort" aria-label={`Sort: ${sortText(sort, reverse)}`}>
          <span className="u-cut">{sortText(sort, reverse)}</span>
          <ChevronDown aria-hidden />
        </button>
      </DropdownMenu>
    </div>
  )
}

/** Shown in place of the header's bar while more than one session is selected. */
export function SelectionBar({ count }: { count: number }) {
  const stores = useStores()
  const commands = useCommands()
  const target = () => ({
    kind: 'sessions' as const,
    sessions: pickedInList(stores.list.getState()),
  })
  // Follows the rows: what has a star decides what the button does.
  useStore(stores.list, state => state.rows)
  const star = starItem(stores, target().sessions)
  const clear = () => {
    const { selection, setSelection } = stores.list.getState()
    setSelection(pickCursor(selection))
  }
  return (
    <div className="list-bar list-bar-selection" role="toolbar" aria-label="Selected sessions">
      <span className="list-selected u-num" aria-live="polite">
        {formatCount(count)} selected
      </span>
      <span className="u-grow" />
      <IconButton
        label={star.text}
        keys={commands.keys('session.star')}
        onClick={() => commands.run('session.star', target())}
      >
        {commandIcon(star.key)}
      </IconButton>
      <IconButton
        label={commands.title('session.move')}
        onClick={() => commands.run('session.move', target())}
      >
        {commandIcon('session.move')}
      </IconButton>
      <IconButton
        label={commands.title('session.reroot')}
        onClick={() => commands.run('session.reroot', target())}
      >
        {commandIcon('session.reroot')}
      </IconButton>
      <IconButton
        label={commands.title('session.delete')}
        keys={commands.keys('session.delete')}
        className="list-delete"
        onClick={() => commands.run('session.delete', target())}
      >
        {commandIcon('session.delete')}
      </IconButton>
      <IconButton label="Clear selection" keys="Esc" onClick={clear}>
        <X aria-hidden />
      </IconButton>
    </div>
  )
}

/** Below the bar when a project's folder is not there: why, and the way to mend it. */
export function FolderNotice({ project }: { project: ProjectView }) {
  const commands = useCommands()
  if (project.state === 'present' || project.state === 'unknown') return null
  const missing = project.state === 'missing'
  // Of most missing folders there is no more to say than that they are gone.
  const reason = missing && project.stateReason?.endsWith(' is gone.') ? null : project.stateReason
  return (
    <div className="list-notice">
      <TriangleAlert aria-hidden />
      <div className="u-grow">
        <p>
          {missing ? 'The folder ' : 'Cannot reach '}
          <span className="u-mono u-text">{project.shortCwd}</span>
          {missing ? ' is gone.' : '.'}
        </p>
        {reason ? <p className="list-notice-reason">{reason}</p> : null}
      </div>
      <Button onClick={() => commands.run('project.reroot', { kind: 'project', project: project.ref })}>
        Re-root…
      </Button>
    </div>
  )
}
