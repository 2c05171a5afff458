/** Calls about the library as a whole. */

import { err, ok } from '@shared/ipc/result'
import { shell } from 'electron'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'

type LibraryCalls = 'library.snapshot' | 'library.sessions' | 'library.rescan' | 'library.revealProject'

export function libraryHandlers({ library, worker }: HandlerDeps): Pick<Handlers, LibraryCalls> {
  return {
    'library.snapshot': async () => {
      const trash = await worker.run('countTrash', { roots: library.roots() })
      return ok(library.snapshot(trash.ok ? trash.value : 0))
    },
    'library.sessions': query => ok(library.page(query)),
    'library.rescan': async () => {
      await library.rescan()
      return ok({})
    },
    'library.revealProject': ({ project }) => {
      const cwd = library.catalog.projectCwd(project)
      if (cwd === undefined || cwd === null) return err('not-found', 'This project names no folder.')
      if (library.catalog.stateOf(cwd).state !== 'present')
        return err('not-found', `The folder ${cwd} is not there.`)
      // Shown, not opened: the path comes from a session file, and opening a bundle or a program would start it.
      shell.showItemInFolder(cwd)
      return ok({})
    },
  }
}
