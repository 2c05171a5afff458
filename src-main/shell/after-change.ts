/** What follows a change of files: the library is looked at again, and the window told. */
import type { Result } from '@shared/ipc/result'
import type { HandlerDeps } from './handler-deps'

/** Answers what the change answered, when rows and counts are right again. */
export async function changed<T>(
  { library, events }: Pick<HandlerDeps, 'library' | 'events'>,
  change: Promise<Result<T>>,
): Promise<Result<T>> {
  const done = await change
  await library.rescan()
  events.send('changes.changed', {})
  return done
}
