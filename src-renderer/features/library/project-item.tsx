/** A project in the sidebar, with the state of its folder and its menu. */
import type { ProjectState, ProjectView } from '@shared/ipc/models/library-models'
import { Folder, FolderX, MonitorX, Pin, TriangleAlert, Unplug } from 'lucide-react'
import { useCommands } from '../../commands/context'
import { commandItem } from '../../commands/menu-items'
import { countOf, formatAge, formatBytes } from '../../ui/format'
import { ContextMenu, type MenuItem } from '../../ui/menu'
import { NavItem } from './nav-item'

/** Word and mark of a folder that is not simply there; null when there is nothing to say. */
function stateMark(state: ProjectState): { word: string; icon: typeof Folder } | null {
  switch (state) {
    case 'present':
    case 'unknown':
      return null
    case 'missing':
      return { word: 'missing', icon: TriangleAlert }
    case 'unreachable':
      return { word: 'unreachable', icon: Unplug }
    case 'other-system':
      return { word: 'other system', icon: MonitorX }
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
  const mark = stateMark(project.state)
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
        icon={mark === null ? <Folder aria-hidden /> : <FolderX aria-hidden />}
        text={project.name}
        detail={showFolder ? project.shortCwd : undefined}
        count={project.sessions}
        current={current}
        first={first}
        className={mark === null ? '' : 'nav-gone'}
        title={[project.shortCwd, project.stateReason, facts].filter(Boolean).join('\n')}
        badge={
          <>
            {mark === null ? null : (
              <span className="nav-state" title={[mark.word, project.stateReason].filter(Boolean).join('\n')}>
                <mark.icon aria-hidden />
                <span className="nav-state-word">{mark.word}</span>
              </span>
            )}
            {pinned ? <Pin className="nav-pin" aria-label="pinned" /> : null}
          </>
        }
        data-project={project.ref}
        onClick={onOpen}
      />
    </ContextMenu>
  )
}
