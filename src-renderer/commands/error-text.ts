/** The one place where an error code becomes words for the user. */
import type { AppError, ErrorCode } from '@shared/ipc/result'

/** What happened, in one short sentence without jargon. */
export function errorHeading(code: ErrorCode): string {
  switch (code) {
    case 'invalid-argument':
      return 'Grove asked for something that cannot be.'
    case 'not-found':
      return 'It is no longer there.'
    case 'conflict':
      return 'Something else stands in the way.'
    case 'changed-on-disk':
      return 'The file changed meanwhile, so nothing was done.'
    case 'in-use':
      return 'It is in use, so nothing was done.'
    case 'damaged':
      return 'The file is damaged.'
    case 'unsupported-version':
      return 'The file was written by a newer omp.'
    case 'too-large':
      return 'It is too large to show.'
    case 'io':
      return 'The disk did not answer as it should.'
    case 'no-space':
      return 'The disk is full.'
    case 'permission':
      return 'You may not read or change that file.'
    case 'cancelled':
      return 'Cancelled.'
    case 'internal':
      return 'Something went wrong inside Grove.'
    default:
      return code satisfies never
  }
}

/** Heading and message of an error in one line, for toasts. */
export function errorLine(error: AppError): string {
  const heading = errorHeading(error.code)
  return error.message === '' || error.message === heading ? heading : `${heading} ${error.message}`
}
