/**
 * A program that is kept running for one test and asked again and again, so that it starts only once: omp's modules under
 * bun (omp-driver.mjs), or Grove's engine under Node.js (grove-driver.ts). Lines of base64 go to its stdin and come from
 * its descriptor 3: in JSON there are characters that some readers of lines take for the end of one.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { bundleForNode } from '../setup/bundle.mjs'
import { CACHE } from '../setup/project.mjs'

const LIMIT_MS = 120_000

export class Peer {
  #name
  #child
  #lines
  #errors = ''

  constructor(name, [program, ...args], options) {
    this.#name = name
    this.#child = spawn(program, args, { ...options, stdio: ['pipe', 'ignore', 'pipe', 'pipe'] })
    this.#child.stderr.setEncoding('utf8').on('data', text => {
      this.#errors += text
    })
    this.#lines = createInterface({ input: this.#child.stdio[3] })[Symbol.asyncIterator]()
  }

  /** Does steps one after the other; answers `{ ok }` or `{ error, code, stack }` for each. */
  async try(steps) {
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), LIMIT_MS)
    try {
      this.#child.stdin.write(`${Buffer.from(JSON.stringify(steps)).toString('base64')}\n`)
      const line = await this.#lines.next()
      if (line.done) throw new Error(`${this.#name} ended early: ${this.#errors}`)
      return JSON.parse(Buffer.from(line.value, 'base64').toString('utf8'))
    } finally {
      clearTimeout(timer)
    }
  }

  /** The same where no step may fail; answers what each says. */
  async run(steps) {
    const answers = await this.try(steps)
    return answers.map((answer, at) => {
      if ('error' in answer)
        throw new Error(`${this.#name}, step ${at + 1} (${steps[at].do}): ${answer.stack}`)
      return answer.ok
    })
  }

  /** One step; its answer. */
  async ask(step) {
    return (await this.run([step]))[0]
  }

  /** The error of a step that must fail. */
  async refusal(step) {
    const [answer] = await this.try([step])
    if (!('error' in answer))
      throw new Error(`${this.#name} does what it should refuse: ${JSON.stringify(step)}`)
    return answer
  }

  /** Ends it; at once when `atOnce`, else after what it is doing. */
  async stop(atOnce) {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    if (atOnce) this.#child.kill('SIGKILL')
    else this.#child.stdin.end()
    await ended
  }
}

let driver

/** Grove's engine, as one user runs it. */
export async function groveEngine(world, more = {}) {
  driver ??= bundleForNode('scripts/interop/grove-driver.ts', `${CACHE}/interop`)
  const command = [process.execPath, '--enable-source-maps', await driver]
  return new Peer('grove', command, { cwd: world.home, env: { ...world.env(), ...more } })
}
