/**
 * Files that were given to the program: as arguments, by a second start, by the system (macOS). The window is told which
 * session each is, or why it is none, as soon as it listens.
 */
import path from 'node:path'
import { JOURNAL_SUFFIX } from '../engine/layout/session-paths'
import type { EventSender } from './event-sender'
import type { LibraryService } from './library-service'

/** The session files among a program's arguments, as absolute paths. Switches and their values are none. */
export function filesAmong(argv: readonly string[], workingDirectory: string): string[] {
  return argv
    .slice(1)
    .filter(argument => !argument.startsWith('-') && argument.endsWith(JOURNAL_SUFFIX))
    .map(argument => path.resolve(workingDirectory, argument))
}

export class FileRequests {
  private readonly library: LibraryService
  private readonly events: EventSender
  private waiting: string[] = []
  private listening = false
  private opening: Promise<void> = Promise.resolve()

  constructor(library: LibraryService, events: EventSender) {
    this.library = library
    this.events = events
  }

  /** Opens these files, now or when the page is there. */
  take(files: readonly string[]): void {
    this.waiting.push(...files)
    if (this.listening) this.openWaiting()
  }

  /** The page listens to events from now on. */
  pageReady(): void {
    this.listening = true
    this.openWaiting()
  }

  pageGone(): void {
    this.listening = false
  }

  private openWaiting(): void {
    // One session is shown at a time: of several, each is read and the last one stays.
    for (const file of this.waiting.splice(0)) this.opening = this.opening.then(() => this.open(file))
  }

  private async open(file: string): Promise<void> {
    const opened = await this.library.openFile(file)
    if (opened.ok) this.events.send('app.openSession', { session: opened.value })
    else this.events.send('app.problem', { text: opened.error.message, path: file })
  }
}
