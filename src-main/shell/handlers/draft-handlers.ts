/** Drafts: edited, discarded, and those of all sessions. */
import { err, ok, type Result } from '@shared/ipc/result'
import { shell } from 'electron'
import { attempt } from '../../engine/storage/errors'
import { draftFileOf } from '../../library/drafts/draft-version'
import { RefTable } from '../../library/refs'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'

type Calls =
  | 'draft.save'
  | 'draft.discard'
  | 'draft.reveal'
  | 'draft.location'
  | 'drafts.list'
  | 'drafts.text'
  | 'drafts.reveal'

export function draftHandlers({ env, library, worker, events }: HandlerDeps): Pick<Handlers, Calls> {
  /** Drafts that were listed, by the path of the session's file. */
  const drafts = new RefTable<string>('d')

  /** What the worker needs to know of the session that is edited. */
  function editedOf(session: string, includeMaybe: boolean) {
    const place = library.place(session)
    if (place === undefined) return err('not-found', 'That session is not in the library (any more).')
    const { file, root } = place
    const { layout, readOnly } = root
    return ok({ roots: library.roots(), journal: file, layout, readOnly, includeMaybe })
  }

  function listed(draft: string): Result<string> {
    const journal = drafts.resolve(draft)
    return journal === undefined ? err('not-found', 'That draft is not in the list (any more).') : ok(journal)
  }

  /** The file of the draft that belongs to the journal; an error when there is none. */
  function draftOf(journal: string): Result<string> {
    const file = draftFileOf(journal) ?? journal
    const there = attempt('look at', file, () => env.fs.lstat(file))
    return there.ok ? ok(file) : there
  }

  function draftOfSession(session: string): Result<string> {
    const place = library.place(session)
    if (place === undefined) return err('not-found', 'That session is not in the library (any more).')
    return draftOf(place.file)
  }

  function reveal(file: Result<string>): Result<Record<string, never>> {
    if (!file.ok) return file
    shell.showItemInFolder(file.value)
    return ok({})
  }

  return {
    'draft.save': async ({ session, text, version, change, includeMaybe = false }) => {
      const edited = editedOf(session, includeMaybe)
      if (!edited.ok) return edited
      const saved = await worker.run('saveDraft', { ...edited.value, text, version, change })
      if (!saved.ok) return saved
      // While a person types, the library is looked at again only when a draft came or went.
      const had = library.place(session)?.summary?.hasDraft
      if (had !== undefined && had !== (saved.value.version !== null)) void library.rescan()
      if (saved.value.change !== change) events.send('changes.changed', {})
      return saved
    },

    'draft.discard': async ({ session, version, includeMaybe = false }) => {
      const edited = editedOf(session, includeMaybe)
      if (!edited.ok) return edited
      const report = await worker.run('discardDraft', { ...edited.value, version })
      // The editor waits for the answer, and may be typed in again: the library follows by itself.
      void library.rescan()
      events.send('changes.changed', {})
      return report
    },

    'draft.reveal': ({ session }) => reveal(draftOfSession(session)),

    'draft.location': ({ session }) => {
      const file = draftOfSession(session)
      return file.ok ? ok({ path: file.value }) : file
    },

    'drafts.list': async (_input, { signal, progress }) => {
      const roots = library.roots()
      const list = await worker.run('listDrafts', { roots }, { signal, onProgress: progress })
      if (!list.ok) return list
      const items = list.value.map(({ item, journal, isOrphan, root: id }) => {
        const root = roots.find(one => one.id === id)
        const session = isOrphan || root === undefined ? null : library.catalog.refOf(journal, root)
        return { ref: drafts.issue(journal, journal), session, ...item }
      })
      return ok({ items, bytes: items.reduce((sum, { bytes }) => sum + bytes, 0) })
    },

    'drafts.text': ({ draft }) => {
      const journal = listed(draft)
      return journal.ok ? worker.run('draftText', { journal: journal.value }) : journal
    },

    'drafts.reveal': ({ draft }) => {
      const journal = listed(draft)
      return journal.ok ? reveal(draftOf(journal.value)) : journal
    },
  }
}
