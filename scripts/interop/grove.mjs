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
