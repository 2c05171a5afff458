/** The one window: how it is made, shown and remembered. */
import path from 'node:path'
import type { Settings } from '@shared/ipc/models/app-models'
import { BrowserWindow, nativeTheme, type WebContents } from 'electron'
import { APP_ORIGIN } from './protocols'
import type { StartOptions } from './start-options'

const MIN_WIDTH = 560
const MIN_HEIGHT = 420

export class MainWindow {
  private readonly options: StartOptions
  private readonly closed: () => void
  private window: BrowserWindow | null = null

  constructor(options: StartOptions, closed: () => void) {
    this.options = options
    this.closed = closed
  }

  /** Opens the window, or shows it when it is open. */
  open(settings: Settings): void {
    if (this.window !== null) {
      this.show()
      return
    }
    nativeTheme.themeSource = settings.theme
    const window = new BrowserWindow({
      width: 1440,
      height: 900,
      minWidth: MIN_WIDTH,
      minHeight: MIN_HEIGHT,
      show: false,
      title: 'Grove',
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#121513' : '#f4f5f2',
      webPreferences: {
        preload: path.join(__dirname, '../preload/index.cjs'),
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webviewTag: false,
        spellcheck: false,
      },
    })
    window.once('ready-to-show', () => window.show())
    window.on('closed', () => {
      this.window = null
      this.closed()
    })
    const query = this.options.checkContract ? '?check=1' : ''
    // A failed load is shown by the window staying empty; Electron logs the reason.
    void window.loadURL(`${APP_ORIGIN}/index.html${query}`)
    this.window = window
  }

  private show(): void {
    if (this.window?.isMinimized()) this.window.restore()
    this.window?.focus()
  }

  browserWindow(): BrowserWindow | null {
    return this.window
  }

  /** The window's contents while it lives. */
  contents(): WebContents | null {
    return this.window === null || this.window.isDestroyed() ? null : this.window.webContents
  }
}
