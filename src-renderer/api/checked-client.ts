/** Chooses whether the client compares answers with the contract: with `?check=1` in the page's address. */
import { forbidGeneratedCode } from '@shared/ipc/contract'
import type { Bridge } from './bridge'
import { type Client, createClient } from './client'

/** Makes the window's client. `search` is the query of the page's address. */
export function createCheckedClient(bridge: Bridge, search: string): Client {
  forbidGeneratedCode()
  return createClient(bridge, { check: new URLSearchParams(search).get('check') === '1' })
}
