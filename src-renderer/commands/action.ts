/** What a command does, when it can, and what it acts on. */
import { pickedInList } from '../stores/list-store'
import type { Stores } from '../stores/stores-context'
import type { CommandContext, Region } from './context'

export type Action = {
  run(context: CommandContext): void
  enabled?(context: CommandContext): boolean
  /** Its keys count only here; from menus it works everywhere. */
  region?: Region
  /** Its keys also count while a text field has the focus. */
  inText?: true
}

/**
 * Sessions a command acts on: its target, else the selection, else the open session. What is picked and not
 * among the rows, as a filter hides it, nobody in the list means.
 */
export function sessionsOf({ stores, page, target }: CommandContext): readonly string[] {
  if (target?.kind === 'sessions') return target.sessions
  if (target?.kind === 'entry') return [target.session]
  if (target?.kind === 'project' || stores.navigation.getState().place.view !== 'sessions') return []
  const open = stores.session.getState().ref
  const region = page.currentRegion()
  if (region === 'session' && open !== null) return [open]
  const picked = pickedInList(stores.list.getState())
  if (picked.length > 0) return picked
  if (region === 'list' && stores.list.getState().selection.picked.size > 0) return []
  return open === null ? [] : [open]
}

/** The same, in the list without an open session that its rows do not show. */
export function shownSessionsOf(context: CommandContext): readonly string[] {
  const sessions = sessionsOf(context)
  if (context.target !== null || context.page.currentRegion() !== 'list') return sessions
  const shown = new Set(context.stores.list.getState().rows.map(row => row.ref))
  return sessions.filter(session => shown.has(session))
}

/** The session a command acts on, when it is exactly one. */
export function oneSession(context: CommandContext): string | null {
  const sessions = sessionsOf(context)
  return sessions.length === 1 ? (sessions[0] ?? null) : null
}

/** A command for one session. */
export function forOne(act: (stores: Stores, session: string) => void): Action {
  return {
    enabled: context => oneSession(context) !== null,
    run: context => {
      const session = oneSession(context)
      if (session !== null) act(context.stores, session)
    },
  }
}

function projectOf({ stores, target }: CommandContext): string | null {
  if (target?.kind === 'project') return target.project
  const { scope } = stores.list.getState()
  return scope.kind === 'project' ? scope.project : null
}

/** A command for the project that is named, else the one whose sessions are listed. */
export function forProject(act: (stores: Stores, project: string) => void): Action {
  return {
    enabled: context => projectOf(context) !== null,
    run: context => {
      const project = projectOf(context)
      if (project !== null) act(context.stores, project)
    },
  }
}
