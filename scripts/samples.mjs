/**
 * npm run samples -- DIR [--odd [--full-size]] [--now ISO]
 *
 * Makes the sample library in DIR, which must be empty or not exist yet. The last line printed is the agent
 * directory. Exit 2 with one line on stderr when the arguments are wrong or DIR is in use.
 */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { makeSamples } from './samples/make-samples.mjs'

const USAGE = 'usage: npm run samples -- DIR [--odd [--full-size]] [--now ISO]'

function refuse(reason) {
  process.stderr.write(`${reason}\n`)
  process.exit(2)
}

/** The folder the caller stands in: npm changes to the project's root and tells the caller's in INIT_CWD. */
function callerDirectory() {
  const throughNpm = process.env.npm_lifecycle_event === 'samples'
  return (throughNpm && process.env.INIT_CWD) || process.cwd()
}

function parseArguments(args) {
  const options = { odd: false, fullSize: false, now: undefined }
  const places = []
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '--odd') options.odd = true
    else if (args[i] === '--full-size') options.fullSize = true
    else if (args[i] === '--now') {
      options.now = Date.parse(args[++i] ?? '')
      if (Number.isNaN(options.now)) refuse(`--now needs a time such as 2026-11-20T10:00:00Z; ${USAGE}`)
    } else if (args[i].startsWith('-')) refuse(`unknown option ${args[i]}; ${USAGE}`)
    else places.push(args[i])
  }
  if (places.length !== 1) refuse(USAGE)
  if (options.fullSize && !options.odd) refuse(`--full-size goes with --odd; ${USAGE}`)
  return { dir: path.resolve(callerDirectory(), places[0]), ...options }
}

/** Make sure that DIR is an empty directory. */
function prepare(dir) {
  if (existsSync(dir)) {
    if (!statSync(dir).isDirectory()) refuse(`${dir} is not a directory`)
    if (readdirSync(dir).length > 0)
      refuse(`${dir} is not empty; samples are made in a new or empty directory`)
  }
  try {
    mkdirSync(dir, { recursive: true })
  } catch (error) {
    refuse(`${dir} cannot be made: ${error.code ?? error.message}`)
  }
}

const { dir, ...options } = parseArguments(process.argv.slice(2))
prepare(dir)
const { agentDir, manifest } = makeSamples(dir, options)
const odd = options.odd ? `, ${manifest.odd.length} odd ones` : ''
process.stdout.write(
  `${manifest.sessions.length} sessions in ${manifest.projects.length} projects${odd}\n${agentDir}\n`,
)
