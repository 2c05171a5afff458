/** Calls about one session that is being read. */

import { err, ok, type Result } from '@shared/ipc/result'
import { shell } from 'electron'
import { isArchive } from '../../engine/layout/session-paths'
import { archivedRefusal } from '../../engine/storage/archived-session-storage'
import type { SessionPlace } from '../../library/catalog/catalog'
import { resumeCommand } from '../../library/resume-command'
import { folderOutside } from '../../library/session-file'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'
import { parentView } from './family-handlers'

type SessionCalls =
  | 'session.open'
  | 'session.use'
  | 'session.close'
  | 'session.complete'
  | 'session.transcript'
  | 'session.outline'
  | 'session.rowOf'
  | 'session.text'
  | 'session.tree'
  | 'session.previews'
  | 'session.draft'
  | 'session.details'
  | 'session.resumeCommand'
  | 'session.reveal'
  | 'session.rawLine'

export function sessionHandlers({ env, library, worker }: HandlerDeps): Pick<Handlers, SessionCalls> {
  function placeOf(ref: string): Result<SessionPlace> {
    const place = library.place(ref)
    return place === undefined
      ? err('not-found', 'That session is not in the library (any more).')
      : ok(place)
  }

  /** Runs `work` with the place of a session, or answers that it is unknown. */
  async function withPlace<T>(
    ref: string,
    work: (place: SessionPlace) => Promise<Result<T>> | Result<T>,
  ): Promise<Result<T>> {
    const place = placeOf(ref)
    return place.ok ? work(place.value) : place
  }

  async function subagentRefs(place: SessionPlace): Promise<Record<string, string>> {
    const files = await worker.run('subagentFiles', { journal: place.file })
    if (!files.ok) return {}
    return Object.fromEntries(
      files.value.map(({ name, file }) => [name, library.catalog.refOf(file, place.root)]),
    )
  }

  return {
    'session.open': (asked, { signal, progress }) => {
      // One that was moved is opened where it lies now; its row tells its name there.
      const session = library.catalog.movedTo(asked.session) ?? asked.session
      return withPlace(session, async place => {
        const input = { journal: place.file }
        const opened = await worker.run('openSession', input, { signal, onProgress: progress })
        if (!opened.ok) return opened
        library.openSessions.add(session, place.file, opened.value)
        const { summary, growth: _growth, ...view } = opened.value
        const cwdState = await worker.run('projectStates', {
          cwds: summary.cwd === null ? [] : [summary.cwd],
        })
        // What is not known yet must not take the place of what a list knows.
        if (view.complete) library.takeOpened(summary)
        return ok({
          ...view,
          row: library.catalog.rowOf(summary, place.root),
          parent: parentView(library.catalog, { ...place, summary }),
          cwd: summary.cwd,
          projectState: (cwdState.ok ? cwdState.value[0]?.state : undefined) ?? 'unknown',
          outside: folderOutside(env, library.roots(), library.catalog, place.file),
          artifacts: summary.artifactCount,
          hasDraft: summary.hasDraft,
          damagedLines: summary.damagedLines,
        })
      })
    },

    'session.complete': ({ session }, { signal, progress }) =>
      withPlace(session, async place => {
        const input = { journal: place.file }
        const read = await worker.run('completeSession', input, { signal, onProgress: progress })
        if (!read.ok) return read
        library.openSessions.learnt(session, read.value)
        return ok({})
      }),

    'session.use': ({ session }) => withPlace(session, place => library.uses.lookAt(session, place)),

    'session.close': ({ session }) => {
      library.openSessions.remove(session)
      return ok({})
    },

    'session.transcript': ({ session, tip, from, count }, { signal }) =>
      withPlace(session, async place => {
        const input = { tip, from, count, subagents: await subagentRefs(place) }
        return worker.run('transcript', { ...library.imagePlace(session, place), ...input }, { signal })
      }),

    'session.outline': ({ session, tip }, { signal }) =>
      withPlace(session, place => worker.run('outline', { journal: place.file, tip }, { signal })),

    'session.rowOf': ({ session, tip, ordinal }, { signal }) =>
      withPlace(session, place => worker.run('rowOf', { journal: place.file, tip, ordinal }, { signal })),

    'session.text': ({ session, ordinal, part }, { signal }) =>
      withPlace(session, place =>
        worker.run('entryText', { journal: place.file, ordinal, part }, { signal }),
      ),

    'session.tree': ({ session }, { signal }) =>
      withPlace(session, place => worker.run('tree', { journal: place.file }, { signal })),

    'session.previews': ({ session, ordinals }, { signal }) =>
      withPlace(session, place => worker.run('previews', { journal: place.file, ordinals }, { signal })),

    'session.rawLine': ({ session, line }, { signal }) =>
      withPlace(session, place => worker.run('rawLine', { journal: place.file, line }, { signal })),

    'session.draft': ({ session }, { signal }) =>
      withPlace(session, place => worker.run('draft', { journal: place.file }, { signal })),

    'session.details': ({ session }, { signal }) =>
      withPlace(session, place => worker.run('details', library.imagePlace(session, place), { signal })),

    'session.resumeCommand': ({ session }) =>
      withPlace(session, async place => {
        if (isArchive(place.file)) return archivedRefusal(place.file)
        const cwd = place.summary?.cwd ?? null
        const state = await worker.run('projectStates', { cwds: cwd === null ? [] : [cwd] })
        const there = state.ok && state.value[0]?.state === 'present'
        return ok(resumeCommand(env, { file: place.file, cwd, cwdPresent: there, root: place.root }))
      }),

    'session.reveal': ({ session }) =>
      withPlace(session, place => {
        shell.showItemInFolder(place.file)
        return ok({})
      }),
  }
}
