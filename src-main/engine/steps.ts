/**
 * Work in steps: a generator that yields between them how far it is, so that the same work can be done at once, or in between
 * other work. What it holds open it lets go in `finally`.
 */
import type { WorkContext } from './environment'

/** How far work is, in bytes. */
export type Step = { done: number; total: number }
export type Steps<T> = Generator<Step, T, void>

/** Does all of it before anything else. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Lets other work in between the steps. Throws `cancelled` when that is wished. */
export async function inSteps<T>(steps: Steps<T>, work: WorkContext, text: string): Promise<T> {
  let finished = false
  try {
    for (;;) {
      const step = steps.next()
      finished = step.done === true
      if (step.done === true) return step.value
      work.progress(step.value.done, step.value.total, text)
      await work.breathe()
    }
  } finally {
    // Cancelled: what the work holds open is let go.
    if (!finished) closeSteps(steps)
  }
}

function closeSteps<T>(steps: Steps<T>): void {
  // A generator that is left early answers nothing, whatever `T` is.
  steps.return(undefined as T)
}
