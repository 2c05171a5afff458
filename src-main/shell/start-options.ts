/** What the app was started with. */
import path from 'node:path'
import type { Environment } from '../engine/environment'

export type StartOptions = {
  /** `--agent-dir DIR`: read this directory and nothing else. */
  onlyAgentDir: string | null
  /** The library is the made-up one of `npm start -- --samples`. */
  samples: boolean
  /** The window checks every answer against the contract; for development and tests. */
  checkContract: boolean
}

export function startOptions(argv: readonly string[], env: Environment): StartOptions {
  return {
    onlyAgentDir: optionValue(argv, '--agent-dir'),
    samples: env.env.GROVE_SAMPLES === '1',
    checkContract: env.env.GROVE_CHECK_CONTRACT === '1',
  }
}

function optionValue(argv: readonly string[], name: string): string | null {
  const at = argv.indexOf(name)
  const value =
    at === -1 ? argv.find(arg => arg.startsWith(`${name}=`))?.slice(name.length + 1) : argv[at + 1]
  return value === undefined || value === '' ? null : path.resolve(value)
}
