/**
 * Runs under bun, beside omp's own modules: appends messages through omp's session manager, as omp itself does, and takes the
 * time of each call.
 *
 *   bun omp-append.mjs OMP_PACKAGE
 *
 * Each line of stdin is a round, `{ messages, warm, count }`: a new session, `warm` messages that are not timed, then `count` that
 * are, taken from `messages` in turn. For each a line is written to descriptor 3: `{ times, file }`, times in ms.
 */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const [ompPackage] = process.argv.slice(2)
const { SessionManager } = await import(join(ompPackage, 'src/session/session-manager.ts'))

function round({ messages, warm, count }) {
  const manager = SessionManager.create(process.cwd())
  const times = new Array(count)
  for (let at = 0; at < warm + count; at++) {
    // omp keeps what it is given: each call gets an object of its own, as a conversation would bring.
    const message = structuredClone(messages[at % messages.length])
    const start = performance.now()
    manager.appendMessage(message)
    const end = performance.now()
    if (at >= warm) times[at - warm] = end - start
  }
  return { times, file: manager.getSessionFile() }
}

function answer(value) {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`)
  for (let at = 0; at < bytes.length; ) at += writeSync(3, bytes, at)
}

for await (const line of createInterface({ input: process.stdin })) answer(round(JSON.parse(line)))
// omp keeps timers and watchers that would hold the process.
process.exit(0)
