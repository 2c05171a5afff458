/** What a command does, when it can, and what it acts on. */
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

/** Sessions a command acts on: its target, else the selection, else the open session. */
export function sessionsOf({ stores, page, target }: CommandContext): readonly string[] {
  if (target?.kind === 'sessions') return target.sessions
  if (target?.kind === 'entry') return [target.session]
  if (target?.kind === 'project' || stores.navigation.getState().place.view !== 'sessions') return []
  const open = stores.session.getState().ref
  if (page.currentRegion() === 'session' && open !== null) return [open]
  const { picked } = stores.list.getState().selection
  if (picked.size > 0) return [...picked]
  return open === null ? [] : [open]
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
