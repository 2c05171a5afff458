/** The scan worker of the app, which also tells how much it opened and read. */
import { ok, type Result } from '@shared/ipc/result'
import { nodeEnvironment } from '../../src-main/engine/node-environment'
import { countingFileSystem } from '../../src-main/engine/storage/counting-file-system'
import { createScanJobs } from '../../src-main/workers/scan-jobs'
import { serveJobs } from '../../src-main/workers/serve-jobs'

export type CountedScanHandlers = ReturnType<typeof createCountedScanJobs>

/** In a worker thread: answers what main asks. */
export function serveCountedScan(): void {
  serveJobs(createCountedScanJobs(), Date.now)
}

function createCountedScanJobs() {
  const env = nodeEnvironment()
  const counting = countingFileSystem(env.fs)
  return {
    ...createScanJobs({ ...env, fs: counting }),

    /** Journals that were opened, and bytes that were read of all files, since this was asked last. */
    work: (_input: null): Result<{ journals: number; bytesRead: number }> => {
      const { opened, bytesRead } = counting.work
      const journals = [...opened.keys()].filter(file => file.endsWith('.jsonl')).length
      counting.reset()
      return ok({ journals, bytesRead })
    },
  }
}
