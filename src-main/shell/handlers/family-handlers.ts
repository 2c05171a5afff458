/** Relatives of a session. */
import type { SessionView } from '@shared/ipc/models/session-models'
import { err, ok } from '@shared/ipc/result'
import type { Catalog, SessionPlace } from '../../library/catalog/catalog'
import { relationsOf } from '../../library/catalog/relations'
import { displayTitle } from '../../library/catalog/session-row'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'

type Calls = 'session.family'

export function familyHandlers({ library, worker }: HandlerDeps): Pick<Handlers, Calls> {
  return {
    'session.family': async ({ session }) => {
      const place = library.place(session)
      if (place === undefined) return err('not-found', 'That session is not in the library (any more).')
      const subagents = await worker.run('subagentFiles', { journal: place.file })
      if (!subagents.ok) return subagents
      const { catalog } = library
      const related = relationsOf(place.file, place.summary, catalog.family(), subagents.value)
      return ok(
        related.map(({ file, ...relative }) => ({
          ...relative,
          session: file === null ? null : catalog.refOf(file, place.root),
        })),
      )
    },
  }
}

/** The session that one came from, or belongs to, as its head shows it. */
export function parentView(catalog: Catalog, { file, root, summary }: SessionPlace): SessionView['parent'] {
  const family = catalog.family()
  const owner = family.ownerOf(file)
  const link = owner === undefined && summary !== null ? family.parentOf(summary) : null
  const parent = owner ?? link?.parent
  if (parent === undefined) return null
  const ref = catalog.refOf(parent.file, root)
  return { ref, title: displayTitle(parent).title, kind: link?.origin ?? 'owner' }
}
