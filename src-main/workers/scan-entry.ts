/** Entry of the worker thread that looks at the whole library. Where there is a processor for it, another thread helps with many new sessions. */
import '../node-globals'
import os from 'node:os'
import path from 'node:path'
import { nodeEnvironment } from '../engine/node-environment'
import { quickHelper } from './quick-jobs'
import { createScanJobs } from './scan-jobs'
import { serveJobs } from './serve-jobs'
import { WorkerClient } from './worker-client'

const env = nodeEnvironment()
const newHelper =
  os.cpus().length > 1 ? () => quickHelper(new WorkerClient(path.join(__dirname, 'quick-worker.cjs'))) : null
serveJobs(createScanJobs(env, newHelper), env.now)
