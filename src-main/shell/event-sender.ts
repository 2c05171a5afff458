/** Events to the window. Many of one kind at once become one. */

import { BRIDGE, type EventName, type EventPayload } from '@shared/ipc/contract'
import type { WebContents } from 'electron'

/** Milliseconds in which changes of the library are gathered into one event. */
const GATHER_MS = 60
/**
 * Between two such events while one follows the other, as when a library is counted: each has the window ask for what it shows and draw
 * it anew, and nobody reads numbers that change ten times a second.
 */
const APART_MS = 400

export class EventSender {
  private readonly contents: () => WebContents | null
  private gathered: { revision: number; sessions: Set<string> | null } | null = null
  private told = Number.NEGATIVE_INFINITY

  constructor(contents: () => WebContents | null) {
    this.contents = contents
  }

  send<N extends EventName>(name: N, payload: EventPayload<N>): void {
    this.contents()?.send(BRIDGE.event, name, payload)
  }

  /** The library changed: `sessions` null means that any may have. */
  libraryChanged(revision: number, sessions: readonly string[] | null): void {
    if (this.gathered === null) {
      this.gathered = { revision, sessions: new Set() }
      const since = performance.now() - this.told
      setTimeout(() => this.flush(), Math.max(GATHER_MS, APART_MS - since))
    }
    this.gathered.revision = revision
    if (sessions === null) this.gathered.sessions = null
    else for (const ref of sessions) this.gathered.sessions?.add(ref)
  }

  private flush(): void {
    const gathered = this.gathered
    this.gathered = null
    if (gathered === null) return
    this.told = performance.now()
    const sessions = gathered.sessions === null ? null : [...gathered.sessions]
    this.send('library.changed', { revision: gathered.revision, sessions })
  }
}
