/** Entry of the thread that helps the worker that scans. */
import '../node-globals'
import { nodeEnvironment } from '../engine/node-environment'
import { createQuickJobs } from './quick-jobs'
import { serveJobs } from './serve-jobs'

const env = nodeEnvironment()
serveJobs(createQuickJobs(env), env.now)
