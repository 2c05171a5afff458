/**
 * What the window may not do: go elsewhere, open windows, ask for permissions, reach the network. Everything
 * it shows comes from this program's own schemes.
 */
import { app, type Session, type WebContents } from 'electron'
import { APP_ORIGIN, DATA_SCHEME } from './protocols'

/** Rules for every web contents and every session that this process ever makes. Call before the app is ready. */
export function hardenApp(): void {
  app.on('web-contents-created', (_event, contents) => hardenContents(contents))
  app.on('session-created', hardenSession)
}

function hardenContents(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-navigate', event => event.preventDefault())
  contents.on('will-frame-navigate', event => event.preventDefault())
  contents.on('will-redirect', event => event.preventDefault())
  contents.on('will-attach-webview', event => event.preventDefault())
  // Connections between browsers do not pass through the rules for requests below.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
}

/** Permissions and downloads are denied; requests other than our schemes' are cancelled. */
function hardenSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
  session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !isOwn(details.url) }))
  session.setSpellCheckerEnabled(false)
  session.on('will-download', event => event.preventDefault())
}

/** The developer tools are pages of the runtime's own; nothing in the app opens them. */
function isOwn(url: string): boolean {
  return (
    url.startsWith(`${APP_ORIGIN}/`) || url.startsWith(`${DATA_SCHEME}://`) || url.startsWith('devtools://')
  )
}
