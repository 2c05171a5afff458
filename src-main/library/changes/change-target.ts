/** A session that a change is about: what the catalog (or a file path on the command line) knows of it. */
export type ChangeTarget = {
  /** Name the window knows it by; null on the command line. */
  ref: string | null
  /** Absolute path of the journal, not resolved: a link is named as itself. */
  journal: string
  /** Sessions root in whose trash it goes. */
  sessionsDir: string
  agentDir: string | null
  /** The header's cwd, or null when it names none. */
  cwd: string | null
  id: string | null
  title: string
  /** The root may not be changed (pi's, or one the user added so). */
  readOnly: boolean
}
