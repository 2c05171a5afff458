/** The command line: finds the command, runs it, turns what it answers into an exit code. */
import '../node-globals'
import { nodeEnvironment } from '../engine/node-environment'
import { toAppError } from '../engine/storage/errors'
import { type Command, type CommandIo, UsageError } from './command'
import { commands } from './commands'
import { safeText } from './plain-text'
import { systemCheckWritable } from './writable'

/** The reader of the answer closed the pipe early (head, less). */
let readerGone = false

async function main(argv: string[]): Promise<number> {
  const io: CommandIo = {
    env: nodeEnvironment(),
    cwd: process.cwd(),
    print: line => {
      if (!readerGone) process.stdout.write(`${line}\n`)
    },
    // File names and texts from files reach messages: one line, and no control character acts on the terminal.
    error: line => process.stderr.write(`${safeText(line)}\n`),
    input: () => process.stdin,
    checkWritable: systemCheckWritable,
  }
  const [name, ...rest] = argv
  if (name === 'help' || name === '--help' || name === '-h') {
    printHelp(io.print)
    return 0
  }
  const command = commands.find(candidate => candidate.name === name)
  if (command === undefined) {
    const wrong = name === undefined ? 'a command is needed' : `unknown command ${name}`
    io.error(`grove: ${wrong}; commands are ${commands.map(({ name }) => name).join(', ')}, help.`)
    return 2
  }
  if (asksForHelp(rest)) {
    io.print(`Usage: grove COMMAND ...\n`)
    printCommand(command, io.print)
    return 0
  }
  try {
    return await command.run(rest, io)
  } catch (thrown) {
    if (thrown instanceof UsageError) {
      io.error(`grove: ${thrown.message} Usage: ${command.usage.split('\n')[0]}`)
      return 2
    }
    io.error(`grove: ${toAppError(thrown, `run ${name}`).message}`)
    return 1
  }
}

function printHelp(print: (line: string) => void): void {
  print('Usage: grove COMMAND ...')
  for (const command of commands) {
    print('')
    printCommand(command, print)
  }
}

function printCommand({ usage, summary }: Command, print: (line: string) => void): void {
  for (const line of usage.split('\n')) print(`  ${line}`)
  print(`      ${summary}`)
}

/** `COMMAND --help`; what stands behind `--` is a name. */
function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? argv.length : end).some(word => word === '--help' || word === '-h')
}

// A reader that went away is no failure, and no reason to stop in the middle of a change.
process.stdout.on('error', error => {
  if (readerGone) return
  if ('code' in error && error.code === 'EPIPE') readerGone = true
  else answerFailed(error)
})

/** The disk under standard output is full, or it is gone: the answer is not whole. */
function answerFailed(thrown: unknown): never {
  const { message } = toAppError(thrown, 'write the answer')
  const advice = 'Only the answer is lost: what the command changed is changed. Look before it is repeated.'
  process.stderr.write(`grove: ${safeText(`${message} ${advice}`)}\n`)
  process.exit(1)
}

void main(process.argv.slice(2)).then(code => {
  // Not `exit`: what is still in the pipe must be written first.
  process.exitCode = code
})
