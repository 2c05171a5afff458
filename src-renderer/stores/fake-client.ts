/** A client for unit tests: answers calls from a table of handlers and lets the test raise events. */
import type { CallInput, CallName, CallOutput, EventName, EventPayload } from '@shared/ipc/contract'
import type { Result } from '@shared/ipc/result'
import { err } from '@shared/ipc/result'
import type { CallOptions, Client } from '../api/client'

export type FakeHandlers = {
  [N in CallName]?: (
    input: CallInput<N>,
    options: CallOptions,
  ) => Result<CallOutput<N>> | Promise<Result<CallOutput<N>>>
}

export type FakeClient = Client & {
  /** Calls that were made, in order. */
  made: { name: CallName; input: unknown }[]
  raise<E extends EventName>(name: E, payload: EventPayload<E>): void
}

/** Calls without a handler answer `internal`, so a test never hangs on one it forgot. */
export function createFakeClient(handlers: FakeHandlers): FakeClient {
  const listeners: { name: EventName; listener: (payload: never) => void }[] = []
  const made: { name: CallName; input: unknown }[] = []
  return {
    made,
    async call(name, input, options = {}) {
      made.push({ name, input })
      const handler = handlers[name]
      if (!handler) return err('internal', `no handler for ${name}`)
      return await handler(input, options)
    },
    pathOf: file => `/dropped/${file.name}`,
    on(name, listener) {
      // Only ever called with its own name's payload, see `raise`.
      const entry = { name, listener: listener as (payload: never) => void }
      listeners.push(entry)
      return () => {
        const at = listeners.indexOf(entry)
        if (at >= 0) listeners.splice(at, 1)
      }
    },
    raise(name, payload) {
      // Kept with the name it was registered for, so it takes this payload.
      for (const entry of [...listeners]) if (entry.name === name) entry.listener(payload as never)
    },
  }
}
