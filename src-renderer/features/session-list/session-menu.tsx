/** The context menu of sessions, for one or for the whole selection. */

import type { CommandId } from '@shared/commands'
import { ClipboardCopy, FolderOpen, Hash, Route, Terminal, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Commands, useCommands } from '../../commands/context'
import { formatCount } from '../../ui/format'
import type { MenuItem } from '../../ui/menu'

function commandItem(
  commands: Commands,
  id: CommandId,
  sessions: readonly string[],
  icon: ReactNode,
  more: { danger?: boolean; text?: string } = {},
): MenuItem {
  const target = { kind: 'sessions' as const, sessions }
  return {
    kind: 'item',
    key: id,
    icon,
    text: more.text ?? commands.title(id),
    keys: commands.keys(id),
    danger: more.danger ?? false,
    disabled: !commands.enabled(id, target),
    onSelect: () => commands.run(id, target),
  }
}

/** Items for these sessions; more than one have only what can be done to many. */
export function useSessionMenu(sessions: readonly string[]): MenuItem[] {
  const commands = useCommands()
  if (sessions.length === 0) return []
  const many = sessions.length > 1
  const count = formatCount(sessions.length)
  const bulk: MenuItem[] = [
    commandItem(
      commands,
      'session.reroot',
      sessions,
      <Route />,
      many ? { text: `Re-root ${count} sessions…` } : {},
    ),
    commandItem(commands, 'session.delete', sessions, <Trash2 />, {
      danger: true,
      ...(many ? { text: `Move ${count} sessions to trash` } : {}),
    }),
  ]
  if (many) return bulk
  return [
    commandItem(commands, 'session.copyResume', sessions, <Terminal />),
    commandItem(commands, 'session.copyId', sessions, <Hash />),
    commandItem(commands, 'session.copyPath', sessions, <ClipboardCopy />),
    commandItem(commands, 'session.reveal', sessions, <FolderOpen />),
    { kind: 'line', key: 'line' },
    ...bulk,
  ]
}
