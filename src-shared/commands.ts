/**
 * Every command of the window, as data: the native menu (main) and the registry (window) are both made
 * from this list. The window handles all keys itself; main shows accelerators without registering them
 * (`registerAccelerator: false`), so that a key never runs a command twice.
 */

/** Native menus, in order. `null`: reached by key, button or context menu only. */
export type MenuName = 'file' | 'edit' | 'view' | 'go' | 'session' | 'help'

export type CommandSpec = {
  readonly id: string
  /** As the menu and the help list it. Ends with an ellipsis when it asks before it does something. */
  readonly title: string
  /** Electron accelerator, the first one is shown; `CmdOrCtrl` is Cmd on macOS. */
  readonly keys: readonly string[]
  readonly menu: MenuName | null
  /** Commands of one menu with different groups are parted by a line. */
  readonly group: number
}

export const COMMANDS = [
  { id: 'root.add', title: 'Add a folder…', keys: [], menu: 'file', group: 1 },
  {
    id: 'library.openFile',
    title: 'Open a session file…',
    keys: ['CmdOrCtrl+Shift+O'],
    menu: 'file',
    group: 1,
  },
  { id: 'library.rescan', title: 'Rescan', keys: ['F5', 'CmdOrCtrl+R'], menu: 'file', group: 1 },
  { id: 'app.settings', title: 'Settings…', keys: ['CmdOrCtrl+,'], menu: 'file', group: 2 },

  { id: 'change.undo', title: 'Undo last change', keys: ['CmdOrCtrl+Z'], menu: 'edit', group: 1 },
  { id: 'list.selectAll', title: 'Select all sessions', keys: ['CmdOrCtrl+A'], menu: 'edit', group: 2 },
  { id: 'search.box', title: 'Search…', keys: ['CmdOrCtrl+K'], menu: 'edit', group: 3 },
  { id: 'search.sessions', title: 'Go to a session…', keys: ['CmdOrCtrl+P'], menu: 'edit', group: 3 },
  { id: 'search.view', title: 'Search view', keys: ['CmdOrCtrl+Shift+F'], menu: 'edit', group: 3 },
  { id: 'find.here', title: 'Find here', keys: ['CmdOrCtrl+F'], menu: 'edit', group: 4 },
  { id: 'library.filter', title: 'Filter sessions', keys: [], menu: 'edit', group: 4 },
  { id: 'find.next', title: 'Next match', keys: ['F3'], menu: 'edit', group: 4 },
  { id: 'find.previous', title: 'Previous match', keys: ['Shift+F3'], menu: 'edit', group: 4 },
  { id: 'app.close', title: 'Close, clear or go back', keys: ['Escape'], menu: null, group: 0 },

  { id: 'view.sidebar', title: 'Show or hide sidebar', keys: ['CmdOrCtrl+B'], menu: 'view', group: 1 },
  {
    id: 'view.list',
    title: 'Show or hide session list',
    keys: ['CmdOrCtrl+Shift+B'],
    menu: 'view',
    group: 1,
  },
  { id: 'view.nextRegion', title: 'Next region', keys: ['F6'], menu: 'view', group: 2 },
  { id: 'view.previousRegion', title: 'Previous region', keys: ['Shift+F6'], menu: 'view', group: 2 },
  { id: 'theme.system', title: 'Theme of the system', keys: [], menu: 'view', group: 3 },
  { id: 'theme.light', title: 'Light theme', keys: [], menu: 'view', group: 3 },
  { id: 'theme.dark', title: 'Dark theme', keys: [], menu: 'view', group: 3 },

  { id: 'go.back', title: 'Back', keys: ['Alt+Left'], menu: 'go', group: 1 },
  { id: 'go.forward', title: 'Forward', keys: ['Alt+Right'], menu: 'go', group: 1 },
  { id: 'session.parent', title: 'Go to parent session', keys: ['Alt+Up'], menu: 'go', group: 1 },
  { id: 'session.relatives', title: 'Show relatives', keys: [], menu: 'go', group: 1 },
  { id: 'go.all', title: 'All sessions', keys: [], menu: 'go', group: 2 },
  { id: 'go.starred', title: 'Starred', keys: [], menu: 'go', group: 2 },
  { id: 'go.archived', title: 'Archived', keys: [], menu: 'go', group: 2 },
  { id: 'go.drafts', title: 'Drafts', keys: [], menu: 'go', group: 2 },
  { id: 'go.trash', title: 'Trash', keys: [], menu: 'go', group: 2 },
  { id: 'go.changes', title: 'Recent changes', keys: [], menu: 'go', group: 2 },

  { id: 'session.transcript', title: 'Transcript', keys: ['Alt+1'], menu: 'session', group: 1 },
  { id: 'session.branches', title: 'Branches', keys: ['Alt+2'], menu: 'session', group: 1 },
  { id: 'session.artifacts', title: 'Artifacts', keys: ['Alt+3'], menu: 'session', group: 1 },
  { id: 'session.draft', title: 'Draft', keys: ['Alt+4'], menu: 'session', group: 1 },
  { id: 'session.details', title: 'Details', keys: ['Alt+5'], menu: 'session', group: 1 },
  { id: 'session.rename', title: 'Rename', keys: ['F2'], menu: 'session', group: 2 },
  { id: 'session.star', title: 'Star or unstar', keys: ['CmdOrCtrl+D'], menu: 'session', group: 2 },
  { id: 'session.fork', title: 'Fork…', keys: [], menu: 'session', group: 2 },
  {
    id: 'session.copyResume',
    title: 'Copy resume command',
    keys: ['CmdOrCtrl+Shift+C'],
    menu: 'session',
    group: 3,
  },
  {
    id: 'session.copyMarkdown',
    title: 'Copy transcript as Markdown',
    keys: ['CmdOrCtrl+Shift+M'],
    menu: 'session',
    group: 3,
  },
  { id: 'session.copyId', title: 'Copy session id', keys: [], menu: 'session', group: 3 },
  { id: 'session.copyPath', title: 'Copy file path', keys: [], menu: 'session', group: 3 },
  { id: 'session.reveal', title: 'Show in file manager', keys: [], menu: 'session', group: 3 },
  { id: 'session.move', title: 'Move…', keys: [], menu: 'session', group: 4 },
  { id: 'session.reroot', title: 'Re-root…', keys: [], menu: 'session', group: 4 },
  { id: 'session.delete', title: 'Move to trash', keys: ['Delete'], menu: 'session', group: 4 },

  { id: 'entry.label', title: 'Label…', keys: ['Shift+L'], menu: 'session', group: 5 },
  { id: 'entry.fork', title: 'Fork from here…', keys: [], menu: 'session', group: 5 },
  { id: 'entry.continue', title: 'Continue this branch', keys: [], menu: 'session', group: 5 },
  { id: 'entry.copy', title: 'Copy entry as Markdown', keys: [], menu: null, group: 0 },
  { id: 'entry.copyTurn', title: 'Copy turn as Markdown', keys: [], menu: null, group: 0 },

  { id: 'project.reroot', title: 'Re-root project…', keys: [], menu: null, group: 0 },
  { id: 'project.pin', title: 'Pin or unpin project', keys: [], menu: null, group: 0 },
  { id: 'project.reveal', title: 'Show folder in file manager', keys: [], menu: null, group: 0 },

  { id: 'app.shortcuts', title: 'Keyboard shortcuts', keys: ['?'], menu: 'help', group: 1 },
  { id: 'app.about', title: 'About Grove', keys: [], menu: 'help', group: 2 },
] as const satisfies readonly CommandSpec[]

export type CommandId = (typeof COMMANDS)[number]['id']

/** True when `id` names a command: menu events carry plain strings. */
export function isCommandId(id: string): id is CommandId {
  return COMMANDS.some(command => command.id === id)
}
