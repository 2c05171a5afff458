/**
 * How a benchmark starts omp: prints `{ command, env, version, home, cwd }` of a program that runs omp's own modules under bun, with a
 * home folder below the present temp folder and no network; or `{ unavailable: REASON }`.
 *
 *   node omp-command.mjs SCRIPT     a script of this folder, such as omp-append.mjs
 */
import { installedOmp, Unavailable } from '../interop/install.mjs'
import { World } from '../interop/world.mjs'
import { runMain } from '../setup/failure.mjs'
import { inRoot } from '../setup/project.mjs'

function ompCommand(script) {
  try {
    const { bun, ompPackage, transpiled, version } = installedOmp()
    const world = new World()
    const env = { ...world.env(), BUN_RUNTIME_TRANSPILER_CACHE_PATH: transpiled }
    const command = [bun, inRoot('scripts/bench', script), ompPackage]
    return { command, env, version, home: world.home, cwd: world.folder('project') }
  } catch (error) {
    if (error instanceof Unavailable) return { unavailable: error.message }
    throw error
  }
}

await runMain(([script]) => {
  process.stdout.write(JSON.stringify(ompCommand(script)))
})
