/** Items of menus, made from the registry: text, keys and whether they can be chosen are the command's. */
import type { CommandId } from '@shared/commands'
import type { Stores } from '../stores/stores-context'
import type { Commands, Region, Target } from './context'
import { setLabel } from './flows/manage-flows'
import { allStarred, isWithoutParent } from './session-rows'

export type CommandItem =
  | { kind: 'line'; key: string }
  | {
      kind: 'item'
      /** The command's name, which also gives the item its sign. */
      key: string
      text: string
      keys: string | null
      danger: boolean
      disabled: boolean
      onSelect(): void
    }

type More = { text?: string; key?: string; danger?: boolean; disabled?: boolean }

/** One command for a target. */
export function commandItem(commands: Commands, id: CommandId, target: Target, more: More = {}): CommandItem {
  return {
    kind: 'item',
    key: more.key ?? id,
    text: more.text ?? commands.title(id),
    keys: commands.keys(id),
    danger: more.danger ?? false,
    disabled: more.disabled === true || !commands.enabled(id, target),
    onSelect: () => commands.run(id, target),
  }
}

const line = (key: string): CommandItem => ({ kind: 'line', key })

/** What can be done with these sessions: more than one have only what can be done to many. */
export function sessionItems(
  stores: Stores,
  commands: Commands,
  sessions: readonly string[],
  at: Region,
): CommandItem[] {
  const target: Target = { kind: 'sessions', sessions, at }
  const item = (id: CommandId, more: More = {}) => commandItem(commands, id, target, more)
  const star = starItem(stores, sessions)
  if (sessions.length > 1) {
    const count = `${sessions.length.toLocaleString('en')} sessions`
    return [
      item('session.star', { ...star, text: `${star.text} ${count}` }),
      line('after-star'),
      item('session.move', { text: `Move ${count}…` }),
      item('session.reroot', { text: `Re-root ${count}…` }),
      item('session.delete', { text: `Move ${count} to trash`, danger: true }),
    ]
  }
  return [
    item('session.rename'),
    item('session.star', star),
    item('session.fork'),
    line('after-edit'),
    item('session.copyResume'),
    item('session.copyMarkdown'),
    item('session.copyId'),
    item('session.copyPath'),
    item('session.reveal'),
    line('after-copy'),
    item('session.parent', { disabled: isWithoutParent(stores, sessions) }),
    item('session.relatives'),
    line('after-family'),
    item('session.move'),
    item('session.reroot'),
    item('session.delete', { danger: true }),
  ]
}

/** How the star's command is named for these: it takes stars away when all have one. */
export function starItem(stores: Stores, sessions: readonly string[]): { key: string; text: string } {
  return allStarred(stores, sessions)
    ? { key: 'session.unstar', text: 'Unstar' }
    : { key: 'session.star', text: 'Star' }
}

/** The entry a menu is about; `label` is its present one. */
export type MenuEntry = { session: string; ordinal: number; label: string | null }

/** What can be done with one entry; `ways` lead to where else it is shown. */
export function entryItems(
  stores: Stores,
  commands: Commands,
  { session, ordinal, label }: MenuEntry,
  ways: readonly { key: string; text: string; keys?: string; onSelect(): void }[],
): CommandItem[] {
  const target: Target = { kind: 'entry', session, ordinal }
  const item = (id: CommandId, more: More = {}) => commandItem(commands, id, target, more)
  return [
    ...ways.map(way => plainItem(way)),
    line('after-ways'),
    item('entry.copy'),
    item('entry.copyTurn'),
    commandItem(commands, 'session.copyMarkdown', { kind: 'sessions', sessions: [session] }),
    line('after-copy'),
    item('entry.label', label === null ? {} : { text: 'Change label…' }),
    ...(label === null
      ? []
      : [
          plainItem({
            key: 'entry.clearLabel',
            text: 'Clear label',
            disabled: !commands.enabled('entry.label', target),
            onSelect: () => void setLabel(stores, session, ordinal, null),
          }),
        ]),
    item('entry.fork'),
    item('entry.continue'),
  ]
}

/** An item that is no command: it belongs to one place of the window. */
export function plainItem(item: {
  key: string
  text: string
  keys?: string
  danger?: boolean
  disabled?: boolean
  onSelect(): void
}): CommandItem {
  return { kind: 'item', danger: false, disabled: false, ...item, keys: item.keys ?? null }
}
