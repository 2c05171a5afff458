/**
 * For tests: a process that carries one session about until it is killed (appends, renames, moves between two projects,
 * drops and restores), and one that adds to the same session wherever it lies. What was acknowledged is told on the
 * standard output, one JSON object a line, written at once.
 *
 * carry <home> <alone|asking|unasking> <seed> <call>   kills itself with SIGKILL before that call of the file system; -1:
 *                                                       waits to be killed
 * add <home> <seed>                                     until its standard input ends
 *
 * `asking` looks at the system's processes. `asking` and `unasking` go on after what others write. `unasking` takes every write for one of Grove's own, as those of
 * another window are once they are noted, so that only locks keep a move apart from who is writing.
 */
import fs from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { type Environment, silentWork } from '../engine/environment'
import { createInUseCheck } from '../engine/in-use/in-use-check'
import type { ProcessTable } from '../engine/in-use/process-table'
import { plainLayout } from '../engine/layout/agent-directories'
import { sessionDirectoryFor } from '../engine/layout/session-directory'
import { nodeEnvironment } from '../engine/node-environment'
import type { ManagerSettings } from '../engine/session/manager-settings'
import { picker } from '../engine/session/session-kill.test-support'
import { SessionManager } from '../engine/session/session-manager'
import { errnoOf } from '../engine/storage/errors'
import { faultyFileSystem } from '../engine/storage/faulty-file-system.test-support'
import { changeContext } from './changes/change-context'
import type { ChangeContext } from './changes/change-handlers'
import { restoreFromTrash } from './trash/restore'
import { workingSettings } from './working-session'

/** One line of what a process tells. */
export type Told = {
  /** An entry that is there. */
  id?: string
  /** A title that may be there from now on, and one that is. */
  trying?: string
  title?: string
  /** What was done with the whole session, or refused, and why. */
  did?: 'move' | 'drop' | 'restore'
  refused?: string
  /** The adding process found the session nowhere, or could not add to it. */
  missed?: string
}

export const JOURNAL = 's.jsonl'

/** The two projects' folders, and where their sessions lie. */
export function placesIn(env: Environment) {
  return ['one', 'two'].map(name => {
    const folder = path.join(env.home, 'w', name)
    const directory = sessionDirectoryFor(env, layoutIn(env), folder)
    return { folder, directory, journal: path.join(directory, JOURNAL) }
  })
}

export function layoutIn({ home }: Environment) {
  return plainLayout(path.join(home, 'agent'))
}

/** The environment of a user whose home that is. */
export function userEnvironment(home: string): Environment {
  return { ...nodeEnvironment(), home, env: { GROVE_DATA_DIR: path.join(home, 'data') } }
}

/** To look at all processes takes longest by far. Here nobody has a session open but who holds its lock. */
export function quietContext(env: Environment): ChangeContext {
  const context = changeContext(env, () => [])
  const processes: ProcessTable = {
    isAlive: pid => context.deps.processes.isAlive(pid),
    startOf: pid => context.deps.processes.startOf(pid),
    startedAt: pid => context.deps.processes.startedAt(pid),
    scan: async () => ({ known: true, processes: [] }),
  }
  return {
    ...context,
    deps: {
      ...context.deps,
      processes,
      inUse: (work, options) => createInUseCheck(env, processes, [], work, options),
    },
  }
}

type World = {
  context: ChangeContext
  settings: ManagerSettings
  /** A whole number below `limit`. */
  pick(limit: number): number
}

async function carry([home = '', how, seed, at]: string[]): Promise<void> {
  let calls = 0
  const system = faultyFileSystem({
    before: () => {
      if (calls++ === Number(at)) process.kill(process.pid, 'SIGKILL')
    },
  })
  const env = { ...userEnvironment(home), fs: system }
  const layout = layoutIn(env)
  const quiet = quietContext(env)
  const asking = () => changeContext(env, () => [layout.breadcrumbsDir])
  const context = how === 'asking' ? asking() : how === 'unasking' ? takingAllForOurs(quiet) : quiet
  const sharing = how === 'alone' ? 'refuse' : 'join'
  const { settings } = workingSettings(context, layout, layout.agentDir, { gate: 'open', sharing })
  const world = { context, settings, pick: picker(Number(seed)) }
  let journal = placesIn(env).find(place => fs.existsSync(place.journal))?.journal
  while (journal !== undefined) journal = await carryOnce(world, opened(world, journal))
}

function takingAllForOurs(context: ChangeContext): ChangeContext {
  const { deps } = context
  return { ...context, deps: { ...deps, inUse: work => deps.inUse(work, { writtenByGrove: () => true }) } }
}

