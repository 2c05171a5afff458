/** Entry of the worker thread that builds the search index. */
import '../node-globals'
import { nodeEnvironment } from '../engine/node-environment'
import { createIndexJobs } from './index-jobs'
import { serveJobs } from './serve-jobs'

const env = nodeEnvironment()
serveJobs(createIndexJobs(env), env.now)
