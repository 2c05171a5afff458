/** For systems on which we cannot look at other programs: says so, instead of saying that nobody uses a file. */
import { processIsAlive } from './process-liveness'
import type { ProcessTable } from './process-table'

export function unknownProcessTable(platform: string): ProcessTable {
  return {
    scan: async () => ({
      known: false,
      reason: `which programs have files open cannot be told on this system (${platform})`,
    }),
    isAlive: processIsAlive,
    startOf: () => null,
    startedAt: () => null,
  }
}
