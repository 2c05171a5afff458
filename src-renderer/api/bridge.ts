/** The bridge that the preload puts on the window. Only `api/` sees it. */
import type { Result } from '@shared/ipc/result'

export type Bridge = {
  call(name: string, input: unknown, callId: string): Promise<Result<unknown>>
  cancel(callId: string): void
  /** Where a file that was dropped or chosen lies; empty for one that lies nowhere. */
  pathOf(file: File): string
  onEvent(listener: (name: string, payload: unknown) => void): () => void
}

declare global {
  interface Window {
    readonly grove?: Bridge
  }
}

/** The bridge of this window; null when the page was not opened by Grove's main process. */
export function windowBridge(): Bridge | null {
  return window.grove ?? null
}
