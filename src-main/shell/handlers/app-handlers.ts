/** Calls about the program and its settings. */

import { err, ok } from '@shared/ipc/result'
import { app, clipboard, shell } from 'electron'
import { groveData } from '../../library/grove-data'
import { chooseFolder } from '../dialogs'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'
import { GESTURE_MS, linkProblem } from '../outside-links'

/** Runtimes before this are only used where no newer one can be had. */
const CURRENT_ELECTRON = 42

type AppCalls =
  | 'app.info'
  | 'app.copyText'
  | 'app.openLink'
  | 'settings.get'
  | 'settings.set'
  | 'settings.addRoot'
  | 'settings.removeRoot'

export function appHandlers({
  env,
  library,
  settings,
  window,
  options,
}: HandlerDeps): Pick<Handlers, AppCalls> {
  return {
    'app.info': () =>
      ok({
        version: app.getVersion(),
        electron: process.versions.electron ?? '',
        chrome: process.versions.chrome ?? '',
        node: process.versions.node,
        oldRuntime: Number((process.versions.electron ?? '0').split('.')[0]) < CURRENT_ELECTRON,
        platform: process.platform,
        dataDir: groveData(env).directory,
        samples: options.samples,
        onlyAgentDir: options.onlyAgentDir,
      }),
    'app.copyText': async ({ text }) => {
      await clipboard.writeText(text)
      return ok({})
    },
    'app.openLink': async ({ url }) => {
      const problem = linkProblem(url)
      if (problem !== null) return err('invalid-argument', problem)
      if (!window.usedWithin(GESTURE_MS)) return err('permission', 'A link is opened after a click only.')
      await shell.openExternal(url)
      return ok({})
    },
    'settings.get': () => ok(settings.current),
    'settings.set': change => settings.set(change),
    'settings.addRoot': async () => {
      const added = await chooseFolder(window, 'Choose an agent directory', env.home)
      if (added === null) return ok({ added })
      const saved = settings.set({ addedRoots: [...new Set([...settings.current.addedRoots, added])] })
      void library.rescan()
      return saved.ok ? ok({ added }) : saved
    },
    'settings.removeRoot': ({ root }) => {
      const directory = library.catalog.root(root)?.layout.agentDir
      if (directory === undefined) return err('not-found', 'That folder is not in the list.')
      const saved = settings.set({
        addedRoots: settings.current.addedRoots.filter(added => added !== directory),
      })
      void library.rescan()
      return saved.ok ? ok({}) : saved
    },
  }
}
