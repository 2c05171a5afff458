/** Runs an async task so that many requests during one run cost exactly one more run. */

export type Coalesced = () => Promise<void>

/** Wraps `task`: never two runs at once, and a request made during a run is served by a run after it. */
export function coalesce(task: () => Promise<void>): Coalesced {
  let running: Promise<void> | null = null
  let again: Promise<void> | null = null
  const start = (): Promise<void> => {
    running = task().finally(() => {
      running = null
    })
    return running
  }
  return () => {
    if (!running) return start()
    again ??= running.then(() => {
      again = null
      return start()
    })
    return again
  }
}
