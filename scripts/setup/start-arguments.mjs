import { resolve } from 'node:path'

/**
 * Splits `npm start -- ARGS` into what start.mjs does itself and what the app gets. `--samples` is ours. The value of
 * --agent-dir and session files are made absolute from the caller's folder, because the app runs in the project's root.
 */
export function parseStartArguments(args, callerDirectory) {
  const appArgs = args
    .filter(arg => arg !== '--samples')
    .map((arg, at, all) => {
      if (arg.startsWith('--agent-dir=')) return `--agent-dir=${resolve(callerDirectory, arg.slice(12))}`
      const isPath = all[at - 1] === '--agent-dir' || (!arg.startsWith('-') && arg.endsWith('.jsonl'))
      return isPath ? resolve(callerDirectory, arg) : arg
    })
  return { samples: args.includes('--samples'), appArgs }
}

/** The agent directory that samples.mjs made: the last line that it printed. */
export function lastLine(output) {
  return output.trimEnd().split('\n').at(-1)?.trim() ?? ''
}
