/** The native menu, made from the one list of commands. Keys are handled by the window, so none is registered. */

import { COMMANDS, type MenuName } from '@shared/commands'
import { Menu, type MenuItemConstructorOptions } from 'electron'

const TITLES: readonly [MenuName, string][] = [
  ['file', '&File'],
  ['edit', '&Edit'],
  ['view', '&View'],
  ['go', '&Go'],
  ['session', '&Session'],
  ['help', '&Help'],
]

/** Items that the system does itself, after the commands of a menu. */
const ROLES: Partial<Record<MenuName, MenuItemConstructorOptions[]>> = {
  file: [{ role: 'quit' }],
  edit: [{ role: 'copy' }],
  view: [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ],
}

export function installMenu(run: (command: string) => void): void {
  const template = TITLES.map(
    ([name, label]): MenuItemConstructorOptions => ({ label, submenu: itemsOf(name, run) }),
  )
  const mac: MenuItemConstructorOptions[] = process.platform === 'darwin' ? [{ role: 'appMenu' }] : []
  Menu.setApplicationMenu(Menu.buildFromTemplate([...mac, ...template]))
}

function itemsOf(name: MenuName, run: (command: string) => void): MenuItemConstructorOptions[] {
  const items: MenuItemConstructorOptions[] = []
  let group: number | null = null
  for (const command of COMMANDS) {
    if (command.menu !== name) continue
    if (group !== null && command.group !== group) items.push({ type: 'separator' })
    group = command.group
    const accelerator: string | undefined = command.keys[0]
    items.push({
      label: command.title,
      click: () => run(command.id),
      ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
    })
  }
  const roles = ROLES[name]
  return roles === undefined ? items : [...items, { type: 'separator' }, ...roles]
}
