/** The scan worker of the app and the thread that helps it, which also tell how much they opened and read. */
import { fileURLToPath } from 'node:url'
import { ok, type Result } from '@shared/ipc/result'
import { nodeEnvironment } from '../../src-main/engine/node-environment'
import { countingFileSystem } from '../../src-main/engine/storage/counting-file-system'
import { createQuickJobs, quickHelper } from '../../src-main/workers/quick-jobs'
import { createScanJobs } from '../../src-main/workers/scan-jobs'
import { serveJobs } from '../../src-main/workers/serve-jobs'
import { WorkerClient } from '../../src-main/workers/worker-client'

export type CountedScanHandlers = ReturnType<typeof createCountedScanJobs>

type Work = { journals: number; bytesRead: number }

/** In a worker thread: answers what main asks, and what the thread asks that is helped. */
export function serveCountedScan(): void {
  serveJobs(createCountedScanJobs(), Date.now)
}

function createCountedScanJobs() {
  const plain = nodeEnvironment()
  const counting = countingFileSystem(plain.fs)
  const env = { ...plain, fs: counting }
  const helped = { journals: 0, bytesRead: 0 }
  const newHelper = () => {
    const client = new WorkerClient<ReturnType<typeof createQuickJobs> & { work(input: null): Result<Work> }>(
      fileURLToPath(import.meta.url),
    )
    const helper = quickHelper(client)
    const end = async () => {
      const did = await client.run('work', null)
      if (did.ok) helped.journals += did.value.journals
      if (did.ok) helped.bytesRead += did.value.bytesRead
      helper.end()
    }
    return { ...helper, end: () => void end() }
  }
  return {
    ...createScanJobs(env, newHelper),
    ...createQuickJobs(env),

    /** Journals that were opened, and bytes that were read of all files, since this was asked last. */
    work: (_input: null): Result<Work> => {
      const { opened, bytesRead } = counting.work
      const journals = [...opened.keys()].filter(file => file.endsWith('.jsonl')).length
      const all = { journals: journals + helped.journals, bytesRead: bytesRead + helped.bytesRead }
      counting.reset()
      Object.assign(helped, { journals: 0, bytesRead: 0 })
      return ok(all)
    },
  }
}
