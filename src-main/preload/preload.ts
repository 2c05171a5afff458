/** The bridge: one channel for calls, one for cancelling, one for events. Knows nothing of what passes. */
import { contextBridge, ipcRenderer, webUtils } from 'electron'

const CALL = 'grove:call'
const CANCEL = 'grove:cancel'
const EVENT = 'grove:event'

/** Electron before 32 has no `webUtils`; there a file of the system carries its path itself. */
function pathOf(file: File & { path?: string }): string {
  return webUtils === undefined ? (file.path ?? '') : webUtils.getPathForFile(file)
}

contextBridge.exposeInMainWorld('grove', {
  pathOf,
  call: (name: string, input: unknown, callId: string): Promise<unknown> =>
    ipcRenderer.invoke(CALL, name, input, callId),
  cancel: (callId: string): void => ipcRenderer.send(CANCEL, callId),
  onEvent: (listener: (name: string, payload: unknown) => void): (() => void) => {
    const forward = (_event: unknown, name: string, payload: unknown) => listener(name, payload)
    ipcRenderer.on(EVENT, forward)
    return () => ipcRenderer.removeListener(EVENT, forward)
  },
})
