import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Failure } from './failure.mjs'

const SCREEN = '1600x1000x24'
const START_TIMEOUT_MS = 20_000

/** Tells whether windows can be shown. Only Linux can be without a display here. */
export function hasDisplay(env = process.env, platform = process.platform) {
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

/** Reads the display number that Xvfb writes to its fourth descriptor once it is ready. */
async function readyDisplay(server) {
  const chosen = once(server.stdio[3], 'data').then(([data]) => `:${String(data).trim()}`)
  const ended = once(server, 'close').then(([code]) => {
    throw new Failure(`Xvfb ended before it was ready (exit ${code}).`)
  })
  const slow = new Promise((_, reject) => {
    setTimeout(() => reject(new Failure('Xvfb did not get ready.')), START_TIMEOUT_MS).unref()
  })
  return Promise.race([chosen, ended, slow])
}

/**
 * Runs `work(display)` with a private X server of our own, which picks a free number itself and ends afterwards.
 * For tests and pictures only: the app itself is never shown on it.
 */
export async function withXvfb(work) {
  const args = ['-displayfd', '3', '-screen', '0', SCREEN, '-nolisten', 'tcp', '-noreset']
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const closed = once(server, 'close').catch(() => {})
  const stop = () => server.kill('SIGTERM')
  process.on('exit', stop)
  try {
    const display = await readyDisplay(server)
    return await work(display)
  } catch (error) {
    throw error.code === 'ENOENT'
      ? new Failure('Xvfb is not installed; `npm test` sets it up or says how.')
      : error
  } finally {
    process.off('exit', stop)
    stop()
    await closed
  }
}
