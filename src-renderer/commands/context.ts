/** What commands act on and with. */

import type { CommandId } from '@shared/commands'
import { createContext, useContext } from 'react'
import type { Stores } from '../stores/stores-context'

/** Parts of the window that F6 goes through, and in which some keys have their meaning. */
export const REGIONS = ['top', 'sidebar', 'list', 'session'] as const
export type Region = (typeof REGIONS)[number]

/** What a command was chosen for, and where. Null: what is selected, open or current. */
export type Target =
  | { kind: 'sessions'; sessions: readonly string[]; at?: Region }
  | { kind: 'entry'; session: string; ordinal: number }
  | { kind: 'project'; project: string }
  | null

/** What commands need of the page itself; the frame supplies it. */
export type PagePorts = {
  mac: boolean
  focusFilter(): void
  focusRegion(region: Region): void
  currentRegion(): Region | null
  onePane(): boolean
}

export type CommandContext = { stores: Stores; page: PagePorts; target: Target }

export type Commands = {
  run(id: CommandId, target?: Target): void
  enabled(id: CommandId, target?: Target): boolean
  title(id: CommandId): string
  /** First key, written for people; null when there is none. */
  keys(id: CommandId): string | null
  /** Runs the command of a key press, if there is one; true when the press is used up. */
  press(event: KeyboardEvent): boolean
}

export const CommandsContext = createContext<Commands | null>(null)

/** The commands of this window. */
export function useCommands(): Commands {
  const commands = useContext(CommandsContext)
  if (!commands) throw new Error('useCommands outside of CommandsContext')
  return commands
}
