/** Ends the reading of a session's rows when the session is left, or when its opening ends without it. */
import type { Stores } from '../../stores/stores-context'

/** From now on; the answer ends it. */
export function stopReadingLeft({ session, transcript }: Stores): () => void {
  return session.subscribe(({ ref, view }) => {
    const read = transcript.getState().session
    if (read !== null && (ref !== read || view.state === 'error')) transcript.getState().stop()
  })
}
