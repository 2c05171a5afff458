/**
 * Runs under Node.js with Grove's engine in it: does steps and answers what Grove says. Each line of stdin is a list of steps; for
 * each list a line is written to descriptor 3, `{ ok }` or `{ error, code, stack }` for every step. See peer.mjs for the steps.
 */
import { existsSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { terminalIdOf } from '../../src-main/engine/breadcrumbs/terminal-id'
import type { Environment } from '../../src-main/engine/environment'
import { type AgentLayout, ompLayout, plainLayout } from '../../src-main/engine/layout/agent-directories'
import { nodeEnvironment } from '../../src-main/engine/node-environment'
import type { ManagerSettings } from '../../src-main/engine/session/manager-settings'
import { SessionManager } from '../../src-main/engine/session/session-manager'
import { changeContext } from '../../src-main/library/changes/change-context'
import { workingSettings } from '../../src-main/library/working-session'
import { act, type Call } from './grove-calls'
import { DriverError, factsOf, unwrap } from './grove-facts'

type Step = {
  do: string
  cwd?: string
  file?: string
  argument?: string
  directory?: string
  parentSession?: string
  /** Another agent directory than that of the home folder. */
  agentDir?: string
  /** The terminal that the step is done in, as tmux names it. */
  terminal?: string
  settings?: Partial<Pick<ManagerSettings, 'sharing' | 'sync' | 'gate' | 'includeMaybe'>>
  options?: { zeroCosts?: boolean; abortDangling?: boolean; withArtifacts?: boolean }
  /** Ask nobody who has the session: locks and comparisons alone decide. */
  alone?: boolean
  /** While this file is there, an append keeps the lock. */
  lockedWhile?: string
  calls?: Call[]
  /** Answer what the calls answer, and nothing of the session, which may be gone. */
  factless?: boolean
  /** Keep the session open under this name, for `held`. */
  hold?: string
  name?: string
}

type Work = { manager: SessionManager; layout: AgentLayout; remember(): unknown }

const held = new Map<string, Work>()
const POLL_MS = 2

/** The environment of a step: this process's own, but for the terminal and a lock that is to be kept. */
function environmentOf({ lockedWhile }: Step): Environment {
  const env = nodeEnvironment()
  if (lockedWhile === undefined) return env
  const fs: Environment['fs'] = {
    ...env.fs,
    open: (file, mode, bits) => {
      const fd = env.fs.open(file, mode, bits)
      // Whoever opens a journal to append holds its lock.
      if (mode === 'append') waitWhile(lockedWhile)
      return fd
    },
  }
  return { ...env, fs }
}

function waitWhile(file: string): void {
  const cell = new Int32Array(new SharedArrayBuffer(4))
  while (existsSync(file)) Atomics.wait(cell, 0, 0, POLL_MS)
}

function compose(env: Environment, step: Step) {
  const layout = step.agentDir === undefined ? ompLayout(env, null) : plainLayout(step.agentDir)
  const context = changeContext(env, () => [layout.breadcrumbsDir])
  const terminalId =
    step.terminal === undefined ? null : terminalIdOf({ terminal: null, env: { TMUX_PANE: step.terminal } })
  const working = workingSettings(context, layout, null, { terminalId, ...step.settings })
  if (step.alone !== true) return { layout, ...working }
  const { inUse: _nobody, ...settings } = working.settings
  return { layout, settings, remember: working.remember }
}

function given(step: Step, key: 'cwd' | 'file' | 'argument' | 'name'): string {
  const value = step[key]
  if (value === undefined) throw new Error(`The step ${step.do} needs "${key}".`)
  return value
}

async function begin(step: Step): Promise<Work> {
  if (step.do === 'held') {
    const work = held.get(given(step, 'name'))
    if (work === undefined) throw new Error(`Nothing is held as ${step.name}.`)
    return work
  }
  const env = environmentOf(step)
  const { layout, settings, remember } = compose(env, step)
  const place = step.directory === undefined ? {} : { directory: step.directory }
  const parent = step.parentSession === undefined ? {} : { parentSession: step.parentSession }
  const opened = await (async () => {
    switch (step.do) {
      case 'create':
        return SessionManager.create(env, settings, { cwd: given(step, 'cwd'), ...place, ...parent })
      case 'open':
        return SessionManager.open(env, settings, given(step, 'file'), step.cwd)
      case 'continue':
        return SessionManager.continueRecent(env, settings, { cwd: given(step, 'cwd'), ...place })
      case 'resume':
        return SessionManager.resume(env, settings, {
          argument: given(step, 'argument'),
          cwd: given(step, 'cwd'),
          ...place,
        })
      case 'fork':
        return SessionManager.forkFrom(env, settings, given(step, 'file'), given(step, 'cwd'), {
          ...step.options,
          ...place,
        })
      default:
        throw new Error(`There is no step ${step.do}.`)
    }
  })()
  return { manager: unwrap(opened), layout, remember }
}

async function doStep(step: Step): Promise<unknown> {
  if (step.do === 'list') {
    const env = environmentOf(step)
    return unwrap(SessionManager.list(env, compose(env, step).settings, given(step, 'cwd')))
  }
  const work = await begin(step)
  const { manager } = work
  const answers: Record<string, unknown> = {}
  const place = { blobsDir: work.layout.blobsDir }
  await act(manager, step.calls ?? [], answers, place)
  const told = step.factless === true ? { answers } : { ...factsOf(manager, place.blobsDir), answers }
  if (step.hold !== undefined) held.set(step.hold, work)
  else if (step.do !== 'held') {
    unwrap(await manager.close())
    work.remember()
  }
  return told
}

async function answerTo(step: Step): Promise<unknown> {
  try {
    return { ok: (await doStep(step)) ?? null }
  } catch (error) {
    const code = error instanceof DriverError ? { code: error.code } : {}
    const { message, stack } = error instanceof Error ? error : new Error(String(error))
    return { error: message, stack, ...code }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  // Written by peer.mjs of this checkout.
  const steps = JSON.parse(Buffer.from(line, 'base64').toString('utf8')) as Step[]
  const answers: unknown[] = []
  for (const step of steps) answers.push(await answerTo(step))
  const bytes = Buffer.from(`${Buffer.from(JSON.stringify(answers)).toString('base64')}\n`)
  for (let at = 0; at < bytes.length; ) at += writeSync(3, bytes, at)
}
