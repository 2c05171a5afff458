/** How often the window ended by itself: once is an accident, again and again is a fault that reloading repeats. Pure. */

/** As many crashes within this time (ms) are too many. */
const TOO_MANY = 3
const WITHIN_MS = 60_000

export class CrashCount {
  private readonly now: () => number
  private times: number[] = []

  constructor(now: () => number) {
    this.now = now
  }

  /** Notes one more; true when the user should be asked before the window is loaded again. */
  isTooMany(): boolean {
    const now = this.now()
    this.times = [...this.times.filter(time => now - time < WITHIN_MS), now]
    return this.times.length >= TOO_MANY
  }

  /** The user wants to go on: what was is forgotten. */
  forget(): void {
    this.times = []
  }
}
