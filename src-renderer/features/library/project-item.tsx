/** A project in the sidebar, with the state of its folder and its menu. */
import type { ProjectState, ProjectView } from '@shared/ipc/models/library-models'
import { Folder, FolderX, Pin } from 'lucide-react'
import { useCommands } from '../../commands/context'
import { commandItem } from '../../commands/menu-items'
import { countOf, formatAge, formatBytes } from '../../ui/format'
import { ContextMenu, type MenuItem } from '../../ui/menu'
import { Badge } from '../../ui/status-mark'
import { NavItem } from './nav-item'

/** The word for a folder that is not simply there; null when there is nothing to say. */
export function stateWord(state: ProjectState): string | null {
  switch (state) {
    case 'present':
    case 'unknown':
      return null
    case 'missing':
      return 'missing'
    case 'unreachable':
      return 'unreachable'
    case 'other-system':
      return 'other system'
    default:
      return state satisfies never
  }
}

function disabledWhen(disabled: boolean, item: MenuItem): MenuItem {
  return disabled && item.kind === 'item' ? { ...item, disabled } : item
}

export function ProjectItem(props: {
  project: ProjectView
  pinned: boolean
  current: boolean
  first: boolean
  showFolder: boolean
  onOpen(): void
}) {
  const { project, pinned, current, first, showFolder, onOpen } = props
  const commands = useCommands()
  const target = { kind: 'project' as const, project: project.ref }
  const word = stateWord(project.state)
  const items = (): MenuItem[] => [
    disabledWhen(project.cwd === null, commandItem(commands, 'project.reroot', target)),
    disabledWhen(project.state !== 'present', commandItem(commands, 'project.reveal', target)),
    { kind: 'line', key: 'line' },
    commandItem(
      commands,
      'project.pin',
      target,
      pinned ? { key: 'project.unpin', text: 'Unpin' } : { text: 'Pin to the top' },
    ),
  ]
  const facts = `${countOf(project.sessions, 'session')}, ${formatBytes(project.bytes)}, last activity ${formatAge(project.lastActivity, Date.now())}`
  return (
    <ContextMenu items={items}>
      <NavItem
        icon={word === null ? <Folder aria-hidden /> : <FolderX aria-hidden />}
        text={project.name}
        detail={showFolder ? project.shortCwd : undefined}
        count={project.sessions}
        current={current}
        first={first}
        className={word === null ? '' : 'nav-gone'}
        title={[project.shortCwd, project.stateReason, facts].filter(Boolean).join('\n')}
        badge={
          <>
            {word === null ? null : <Badge title={project.stateReason ?? undefined}>{word}</Badge>}
            {pinned ? <Pin className="nav-pin" aria-label="pinned" /> : null}
          </>
        }
        data-project={project.ref}
        onClick={onOpen}
      />
    </ContextMenu>
  )
}
