/** Native dialogs, attached to the window. Each answers a path, or null when it was cancelled. */
import { dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron'
import type { MainWindow } from './main-window'

export function chooseFolder(
  window: MainWindow,
  title: string,
  startAt: string | null,
): Promise<string | null> {
  return choosePath(window, {
    title,
    properties: ['openDirectory'],
    ...(startAt === null ? {} : { defaultPath: startAt }),
  })
}

export function chooseSessionFile(window: MainWindow, startAt: string): Promise<string | null> {
  return choosePath(window, {
    title: 'Open a session file',
    properties: ['openFile'],
    filters: [{ name: 'Session files', extensions: ['jsonl'] }],
    defaultPath: startAt,
  })
}

async function choosePath(window: MainWindow, options: OpenDialogOptions): Promise<string | null> {
  const parent = window.browserWindow()
  const chosen =
    parent === null ? await dialog.showOpenDialog(options) : await dialog.showOpenDialog(parent, options)
  return chosen.canceled ? null : (chosen.filePaths[0] ?? null)
}

export async function chooseSaveFile(
  window: MainWindow,
  title: string,
  name: string,
): Promise<string | null> {
  const options: SaveDialogOptions = { title, defaultPath: name, properties: ['showOverwriteConfirmation'] }
  const parent = window.browserWindow()
  const chosen =
    parent === null ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(parent, options)
  return chosen.canceled ? null : (chosen.filePath ?? null)
}
