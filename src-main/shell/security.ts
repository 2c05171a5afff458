/**
 * What the window may not do: go elsewhere, open windows, ask for permissions, reach the network. Everything
 * it shows comes from this program's own schemes.
 */
import { app, session, type WebContents } from 'electron'
import { APP_ORIGIN, DATA_SCHEME } from './protocols'

/** Rules for every web contents that this process ever makes. */
export function hardenApp(): void {
  app.on('web-contents-created', (_event, contents) => hardenContents(contents))
}

function hardenContents(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-navigate', event => event.preventDefault())
  contents.on('will-redirect', event => event.preventDefault())
  contents.on('will-attach-webview', event => event.preventDefault())
}

/** Permissions are denied; requests other than our schemes' are cancelled. Call once the app is ready. */
export function hardenSession(): void {
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  defaultSession.setPermissionCheckHandler(() => false)
  defaultSession.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !isOwn(details.url) }))
  defaultSession.setSpellCheckerEnabled(false)
  defaultSession.on('will-download', event => event.preventDefault())
}

function isOwn(url: string): boolean {
  return (
    url.startsWith(`${APP_ORIGIN}/`) || url.startsWith(`${DATA_SCHEME}://`) || url.startsWith('devtools://')
  )
}
