/** What the methods of a session manager are asked for, and what they answer. */
import type { AgentLayout } from '../layout/agent-directories'

export type CreateOptions = {
  /** Working directory, absolute. */
  cwd: string
  /** Directory of the journal; default: the one of `cwd` in the sessions root. */
  directory?: string
  /** Id or path of the session it was made from. */
  parentSession?: string
}

export type AppendOptions = {
  /** Where the entry hangs; default: the leaf. Null: a root. */
  parentId?: string | null
  /** Whether the leaf moves to it. Default: only when it hangs under the leaf. */
  leaf?: 'follow' | 'stay'
}

export type Renamed = {
  /** False when the session has a title of its user's and this one is not. */
  changed: boolean
  /** Another program has the session, so that only the slot was written, and that program may put its own title there. */
  slotOnly: boolean
}

export type ForkOptions = {
  /** Directory of the new journal; default: the one of its working directory in the sessions root. */
  directory?: string
  /** Default true: what the entries refer to is copied. */
  withArtifacts?: boolean
  /** Only the path to this entry, without the draft. */
  leafId?: string | null
  /** The inherited entries cost nothing. */
  zeroCosts?: boolean
  /** Calls that wait for a result get one that says aborted. */
  abortDangling?: boolean
}

export type MoveOptions = {
  /** Another agent directory: blobs that the session refers to are copied there. */
  layout?: AgentLayout
  /** Directory for the journal, instead of the one that the folder has in a sessions root. */
  directory?: string
}
