// `npm start`: sets up whatever is missing, then opens Grove. Nothing here asks a question.
//
//   npm start                  this user's sessions
//   npm start -- --samples     a fresh copy of the sample library, removed when the app has ended
//   npm start -- FILE.jsonl    and in it the session in that file
//   npm start -- ARGS          anything else goes to the app
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { electronEnv, electronSwitches, resolveElectron } from './electron-runtime.mjs'
import { ensureBuild } from './setup/build.mjs'
import { hasDisplay } from './setup/display.mjs'
import { Failure, runMain } from './setup/failure.mjs'
import { requireSupportedNode } from './setup/node-version.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { inRoot, ROOT } from './setup/project.mjs'
import { capture, runForeground, say } from './setup/run.mjs'
import { requireSandbox } from './setup/sandbox.mjs'
import { lastLine, parseStartArguments } from './setup/start-arguments.mjs'
import { ensureSystemPackages } from './setup/system-packages.mjs'

const NO_DISPLAY = `There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so Grove cannot open a window.
The command line does not need one:
  npm run -s cli -- list`

/** Makes the sample library in a fresh folder; returns that folder and the agent directory in it. */
function makeSamples() {
  const folder = mkdtempSync(join(tmpdir(), 'grove-samples-'))
  const agentDirectory = lastLine(capture([process.execPath, inRoot('scripts/samples.mjs'), folder]))
  if (!existsSync(agentDirectory)) throw new Failure('samples.mjs did not say where the sample library is.')
  return { folder, agentDirectory }
}

/**
 * What makes the app live in the sample library: its home, its own data and its window's profile. What is tried
 * there leaves no trace among the user's own recent changes, and directory names come out as omp gives them.
 */
function samplesEnvironment({ folder, agentDirectory }) {
  const home = dirname(dirname(agentDirectory))
  return {
    GROVE_SAMPLES: '1',
    GROVE_DATA_DIR: join(folder, 'grove-data'),
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
  }
}

function announce({ source, version }) {
  if (source !== 'fallback') return
  say(
    `Using Electron ${version}, an old one for closed networks. ELECTRON_RUNTIME=official npm start downloads the current one.`,
  )
}

async function start(args) {
  requireSupportedNode()
  if (!hasDisplay()) throw new Failure(NO_DISPLAY)
  const { samples, appArgs } = parseStartArguments(args, process.env.INIT_CWD ?? process.cwd())
  await ensurePackages()
  const runtime = await resolveElectron()
  announce(runtime)
  ensureSystemPackages(runtime.executable)
  requireSandbox(runtime.dist)
  await ensureBuild()

  const library = samples ? makeSamples() : undefined
  try {
    const env = { ...electronEnv(runtime), ...(library ? samplesEnvironment(library) : {}) }
    const libraryArgs = library ? ['--agent-dir', library.agentDirectory] : []
    return await runForeground(
      [runtime.executable, ...electronSwitches(), ROOT, ...libraryArgs, ...appArgs],
      { env },
    )
  } finally {
    if (library) rmSync(library.folder, { recursive: true, force: true })
  }
}

await runMain(start)
