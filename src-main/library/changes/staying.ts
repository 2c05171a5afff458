/** Why a session stays where it is: an error value, as a plan or report says it. */
import type { StayingSession } from '@shared/ipc/models/change-models'
import type { AppError, ErrorCode } from '@shared/ipc/result'

type Named = { ref: string | null; title: string }

/** The entry of a report for a session that an error kept in its place. */
export function stayingBecause({ ref, title }: Named, error: AppError): StayingSession {
  return { ref, title, reason: reasonOf(error.code), text: error.message }
}

export function staying(
  { ref, title }: Named,
  reason: StayingSession['reason'],
  text: string,
): StayingSession {
  return { ref, title, reason, text }
}

function reasonOf(code: ErrorCode): StayingSession['reason'] {
  switch (code) {
    case 'in-use':
      return 'in-use'
    case 'conflict':
      return 'clash'
    case 'changed-on-disk':
      return 'changed-on-disk'
    case 'not-found':
      return 'missing'
    case 'permission':
      return 'permission'
    case 'damaged':
      return 'damaged'
    case 'unsupported-version':
      return 'unsupported-version'
    case 'invalid-argument':
    case 'too-large':
    case 'io':
    case 'no-space':
    case 'cancelled':
    case 'internal':
      return 'failed'
    default:
      return code satisfies never
  }
}
