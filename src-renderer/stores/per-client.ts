/** Stores of a single view, kept per window without being among its shared stores. */
import type { Client } from '../api/client'

/**
 * One instance per client. These stores serve a single view each, so they are not among the window's
 * shared stores; they still outlive the view, which comes and goes with its tab.
 */
export function perClient<S>(create: (client: Client) => S): (client: Client) => S {
  const known = new WeakMap<Client, S>()
  return client => {
    const store = known.get(client) ?? create(client)
    known.set(client, store)
    return store
  }
}
