/** Entry of the worker thread that looks at the whole library. */
import '../node-globals'
import { nodeEnvironment } from '../engine/node-environment'
import { createScanJobs } from './scan-jobs'
import { serveJobs } from './serve-jobs'

const env = nodeEnvironment()
serveJobs(createScanJobs(env), env.now)
