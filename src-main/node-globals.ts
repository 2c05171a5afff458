/**
 * First import of every entry of main, worker and CLI. The oldest runtime (Node 18) has no global WebCrypto,
 * which uuid needs; later ones have it, and this does nothing there.
 */
import { webcrypto } from 'node:crypto'

if (!('crypto' in globalThis))
  Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true })
