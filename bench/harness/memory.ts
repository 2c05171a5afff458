/** How much memory this process holds, after the collector ran. */

export type MemoryUse = {
  /** Bytes of objects that are reachable. */
  heap: number
  /** Bytes of typed arrays and buffers. */
  buffers: number
  /** Bytes that the system gave to the process; what the collector freed may still be in it. */
  resident: number
}

/** Needs `--expose-gc`, which `npm run bench` gives. */
export function memoryUse(): MemoryUse {
  if (globalThis.gc === undefined)
    throw new Error('Start it with `npm run bench`, which can ask the collector.')
  // The second run takes what only finalisers of the first let go.
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage()
  return { heap: heapUsed, buffers: arrayBuffers, resident: rss }
}
