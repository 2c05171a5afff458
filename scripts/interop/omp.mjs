import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '../setup/project.mjs'
import { Peer } from './peer.mjs'
import { runToEnd } from './process.mjs'

const DRIVER = inRoot('scripts/interop/omp-driver.mjs')
const LIMIT_MS = 120_000

/** omp itself, as one user runs it: its own modules through the driver, and its command line. */
export class Omp {
  constructor({ bun, ompPackage, transpiled }) {
    this.bun = bun
    this.ompPackage = ompPackage
    this.transpiled = transpiled
  }

  /**
   * Does steps one after the other in one process of omp's, and returns what omp says after each:
   *
   * - `{ do: 'create' | 'continue', cwd }`, `{ do: 'open', file }`, `{ do: 'fork', file, cwd }`, each with
   *   `calls: [{ call: METHOD, args, as }]` on the session; answers the facts of the session, and `answers` by `as`
   * - `{ do: 'list', cwd }` and `{ do: 'listAll' }`: omp's listings; `{ do: 'resume', argument, cwd }`: its choice
   * - `{ do: 'directory', cwd }`: where omp keeps the sessions of a folder; `{ do: 'recent', cwd }`: what it shows of them when it starts
   *
   * In a program that is kept running (`start`) also `hold: NAME` with the first, which leaves the session open for
   * `{ do: 'held', name, calls }`; `terminal` with each; and `{ do: 'holdLock', file, whileFile }`, which takes omp's own locks of a
   * journal, makes `WHILEFILE.held`, and keeps them as long as `whileFile` is there.
   */
  run(world, steps, options) {
    return this.try(world, steps, options).map((answer, at) => {
      if ('error' in answer) throw new Error(`omp, step ${at + 1} (${steps[at].do}): ${answer.stack}`)
      return answer.ok
    })
  }

  /** The same, where steps may fail: `{ ok }` or `{ error, stack }` for each. */
  try(world, steps, { terminal } = {}) {
    const exchange = mkdtempSync(join(world.root, 'answer-'))
    try {
      const file = join(exchange, 'answers.json')
      const command = [this.bun, DRIVER, this.ompPackage, file]
      const done = this.#spawn(world, command, { terminal, input: JSON.stringify(steps) })
      if (done.status !== 0) throw new Error(`omp's modules ended early: ${done.problem ?? done.stderr}`)
      return JSON.parse(readFileSync(file, 'utf8'))
    } finally {
      rmSync(exchange, { recursive: true, force: true })
    }
  }

  /** One step; its answer. */
  ask(world, step, options) {
    return this.run(world, [step], options)[0]
  }

  /** omp's modules in a process that is asked again and again. */
  start(world, more = {}) {
    const env = { ...world.env(), ...more, BUN_RUNTIME_TRANSPILER_CACHE_PATH: this.transpiled }
    return new Peer('omp', [this.bun, DRIVER, this.ompPackage], { cwd: world.home, env })
  }

  /** omp's command line. */
  cli(world, args) {
    const done = this.#spawn(world, [this.bun, join(this.ompPackage, 'dist/cli.js'), ...args], {})
    if (done.status !== 0) throw new Error(`omp ${args.join(' ')}: ${done.problem ?? done.stderr}`)
    return done.stdout
  }

  #spawn(world, command, { terminal, input }) {
    const env = { ...world.env(terminal), BUN_RUNTIME_TRANSPILER_CACHE_PATH: this.transpiled }
    return runToEnd(command, { cwd: world.home, env, input, timeoutMs: LIMIT_MS })
  }
}
