/**
 * The registry: what each command of `src-shared/commands.ts` does and when it can. Menu, shortcuts,
 * context menus and the help dialog all read it.
 */
import { COMMANDS, type CommandId, type CommandSpec } from '@shared/commands'
import { findStoreOf } from '../stores/find-store'
import { pickedInList } from '../stores/list-store'
import { pickAll, pickCursor } from '../stores/selection'
import type { Stores } from '../stores/stores-context'
import { type Action, forProject } from './action'
import type { CommandContext, Commands, PagePorts, Region, Target } from './context'
import { entryActions } from './entry-actions'
import { undoLast } from './flows/change-flows'
import { goBack, goForward, paneOut, showScope, showView } from './flows/navigate'
import { chooseFile } from './flows/open-flows'
import { addRoot, tellFailure, togglePin } from './flows/session-flows'
import { matchesKeys, showKeys } from './keys'
import { searchActions } from './search-actions'
import { sessionActions } from './session-actions'

function step({ page }: CommandContext, by: 1 | -1): void {
  const regions: readonly Region[] = ['top', 'sidebar', 'list', 'session']
  const here = page.currentRegion()
  const at = here === null ? (by === 1 ? -1 : regions.length) : regions.indexOf(here)
  for (let n = 1; n <= regions.length; n++) {
    const next = regions[(at + by * n + regions.length * 2) % regions.length]
    if (!next) return
    page.focusRegion(next)
    if (page.currentRegion() === next) return
  }
}

function stepOut(context: CommandContext): void {
  const { stores, page } = context
  const list = stores.list.getState()
  const find = findStoreOf(stores.client).getState()
  if (page.currentRegion() === 'top') {
    page.focusRegion('list')
  } else if (page.currentRegion() === 'session' && (find.open || find.mark !== null)) {
    find.close()
  } else if (page.currentRegion() === 'list' && pickedInList(list).length > 1) {
    list.setSelection(pickCursor(list.selection))
  } else if (page.onePane() && stores.navigation.getState().pane !== 'sidebar') {
    paneOut(stores)
  } else if (page.currentRegion() === 'session') {
    page.focusRegion('list')
  }
}

const actions: Record<CommandId, Action> = {
  'root.add': { run: ({ stores }) => void addRoot(stores) },
  'library.openFile': { inText: true, run: ({ stores }) => void chooseFile(stores) },
  'library.rescan': {
    inText: true,
    run: ({ stores }) => {
      void tellFailure(stores, stores.client.call('library.rescan', {})).then(() =>
        stores.library.getState().refresh(),
      )
    },
  },
  'app.settings': { inText: true, run: ({ stores }) => stores.dialogs.getState().show({ kind: 'settings' }) },
  'app.shortcuts': { run: ({ stores }) => stores.dialogs.getState().show({ kind: 'shortcuts' }) },
  'app.about': { run: ({ stores }) => stores.dialogs.getState().show({ kind: 'about' }) },
  'app.close': { inText: true, run: stepOut },

  'change.undo': {
    enabled: ({ stores }) => {
      const { changes, running } = stores.undo.getState()
      return changes.length > 0 || running > 0
    },
    run: ({ stores }) => void undoLast(stores),
  },
  'list.selectAll': {
    region: 'list',
    enabled: ({ stores }) => stores.navigation.getState().place.view === 'sessions',
    run: ({ stores }) => {
      const list = stores.list
      void list
        .getState()
        .loadAll()
        .then(() => {
          const { selection, rows, setSelection } = list.getState()
          setSelection(
            pickAll(
              selection,
              rows.map(row => row.ref),
            ),
          )
        })
    },
  },
  ...searchActions,

  'view.sidebar': {
    inText: true,
    run: ({ stores }) => {
      const { settings, set } = stores.settings.getState()
      void set({ showSidebar: !settings.showSidebar })
    },
  },
  'view.list': {
    inText: true,
    enabled: ({ stores }) => stores.navigation.getState().place.view === 'sessions',
    run: ({ stores }) => {
      const { listHidden, setListHidden } = stores.navigation.getState()
      setListHidden(!listHidden)
    },
  },
  'view.nextRegion': { inText: true, run: context => step(context, 1) },
  'view.previousRegion': { inText: true, run: context => step(context, -1) },
  'theme.system': { run: ({ stores }) => void stores.settings.getState().set({ theme: 'system' }) },
  'theme.light': { run: ({ stores }) => void stores.settings.getState().set({ theme: 'light' }) },
  'theme.dark': { run: ({ stores }) => void stores.settings.getState().set({ theme: 'dark' }) },

  'go.back': {
    inText: true,
    enabled: ({ stores }) =>
      stores.navigation.getState().past.length > 0 || stores.session.getState().back.length > 0,
    run: ({ stores }) => goBack(stores),
  },
  'go.forward': {
    inText: true,
    enabled: ({ stores }) =>
      stores.navigation.getState().future.length > 0 || stores.session.getState().ahead.length > 0,
    run: ({ stores }) => goForward(stores),
  },
  'go.all': { run: ({ stores }) => showScope(stores, { kind: 'all' }) },
  'go.starred': { run: ({ stores }) => showScope(stores, { kind: 'starred' }) },
  'go.archived': { run: ({ stores }) => showScope(stores, { kind: 'archived' }) },
  'go.drafts': { run: ({ stores }) => showView(stores, 'drafts') },
  'go.trash': { run: ({ stores }) => showView(stores, 'trash') },
  'go.changes': { run: ({ stores }) => showView(stores, 'changes') },

  ...sessionActions,
  ...entryActions,

  'project.reroot': forProject((stores, project) =>
    stores.dialogs.getState().show({ kind: 'reroot', subject: { kind: 'project', project } }),
  ),
  'project.pin': forProject(togglePin),
  'project.reveal': forProject(
    (stores, project) => void tellFailure(stores, stores.client.call('library.revealProject', { project })),
  ),
}

/** True when a key press belongs to the text field it was typed into. */
function inTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox], [type=radio])'))
  )
}

/** Binds the registry to one window. */
export function createCommands(stores: Stores, page: PagePorts): Commands {
  const specs = new Map<CommandId, CommandSpec>(COMMANDS.map(spec => [spec.id, spec]))
  const contextFor = (target: Target = null): CommandContext => ({ stores, page, target })
  const enabled = (id: CommandId, target?: Target) => actions[id].enabled?.(contextFor(target)) ?? true
  return {
    enabled,
    run(id, target) {
      if (enabled(id, target)) actions[id].run(contextFor(target))
    },
    title: id => specs.get(id)?.title ?? id,
    keys: id => {
      const first = specs.get(id)?.keys[0]
      return first === undefined ? null : showKeys(first, page.mac)
    },
    press(event) {
      // A dialog has its own keys; nothing behind it may change.
      if (stores.dialogs.getState().open !== null) return false
      const inText = inTextField(event.target)
      for (const { id, keys } of COMMANDS) {
        if (!keys.some(key => matchesKeys(event, key, page.mac))) continue
        const action = actions[id]
        if (inText && !action.inText) continue
        if (action.region !== undefined && action.region !== page.currentRegion()) continue
        if (!enabled(id)) continue
        action.run(contextFor())
        return true
      }
      return false
    },
  }
}
