/**
 * Where tests run: a user with home folder and agent directory, and both programs, started when a test asks for them. Tests that
 * name a `group` come one after the other on one stage, each with folders of its own: to start the programs takes longest.
 */
import { join } from 'node:path'
import { groveEngine } from './peer.mjs'
import { World } from './world.mjs'

class Stage {
  #omp
  #programs = []
  #pair
  #tests = 0
  #shared

  constructor(omp, { samples, shared }) {
    this.#omp = omp
    this.#shared = shared
    this.world = new World({ samples })
  }

  /** What a test is given. `start` takes further programs, which end with the stage. */
  forTest() {
    this.#tests++
    const { world } = this
    const start = async program => {
      this.#programs.push(await program)
      return this.#programs.at(-1)
    }
    const both = async () => {
      this.#pair ??= { theirs: await start(this.#omp.start(world)), ours: await start(groveEngine(world)) }
      return this.#pair
    }
    return {
      world: this.#shared ? withFolders(world, `test-${this.#tests}`) : world,
      omp: this.#omp,
      both,
      start,
    }
  }

  async close(keep, failed) {
    await Promise.all(this.#programs.map(program => program.stop(failed)))
    if (!keep) this.world.remove()
  }
}

/** The same user, whose folders lie below one of the test's own. */
function withFolders(world, prefix) {
  const own = Object.create(world)
  own.folder = path => world.folder(join(prefix, path))
  return own
}

export class Stages {
  #omp
  #keep
  #shared

  /** @param {boolean} keep whether the folders stay, to look at */
  constructor(omp, keep) {
    this.#omp = omp
    this.#keep = keep
  }

  /** Runs one test; says how it went, and returns whether it passed. */
  async run({ name, samples, group, run }) {
    const begin = Date.now()
    if (this.#shared?.group !== group) await this.close()
    const stage = this.#shared?.stage ?? new Stage(this.#omp, { samples, shared: group !== undefined })
    if (group !== undefined) this.#shared = { group, stage }
    let error
    try {
      await run(stage.forTest())
    } catch (thrown) {
      error = thrown
    }
    // After a failure the programs may hold or wait for anything.
    if (group === undefined || error) {
      this.#shared = undefined
      await stage.close(this.#keep, error !== undefined)
    }
    const seconds = ((Date.now() - begin) / 1000).toFixed(1)
    process.stdout.write(`${error ? '✗' : '✓'} ${name} (${seconds} s)\n`)
    if (error) process.stdout.write(`${error.stack}\n`)
    if (this.#keep) process.stdout.write(`  ${stage.world.root}\n`)
    return error === undefined
  }

  async close() {
    const shared = this.#shared
    this.#shared = undefined
    await shared?.stage.close(this.#keep, false)
  }
}
