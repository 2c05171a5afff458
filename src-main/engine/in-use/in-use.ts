/** What is known about the use of a session. Each text is one sentence that names the program, its pid and why. */
export type InUseState =
  | { state: 'free' }
  | { state: 'in-use'; text: string; pid: number | null }
  | { state: 'maybe'; text: string; pid: number | null }
  | { state: 'unknown'; text: string }

/** One snapshot of the processes, asked about many sessions. */
export interface InUseCheck {
  /**
   * `journal` may be a subagent's file: its root session decides. `cwd` is the header's, or null when the
   * file names none.
   */
  check(journal: string, cwd: string | null): InUseState
  /** When the snapshot was taken, Unix ms. */
  readonly taken: number
}
