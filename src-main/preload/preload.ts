/** The bridge: one channel for calls, one for cancelling, one for events. Knows nothing of what passes. */
import { contextBridge, ipcRenderer } from 'electron'

const CALL = 'grove:call'
const CANCEL = 'grove:cancel'
const EVENT = 'grove:event'

contextBridge.exposeInMainWorld('grove', {
  call: (name: string, input: unknown, callId: string): Promise<unknown> =>
    ipcRenderer.invoke(CALL, name, input, callId),
  cancel: (callId: string): void => ipcRenderer.send(CANCEL, callId),
  onEvent: (listener: (name: string, payload: unknown) => void): (() => void) => {
    const forward = (_event: unknown, name: string, payload: unknown) => listener(name, payload)
    ipcRenderer.on(EVENT, forward)
    return () => ipcRenderer.removeListener(EVENT, forward)
  },
})
