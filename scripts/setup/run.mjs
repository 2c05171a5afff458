import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from './failure.mjs'
import { inRoot, ROOT } from './project.mjs'

/** Where set-up messages go: always stderr, so that a script's stdout holds only its answer. */
export function say(message) {
  process.stderr.write(`${message}\n`)
}

/** The command that runs npm with the Node.js of this process. */
export function npmCommand() {
  const beside = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js')
  const cli = process.env.npm_execpath ?? (existsSync(beside) ? beside : undefined)
  return cli?.endsWith('npm-cli.js') ? [process.execPath, cli] : ['npm']
}

/** The command that runs an installed package's program, without a shell and on every system. */
export function packageCommand(file, ...args) {
  return [process.execPath, inRoot('node_modules', file), ...args]
}

/** Runs a command with its output on stderr; returns its exit code (128 when a signal ended it). */
export function runLogged([command, ...args], options = {}) {
  const shell = process.platform === 'win32' && command === 'npm'
  const result = spawnSync(command, args, { cwd: ROOT, shell, stdio: ['ignore', 2, 2], ...options })
  if (result.error) throw new Failure(`${command}: ${result.error.message}`)
  return result.status ?? 128
}

/** Runs a command and returns what it wrote; throws with its stderr when it fails. */
export function capture([command, ...args], options = {}) {
  const result = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 << 20, ...options })
  if (result.error) throw result.error
  if (result.status !== 0) {
    const status = result.status ?? result.signal
    throw new Error(`${command} ${args.join(' ')}: exit ${status}\n${result.stderr}`)
  }
  return result.stdout
}

/** Runs a command in the foreground, passes SIGINT and SIGTERM on, and resolves to its exit code. */
export function runForeground([command, ...args], options = {}) {
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options })
  const pass = signal => child.kill(signal)
  process.on('SIGINT', pass).on('SIGTERM', pass)
  return new Promise((resolve, reject) => {
    child.on('error', error => reject(new Failure(`${command}: ${error.message}`)))
    child.on('close', (code, signal) => {
      process.off('SIGINT', pass).off('SIGTERM', pass)
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143))
    })
  })
}
