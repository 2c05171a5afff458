/** Entry of the worker thread that searches. Where there is a processor for it, another thread helps it to read files. */
import '../node-globals'
import os from 'node:os'
import path from 'node:path'
import { nodeEnvironment } from '../engine/node-environment'
import { createSearchJobs } from './search-jobs'
import { serveJobs } from './serve-jobs'
import { sieveHelper } from './sieve-jobs'
import { WorkerClient } from './worker-client'

const env = nodeEnvironment()
const helper =
  os.cpus().length > 1 ? sieveHelper(new WorkerClient(path.join(__dirname, 'sieve-worker.cjs'))) : null
serveJobs(createSearchJobs(env, helper), env.now)
