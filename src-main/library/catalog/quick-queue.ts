/**
 * New sessions whose rows are read by both ends of their files: the newest first by this thread and, of many, the oldest by another at the
 * same time, until the two meet. Which of them reads a file changes nothing of its row.
 */
import { limits } from '@shared/limits'
import type { QuickPlaces } from './quick-summary'

/** Files from which on another thread is worth its start. */
const HELPED_FROM = 1_000
/** Files that it is asked for together: where the two meet, this one waits for so many at most. */
const BATCH = 64

/** What another thread is asked. Plain data. */
export type QuickInput = { file: string; places: QuickPlaces }

/** Packed summaries, null where only the whole file tells; null for all where that thread is lost. Never rejects. */
export type QuickHelper = {
  read(files: readonly QuickInput[]): Promise<readonly (string | null)[] | null>
  /** It is not needed any more. */
  end(): void
}

export class QuickQueue<F extends { file: string; bytes: number }> {
  private readonly newHelper: (() => QuickHelper) | null
  private readonly placesOf: (found: F) => QuickPlaces
  /** The next one last. */
  private files: F[] = []
  /** Those before this one were given to the helper. */
  private given = 0
  private readonly answers = new Map<F, Promise<string | null | undefined>>()

  constructor(newHelper: (() => QuickHelper) | null, placesOf: (found: F) => QuickPlaces) {
    this.newHelper = newHelper
    this.placesOf = placesOf
  }

  get length(): number {
    return this.files.length
  }

  /** Takes these, the next one last, in the place of all that were there. */
  put(files: F[]): void {
    this.files = files
    this.given = 0
    this.answers.clear()
    if (files.length >= HELPED_FROM && this.newHelper !== null) void this.giveAway(files, this.newHelper())
  }

  /** The next one; undefined: there is none. */
  pop(): F | undefined {
    return this.files.pop()
  }

  /** What the helper says of one; undefined: it was not asked, or is lost. */
  async answerOf(found: F): Promise<string | null | undefined> {
    const answer = this.answers.get(found)
    if (answer === undefined) return undefined
    this.answers.delete(found)
    return answer
  }

  private async giveAway(files: F[], helper: QuickHelper): Promise<void> {
    // Other files came in the place of these: nobody waits for them.
    while (this.files === files && this.given < files.length) {
      const part = files.slice(this.given, this.given + BATCH)
      this.given += part.length
      // Small ones are read whole, and counted with that.
      const batch = part.filter(({ bytes }) => bytes > limits.quickWholeBytes)
      const asked = helper.read(batch.map(found => ({ file: found.file, places: this.placesOf(found) })))
      for (const [at, found] of batch.entries())
        this.answers.set(
          found,
          asked.then(told => told?.[at]),
        )
      if ((await asked) === null) break
    }
    helper.end()
  }
}
