/** Entry of the thread that helps the worker that searches. */
import '../node-globals'
import { nodeEnvironment } from '../engine/node-environment'
import { serveJobs } from './serve-jobs'
import { createSieveJobs } from './sieve-jobs'

const env = nodeEnvironment()
serveJobs(createSieveJobs(env), env.now)
