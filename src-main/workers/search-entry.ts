/** Entry of the worker thread that searches. */
import '../node-globals'
import { nodeEnvironment } from '../engine/node-environment'
import { createSearchJobs } from './search-jobs'
import { serveJobs } from './serve-jobs'

const env = nodeEnvironment()
serveJobs(createSearchJobs(env), env.now)