function opened({ context, settings }: World, journal: string): SessionManager {
  const manager = SessionManager.open(context.env, settings, journal)
  if (!manager.ok) throw new Error(manager.error.message)
  return manager.value
}

/** Some of each with one manager, until the session was dropped and is back; answers where. */
async function carryOnce(world: World, manager: SessionManager): Promise<string> {
  for (;;) {
    switch (world.pick(6)) {
      case 0:
      case 1:
        await moveOnce(world, manager)
        break
      case 2: {
        const journal = await dropOnce(world, manager)
        if (journal !== null) return journal
        break
      }
      case 3:
        await renameOnce(world, manager)
        break
      default:
        await appendOnce(manager, `victim ${'ü'.repeat(world.pick(4) === 0 ? 40_000 : world.pick(200))}`)
    }
  }
}

async function appendOnce(manager: SessionManager, content: string): Promise<string | null> {
  const added = await manager.appendMessage({ role: 'user', content, timestamp: 1 })
  if (!added.ok) return added.error.message
  tell({ id: added.value })
  return null
}

async function renameOnce({ pick }: World, manager: SessionManager): Promise<void> {
  const title = `title ${pick(1e9)} ${'long '.repeat(pick(2) * 60)}`.trim()
  tell({ trying: title })
  const renamed = await manager.setSessionName(title, 'user')
  if (renamed.ok) tell({ title })
}

async function moveOnce({ context }: World, manager: SessionManager): Promise<void> {
  const there = placesIn(context.env).find(({ journal }) => journal !== manager.file)
  if (there === undefined) throw new Error('There is nowhere to move to.')
  await manager.refresh()
  const moved = await manager.moveTo(there.folder)
  tell(moved.ok ? { did: 'move' } : { refused: `move: ${moved.error.message}` })
}

/** To the trash and back; null when it stayed where it was. */
async function dropOnce({ context }: World, manager: SessionManager): Promise<string | null> {
  await manager.refresh()
  const dropped = await manager.dropSession()
  if (!dropped.ok || dropped.value === null) {
    tell({ refused: `drop: ${dropped.ok ? 'nothing there' : dropped.error.message}` })
    return null
  }
  tell({ did: 'drop' })
  const back = await restoreFromTrash(context, [dropped.value.trashItem], {}, silentWork)
  if (!back.ok) throw new Error(back.error.message)
  const [restored] = back.value.restored
  if (restored === undefined) throw new Error(JSON.stringify(back.value.report.staying))
  tell({ did: 'restore' })
  return restored.journal
}

/** A clock that is ahead finds the lock of a dead process old sooner; one that is held is safe from that. */
const AHEAD_MS = 450
/** Mostly it appends while the other one plans; now and then it leaves the time for a move, and comes into that. */
const PAUSE_MS = 20
const REST_MS = 250

async function add([home = '', seed]: string[]): Promise<void> {
  const env = { ...userEnvironment(home), now: () => Date.now() + AHEAD_MS }
  const settings: ManagerSettings = { layout: layoutIn(env), sharing: 'join', gate: 'open' }
  const pick = picker(Number(seed))
  let stopped = false
  // Also when whoever started this is gone: it must not append for ever.
  process.stdin.on('end', () => {
    stopped = true
  })
  process.stdin.resume()
  let manager: SessionManager | null = null
  while (!stopped) {
    manager ??= openedAnywhere(env, settings)
    const missed = manager === null ? 'It is nowhere.' : await appendOnce(manager, 'companion')
    if (missed !== null) {
      tell({ missed })
      manager = null
    }
    await setTimeout(pick(pick(4) === 0 ? REST_MS : PAUSE_MS))
  }
}

function openedAnywhere(env: Environment, settings: ManagerSettings): SessionManager | null {
  for (const { journal } of placesIn(env)) {
    const manager = SessionManager.open(env, settings, journal)
    if (manager.ok) return manager.value
  }
  return null
}

function tell(told: Told): void {
  const bytes = Buffer.from(`${JSON.stringify(told)}\n`)
  for (let at = 0; at < bytes.length; ) {
    try {
      at += fs.writeSync(1, bytes, at)
    } catch (thrown) {
      // The other end has not read yet what it was told before.
      if (errnoOf(thrown) !== 'EAGAIN') throw thrown
    }
  }
}

const [role, ...rest] = process.argv.slice(2)
// Imported by the test for what it shares with it; started as a program for the rest.
if (role === 'carry') void carry(rest)
if (role === 'add') void add(rest)
