/**
 * The typed client: every call of the contract answers with a `Result`, never with a rejection. A call
 * can be cancelled with an `AbortSignal`, and reports progress to `onProgress`.
 */
import type { CallInput, CallName, CallOutput, EventName, EventPayload } from '@shared/ipc/contract'
import { calls, events } from '@shared/ipc/contract'
import type { Result } from '@shared/ipc/result'
import { err } from '@shared/ipc/result'
import type { Bridge } from './bridge'

export type Progress = { done: number; total: number; text: string }

export type CallOptions = {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: Progress) => void) | undefined
}

export type Client = {
  call<N extends CallName>(
    name: N,
    input: CallInput<N>,
    options?: CallOptions,
  ): Promise<Result<CallOutput<N>>>
  /** Where a file that was dropped lies; empty for one that lies nowhere. */
  pathOf(file: File): string
  /** Calls `listener` on each event of that name; the answer ends it. */
  on<E extends EventName>(name: E, listener: (payload: EventPayload<E>) => void): () => void
}

type Listener = (payload: never) => void

/** Wraps a bridge. With `check`, outputs and events are compared with the contract's schemas. */
export function createClient(bridge: Bridge, options: { check: boolean }): Client {
  const listeners = new Map<string, Set<Listener>>()
  const progress = new Map<string, (progress: Progress) => void>()

  bridge.onEvent((name, payload) => {
    if (!Object.hasOwn(events, name)) return
    // Safe: `hasOwn` just said that the name is one of the contract's.
    const eventName = name as EventName
    if (options.check && !events[eventName].safeParse(payload).success) {
      console.error(`Event ${name} does not match the contract.`)
    }
    if (eventName === 'progress') {
      // Main validates what it sends; `check` compares it once more in tests.
      const report = payload as EventPayload<'progress'>
      progress.get(report.callId)?.(report)
    }
    // The set under a name only holds listeners that take this name's payload (see `on`).
    for (const listener of [...(listeners.get(name) ?? [])]) listener(payload as never)
  })

  return {
    async call(name, input, callOptions) {
      const callId = crypto.randomUUID()
      const signal = callOptions?.signal
      if (signal?.aborted) return err('cancelled', 'Cancelled.')
      const onAbort = () => bridge.cancel(callId)
      signal?.addEventListener('abort', onAbort)
      if (callOptions?.onProgress) progress.set(callId, callOptions.onProgress)
      try {
        const result = await bridge.call(name, input, callId)
        if (result.ok && options.check) {
          const checked = calls[name].output.safeParse(result.value)
          if (!checked.success) return err('internal', `The answer to ${name} is not as agreed.`)
        }
        // Main's handler for `name` is typed by the same contract.
        return result as Result<CallOutput<typeof name>>
      } catch (cause) {
        return err('internal', cause instanceof Error ? cause.message : 'The window lost its main process.')
      } finally {
        signal?.removeEventListener('abort', onAbort)
        progress.delete(callId)
      }
    },
    pathOf: file => bridge.pathOf(file),
    on(name, listener) {
      const set = listeners.get(name) ?? new Set<Listener>()
      listeners.set(name, set)
      // Kept under its own name, so it is only called with that name's payload.
      const kept = listener as Listener
      set.add(kept)
      return () => set.delete(kept)
    },
  }
}
