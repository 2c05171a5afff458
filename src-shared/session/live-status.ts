/** How a session stands now: how its file ends, and whether a program has it. One answer for the list and the head. Pure. */
import type { SessionStatus } from './status'

export type LiveStatus = SessionStatus | 'running' | 'waiting' | 'in-use' | 'maybe-in-use'

/** `use`: what is known of who has it; null: nobody that is known of. */
export function liveStatus(status: SessionStatus, use: 'in-use' | 'maybe' | null): LiveStatus {
  if (use === null) return status
  if (use === 'maybe') return 'maybe-in-use'
  switch (status) {
    // The last message waits: a prompt or a tool's result for an answer, a call for its tool.
    case 'pending':
    case 'interrupted':
      return 'running'
    case 'complete':
      return 'waiting'
    case 'error':
    case 'aborted':
    case 'unknown':
      return 'in-use'
    default:
      return status satisfies never
  }
}
