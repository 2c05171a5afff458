import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CACHE } from './project.mjs'

/** Tells whether a process with this id exists, whoever owns it. */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

// Between making a lock file and writing into it lies an instant; one that stays empty was left by a crash there.
const EMPTY_FOR_MS = 10_000

/** Removes a lock whose owner is gone. */
function dropIfDead(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    const isDead = pid > 0 ? !isAlive(pid) : Date.now() - statSync(file).mtimeMs > EMPTY_FOR_MS
    if (isDead) rmSync(file, { force: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

/**
 * Runs `work` while no other script in this checkout runs it: two commands started at once must not install or
 * build into the same folder. Waits for a live owner however long it takes.
 */
export async function withLock(name, work, directory = CACHE) {
  mkdirSync(directory, { recursive: true })
  const file = join(directory, `${name}.lock`)
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    dropIfDead(file)
    await sleep(100)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}
