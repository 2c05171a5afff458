import { spawnSync } from 'node:child_process'

const OUTPUT_LIMIT = 256 << 20

/**
 * Runs a command to its end, with nothing to read unless `input` is given, and within a time limit. Never throws for
 * what the command does: `problem` says that it could not be started or took too long.
 *
 * @returns {{ status: number | null, stdout: string, stderr: string, problem: string | undefined }}
 */
export function runToEnd([command, ...args], { timeoutMs, input = '', ...options }) {
  const result = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: OUTPUT_LIMIT,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    input,
    ...options,
  })
  const late = result.error?.code === 'ETIMEDOUT'
  const problem = late ? `not done after ${timeoutMs / 1000} s` : result.error?.message
  const { status, stdout, stderr } = result
  return { status, stdout: stdout ?? '', stderr: stderr ?? '', problem }
}
