/** Jobs as a worker runs them. */
import type { WorkContext } from '../../src-main/engine/environment'

/** Other messages get their turn between two steps; nobody is told of progress. */
export const workerWork: WorkContext = {
  breathe: () => new Promise(resolve => setImmediate(resolve)),
  progress: () => undefined,
}
