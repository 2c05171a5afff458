/** What the commands of sessions do. */
import type { CommandId } from '@shared/commands'
import { SESSION_TABS } from '../stores/session-store'
import { type Action, forOne, oneSession, sessionsOf, shownSessionsOf } from './action'
import type { CommandContext } from './context'
import { askDelete } from './flows/change-flows'
import { copyPathText } from './flows/copy-flows'
import { goToParent, showRelatives } from './flows/family-flows'
import { beginRename, starSessions } from './flows/manage-flows'
import { copyId, copyPath, copyResume, tellFailure } from './flows/session-flows'
import { allStarred, isArchived, isReadOnly, mayStar, sessionRow } from './session-rows'

type SessionCommand = Extract<CommandId, `session.${string}`>

const tab = (index: 0 | 1 | 2 | 3 | 4): Action => ({
  inText: true,
  enabled: ({ stores }) =>
    stores.session.getState().ref !== null && stores.navigation.getState().place.view === 'sessions',
  run: ({ stores }) => {
    stores.session.getState().setTab(SESSION_TABS[index])
    stores.navigation.getState().setPane('session')
  },
})

const forSome = (
  act: (context: CommandContext, sessions: string[]) => void,
  chosen = sessionsOf,
): Action => ({
  enabled: context => chosen(context).length > 0,
  run: context => act(context, [...chosen(context)]),
})

export const sessionActions: Record<SessionCommand, Action> = {
  'session.transcript': tab(0),
  'session.branches': tab(1),
  'session.artifacts': tab(2),
  'session.draft': tab(3),
  'session.details': tab(4),
  'session.rename': {
    enabled: context => {
      const session = oneSession(context)
      return session !== null && !isReadOnly(context.stores, session)
    },
    run: context => {
      const session = oneSession(context)
      const at = context.target?.kind === 'sessions' ? context.target.at : context.page.currentRegion()
      if (session !== null) beginRename(context.stores, session, at === 'session' ? 'header' : 'list')
    },
  },
  'session.star': {
    enabled: context => {
      const sessions = sessionsOf(context)
      return sessions.some(session => {
        const row = sessionRow(context.stores, session)
        return row === undefined || mayStar(row)
      })
    },
    run: context => {
      const sessions = sessionsOf(context)
      void starSessions(context.stores, sessions, !allStarred(context.stores, sessions))
    },
  },
  'session.fork': forOne((stores, session) =>
    stores.dialogs.getState().show({ kind: 'fork', session, entry: null }),
  ),
  'session.parent': forOne((stores, session) => void goToParent(stores, session)),
  'session.relatives': forOne((stores, session) => void showRelatives(stores, session)),
  'session.copyResume': {
    ...forOne((stores, session) => void copyResume(stores, session)),
    inText: true,
    enabled: context => {
      const session = oneSession(context)
      return session !== null && !isArchived(context.stores, session)
    },
  },
  'session.copyMarkdown': forOne((stores, session) => void copyPathText(stores, session)),
  'session.copyId': forOne((stores, session) => void copyId(stores, session)),
  'session.copyPath': forOne((stores, session) => void copyPath(stores, session)),
  'session.reveal': forOne(
    (stores, session) => void tellFailure(stores, stores.client.call('session.reveal', { session })),
  ),
  'session.move': forSome(({ stores }, sessions) =>
    stores.dialogs.getState().show({ kind: 'move', sessions }),
  ),
  'session.reroot': forSome(({ stores }, sessions) =>
    stores.dialogs.getState().show({ kind: 'reroot', subject: { kind: 'sessions', sessions } }),
  ),
  'session.delete': {
    ...forSome(({ stores }, sessions) => void askDelete(stores, sessions), shownSessionsOf),
    region: 'list',
  },
}
