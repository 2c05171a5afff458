/** Jobs on drafts: saved while a person types, discarded, and those of all sessions. */
import type { ChangeReport } from '@shared/ipc/models/change-models'
import type { DraftSaved } from '@shared/ipc/models/manage-models'
import { err, ok, type Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../engine/environment'
import type { SessionManager } from '../engine/session/session-manager'
import { type DraftsSeen, type ListedDraft, listDrafts } from '../library/drafts/draft-list'
import { modifiedOf, parseVersion, versionText } from '../library/drafts/draft-version'
import { editDraft } from '../library/drafts/edit-draft'
import { holdsSession, mayChangeAt, openToChange, type SessionAt } from '../library/may-change'
import { isAlreadySent, readDraft } from '../library/reading/draft'
import type { LibraryRoot } from '../library/roots'
import { workingSettings } from '../library/working-session'
import type { WorkerChanges } from './worker-changes'

/** A session whose draft is edited. */
type Edited = SessionAt & {
  roots: LibraryRoot[]
  /** The user was told that the session may be in use. */
  includeMaybe: boolean
}

type Working = { key: string; manager: SessionManager }

export function createDraftJobs(env: Environment, { context, lookAt }: WorkerChanges) {
  const seen: DraftsSeen = new Map()
  /** The session that is edited: opened once, and not for every save. */
  let working: Working | null = null
  let queue: Promise<unknown> = Promise.resolve()

  /** One edit after the other: what a second one replaces is what the first one wrote. */
  function turn<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    const done = queue.then(work)
    queue = done.catch(() => undefined)
    return done
  }

  async function sessionOf({ roots, includeMaybe, ...session }: Edited): Promise<Result<Working>> {
    lookAt(roots)
    const { journal, layout } = session
    const key = JSON.stringify([journal, layout, includeMaybe])
    const known = working
    if (known?.key === key && (await known.manager.refresh()).ok) {
      const may = mayChangeAt(env, session)
      if (!may.ok) return may
      const holds = holdsSession(known.manager)
      return holds.ok ? ok(known) : holds
    }
    // A draft is no part of the journal: no write is left to be remembered, by this run or the next.
    const { settings } = workingSettings(context, layout, null, { includeMaybe })
    const manager = openToChange(env, settings, session)
    if (!manager.ok) return manager
    working = { key, manager: manager.value }
    return ok(working)
  }

  return {
    saveDraft: (
      input: Edited & { text: string; version: string | null; change: string | null },
    ): Promise<Result<DraftSaved>> =>
      turn(async () => {
        const version = parseVersion(input.version)
        if (!version.ok) return version
        const session = await sessionOf(input)
        if (!session.ok) return session
        const { manager } = session.value
        const { text, change } = input
        const edited = await editDraft(context, manager, { text, version: version.value, change })
        if (!edited.ok) return edited
        const { state } = edited.value
        const saved = state.text === '' ? null : state.version
        return ok({
          version: saved === null ? null : versionText(saved),
          modified: saved === null ? null : modifiedOf(saved),
          bytes: saved?.size ?? 0,
          alreadySent: isAlreadySent(state.text, manager.document.facts.lastPrompt),
          change: edited.value.change,
        })
      }),

    discardDraft: (input: Edited & { version: string }): Promise<Result<ChangeReport>> =>
      turn(async () => {
        const version = parseVersion(input.version)
        if (!version.ok) return version
        const session = await sessionOf(input)
        if (!session.ok) return session
        const { manager } = session.value
        const edit = { text: '', version: version.value, change: null }
        const edited = await editDraft(context, manager, edit)
        if (!edited.ok) return edited
        const { change } = edited.value
        const done = change === null ? 0 : 1
        const notes = done === 0 ? ['The draft was gone already.'] : []
        const bytes = done === 0 ? 0 : (version.value?.size ?? 0)
        return ok({ changeId: change, done, asked: 1, files: done, bytes, staying: [], notes })
      }),

    listDrafts: (input: { roots: LibraryRoot[] }, work: WorkContext): Promise<Result<ListedDraft[]>> =>
      listDrafts(env, input.roots, seen, work),

    /** The whole text, also where the session is gone. */
    draftText: (input: { journal: string }): Result<{ text: string }> => {
      const draft = readDraft(env, input.journal)
      if (!draft.ok) return draft
      return draft.value === null
        ? err('not-found', 'That draft is not there any more: it was sent or discarded.', input.journal)
        : ok({ text: draft.value.text })
    },
  }
}
