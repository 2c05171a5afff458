/** Sessions that are opened by their file. */
import { ok, type Result } from '@shared/ipc/result'
import { chooseSessionFile } from '../dialogs'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'

type Calls = 'library.openPath' | 'library.openFile'

export function openHandlers({ env, library, window }: HandlerDeps): Pick<Handlers, Calls> {
  async function open(path: string): Promise<Result<{ session: string }>> {
    const opened = await library.openFile(path)
    return opened.ok ? ok({ session: opened.value }) : opened
  }

  return {
    'library.openPath': ({ path }) => open(path),
    'library.openFile': async () => {
      const chosen = await chooseSessionFile(window, env.home)
      return chosen === null ? ok({ session: null }) : open(chosen)
    },
  }
}
