import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { inRoot } from '../setup/project.mjs'
import { runToEnd } from './process.mjs'

const CLI = inRoot('out/main/cli.cjs')
const LIMIT_MS = 120_000

/** Runs Grove's command line as the world's user; returns `{ status, stdout, stderr }`. */
export function groveRun(world, args) {
  const done = runToEnd([process.execPath, CLI, ...args], {
    cwd: world.home,
    env: world.env(),
    timeoutMs: LIMIT_MS,
  })
  if (done.problem) throw new Error(`grove ${args.join(' ')}: ${done.problem}`)
  return done
}

/** Runs a command that must succeed, for the world's agent directory; returns its JSON answer. */
export function grove(world, command, ...args) {
  const all = [command, ...args, '--agent-dir', world.agentDir, '--json']
  const { status, stdout, stderr } = groveRun(world, all)
  if (status !== 0) throw new Error(`grove ${all.join(' ')}: exit ${status}\n${stderr}${stdout}`)
  return JSON.parse(stdout)
}

const OUTPUT_LIMIT = 64 << 20

async function inspection(world, file) {
  const args = [CLI, 'inspect', file, '--agent-dir', world.agentDir, '--json']
  const options = { cwd: world.home, env: world.env(), timeout: LIMIT_MS, maxBuffer: OUTPUT_LIMIT }
  const { stdout } = await promisify(execFile)(process.execPath, args, options)
  return JSON.parse(stdout)
}

/** What `inspect` answers of each file, several at a time: to start Node.js takes longest. */
export async function inspectAll(world, files) {
  const answers = new Array(files.length)
  let next = 0
  const work = async () => {
    for (let at = next++; at < files.length; at = next++) answers[at] = await inspection(world, files[at])
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return answers
}
