/**
 * A page that ended by itself, or does not answer any more, is loaded again. Main lives on, and with it the library,
 * the refs and what the page showed. When that happens again and again, the user is asked.
 */
import { app, type BrowserWindow, dialog, type MessageBoxOptions } from 'electron'
import type { Environment } from '../engine/environment'
import { CrashCount } from './crash-count'

const CRASHED: MessageBoxOptions = {
  type: 'error',
  title: 'Grove',
  message: 'The window of Grove failed several times in a short while.',
  detail: 'Nothing on disk was changed by that. You can try once more, or quit and start Grove again.',
  buttons: ['Reload', 'Quit'],
  defaultId: 0,
  cancelId: 1,
  noLink: true,
}

const SILENT: MessageBoxOptions = {
  type: 'warning',
  title: 'Grove',
  message: 'The window of Grove does not answer.',
  detail: 'You can wait for it, or have it loaded again with what it showed.',
  buttons: ['Wait', 'Reload'],
  defaultId: 0,
  cancelId: 0,
  noLink: true,
}

export type Recovery = {
  /** The page is gone, with all that it waited for. */
  ended(): void
  /** Loads the page anew. */
  reload(): void
}

/** Watches over the page of a window for as long as the window lives. */
export function recoverPage(window: BrowserWindow, env: Environment, { ended, reload }: Recovery): void {
  const crashes = new CrashCount(env.now)
  let waiting: AbortController | null = null

  const onGone = async (): Promise<void> => {
    // The question whether to wait concerned the page that is gone.
    waiting?.abort()
    ended()
    if (!crashes.isTooMany()) {
      reload()
      return
    }
    const { response } = await dialog.showMessageBox(window, CRASHED)
    if (window.isDestroyed()) return
    if (response !== 0) {
      app.quit()
      return
    }
    crashes.forget()
    reload()
  }

  const onSilent = async (): Promise<void> => {
    if (waiting !== null) return
    waiting = new AbortController()
    const { signal } = waiting
    const { response } = await dialog.showMessageBox(window, { ...SILENT, signal })
    waiting = null
    // The page ends by this, and is brought back as any that ended.
    if (response === 1 && !signal.aborted && !window.isDestroyed()) {
      window.webContents.forcefullyCrashRenderer()
    }
  }

  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit') void onGone()
  })
  window.on('unresponsive', () => void onSilent())
  window.on('responsive', () => waiting?.abort())
}
