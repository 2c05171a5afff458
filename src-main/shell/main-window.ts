/** The one window: how it is made, shown, remembered, and brought back when its page ends by itself. */
import path from 'node:path'
import type { Settings, ShownPlace } from '@shared/ipc/models/app-models'
import { BrowserWindow, nativeTheme, screen, type WebContents } from 'electron'
import type { Environment } from '../engine/environment'
import { groveData } from '../library/grove-data'
import { APP_ORIGIN } from './protocols'
import type { StartOptions } from './start-options'
import { placeWindow } from './window-placement'
import { recoverPage } from './window-recovery'
import { readWindowState, type WindowState, writeWindowState } from './window-state'

const USUAL_SIZE = { width: 1440, height: 900 }
const LEAST_SIZE = { width: 560, height: 420 }
/** Milliseconds after the last move or resize until it is remembered. */
const SETTLED_MS = 800
/** What counts as an act of the user: pressing and letting go, not moving about. */
const ACTS: ReadonlySet<string> = new Set([
  'mouseDown',
  'mouseUp',
  'rawKeyDown',
  'keyDown',
  'char',
  'gestureTap',
  'touchEnd',
])

export type ShownBefore = { place: ShownPlace | null; crashed: boolean }

export class MainWindow {
  private readonly env: Environment
  private readonly options: StartOptions
  private readonly pageEnded: () => void
  private window: BrowserWindow | null = null
  private lastAct = Number.NEGATIVE_INFINITY
  private shown: ShownBefore = { place: null, crashed: false }

  /** `pageEnded` is called when what the page asked for is of no use any more: it crashed, or its window closed. */
  constructor(env: Environment, options: StartOptions, pageEnded: () => void) {
    this.env = env
    this.options = options
    this.pageEnded = pageEnded
  }

  /** Opens the window, or shows it when it is open. */
  open(settings: Settings): void {
    const open = this.browserWindow()
    if (open !== null) {
      if (open.isMinimized()) open.restore()
      open.focus()
      return
    }
    nativeTheme.themeSource = settings.theme
    const before = readWindowState(this.env, groveData(this.env))
    const window = new BrowserWindow({
      ...placeWindow(before?.bounds ?? null, workAreas(), USUAL_SIZE, LEAST_SIZE),
      minWidth: LEAST_SIZE.width,
      minHeight: LEAST_SIZE.height,
      show: false,
      title: 'Grove',
      fullscreen: before?.fullScreen === true,
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#121513' : '#f4f5f2',
      webPreferences: {
        preload: path.join(__dirname, '../preload/index.cjs'),
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        allowRunningInsecureContent: false,
        experimentalFeatures: false,
        navigateOnDragDrop: false,
        webviewTag: false,
        spellcheck: false,
        zoomFactor: before?.zoomFactor ?? 1,
      },
    })
    this.window = window
    window.once('ready-to-show', () => {
      if (before?.maximized === true) window.maximize()
      window.show()
    })
    window.on('closed', () => {
      // Another one may have been opened since this one was destroyed.
      if (this.window === window) this.window = null
      this.pageEnded()
    })
    window.webContents.on('input-event', (_event, input) => {
      if (ACTS.has(input.type)) this.lastAct = this.env.now()
    })
    this.remember(window, before)
    const load = () => this.load(window)
    recoverPage(window, this.env, {
      ended: this.pageEnded,
      reload: () => {
        this.shown.crashed = true
        load()
      },
    })
    load()
  }

  private load(window: BrowserWindow): void {
    const query = this.options.checkContract ? '?check=1' : ''
    // A failed load is shown by the window staying empty; Electron logs the reason.
    void window.loadURL(`${APP_ORIGIN}/index.html${query}`)
  }

  /** Keeps where the window is, from now on. A disk that takes no more keeps it from being remembered, and no more. */
  private remember(window: BrowserWindow, before: WindowState | null): void {
    let zoomFactor = before?.zoomFactor ?? 1
    let written = JSON.stringify(before)
    let timer: NodeJS.Timeout | undefined
    const save = () => {
      clearTimeout(timer)
      if (window.isDestroyed()) return
      const state: WindowState = {
        bounds: window.getNormalBounds(),
        maximized: window.isMaximized(),
        fullScreen: window.isFullScreen(),
        zoomFactor,
      }
      if (JSON.stringify(state) === written) return
      written = JSON.stringify(state)
      writeWindowState(this.env, groveData(this.env), state)
    }
    const soon = () => {
      clearTimeout(timer)
      timer = setTimeout(save, SETTLED_MS)
    }
    const { webContents } = window
    // Chromium keeps a zoom of its own for each page; what was remembered wins.
    webContents.on('did-finish-load', () => webContents.setZoomFactor(zoomFactor))
    const noteZoom = () => {
      zoomFactor = webContents.getZoomFactor()
    }
    // The page that is loaded in its place is as large as it was.
    webContents.on('render-process-gone', noteZoom)
    window.on('resize', soon)
    window.on('move', soon)
    window.on('maximize', soon)
    window.on('unmaximize', soon)
    window.on('enter-full-screen', soon)
    window.on('leave-full-screen', soon)
    window.on('close', () => {
      noteZoom()
      save()
    })
  }

  /**
   * Closes the window. False when its page keeps it open after `graceMs`: something typed could not be saved. A page that
   * does not answer at all keeps nothing.
   */
  close(graceMs: number): Promise<boolean> {
    const window = this.browserWindow()
    if (window === null) return Promise.resolve(true)
    return new Promise(resolve => {
      let kept = false
      window.webContents.once('will-prevent-unload', () => {
        kept = true
      })
      const timer = setTimeout(() => resolve(!kept), graceMs)
      window.once('closed', () => {
        clearTimeout(timer)
        resolve(true)
      })
      window.close()
    })
  }

  /** The window while it lives: one that is destroyed is told of only later, and throws whatever it is asked. */
  browserWindow(): BrowserWindow | null {
    return this.window === null || this.window.isDestroyed() ? null : this.window
  }

  /** The window's contents while they live. */
  contents(): WebContents | null {
    const window = this.browserWindow()
    if (window === null || window.webContents.isCrashed()) return null
    return window.webContents
  }

  /** Whether the user clicked or pressed a key in the window a short while ago. */
  usedWithin(ms: number): boolean {
    return this.env.now() - this.lastAct <= ms
  }

  /** The page shows this now. */
  rememberShown(place: ShownPlace): void {
    this.shown.place = place
  }

  /** What the page showed last, and whether it ended by itself since; that is told once. */
  takeShown(): ShownBefore {
    const shown = { ...this.shown }
    this.shown.crashed = false
    return shown
  }
}

/** What each display has for windows, the primary display first. */
function workAreas() {
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id)
  return [primary, ...others].map(({ workArea }) => workArea)
}
