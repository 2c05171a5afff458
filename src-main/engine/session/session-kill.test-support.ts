/**
 * For tests: a process that changes sessions until it is killed, and one that adds to the same session meanwhile. What was
 * acknowledged is told on the standard output, one JSON object a line, written at once.
 *
 * victim <scenario> <home> <file> <refuse|join> <seed> <call>   kills itself with SIGKILL before that call of the file
 *                                                                system; -1: waits to be killed
 * companion <home>                                               reads "join <file>", "raw <file>" and "stop"
 */
import fs from 'node:fs'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import type { Environment } from '../environment'
import { plainLayout } from '../layout/agent-directories'
import { nodeEnvironment } from '../node-environment'
import { errnoOf } from '../storage/errors'
import { faultyFileSystem } from '../storage/faulty-file-system.test-support'
import type { ManagerSettings } from './manager-settings'
import { SessionManager } from './session-manager'
import type { SharingMode } from './session-writer'

/** One line of what a process tells. */
export type Told = {
  file: string
  /** An entry that is there. */
  id?: string
  parentId?: string | null
  /** An entry that may be gone from now on. */
  undoing?: string
  /** A title that may be there from now on, and one that is. */
  trying?: string
  title?: string
}

type World = {
  env: Environment
  settings: ManagerSettings
  file: string
  /** A whole number below `limit`. */
  pick(limit: number): number
}

type Scenario = (world: World) => Promise<void>

/** To add one: a function that changes sessions in a loop, and tells what was acknowledged after it was. */
const SCENARIOS: Record<string, Scenario> = {
  append: world => forOneFile(world, appendOne),
  rename: world =>
    forOneFile(world, async (manager, one) =>
      one.pick(3) === 0 ? appendOne(manager, one) : renameOne(manager, one),
    ),
  continue: world =>
    forOneFile(world, async (manager, one) =>
      one.pick(2) === 0 ? appendOne(manager, one) : continueOne(manager, one),
    ),
  create: async world => {
    for (let count = 0; count < 500; count++) await createOne(world)
  },
}

async function forOneFile(
  world: World,
  change: (manager: SessionManager, world: World) => Promise<void>,
): Promise<void> {
  const manager = SessionManager.open(world.env, world.settings, world.file)
  if (!manager.ok) throw new Error(manager.error.message)
  for (let count = 0; count < 500; count++) await change(manager.value, world)
}

async function appendOne(manager: SessionManager, { pick }: World): Promise<void> {
  const content = `victim ${'ü'.repeat(pick(4) === 0 ? 40_000 : pick(200))}`
  const added = await manager.appendMessage({ role: 'user', content, timestamp: 1 })
  if (added.ok) tellEntry(manager, added.value)
}

async function renameOne(manager: SessionManager, { pick }: World): Promise<void> {
  const title = `title ${pick(1e9)} ${'long '.repeat(pick(2) * 60)}`.trim()
  tell({ file: manager.file, trying: title })
  const renamed = await manager.setSessionName(title, 'user')
  if (renamed.ok) tell({ file: manager.file, title })
}

async function continueOne(manager: SessionManager, { pick }: World): Promise<void> {
  const id = manager.document.index.id(pick(manager.document.index.count))
  const marker = id === null ? null : await manager.continueBranch(id)
  if (!marker?.ok || marker.value === null) return
  tellEntry(manager, marker.value)
  if (pick(2) === 0) return
  tell({ file: manager.file, undoing: marker.value })
  await manager.undoContinueBranch(marker.value)
}

async function createOne({ env, settings }: World): Promise<void> {
  const manager = SessionManager.create(env, settings, { cwd: env.home })
  if (!manager.ok) throw new Error(manager.error.message)
  const asked = await manager.value.appendMessage({ role: 'user', content: 'a question', timestamp: 1 })
  const answer = await manager.value.appendMessage({ role: 'assistant', content: [], timestamp: 2 })
  if (!asked.ok || !answer.ok) return
  tellEntry(manager.value, asked.value)
  tellEntry(manager.value, answer.value)
}

function tellEntry({ file, document }: SessionManager, id: string): void {
  const ordinal = document.index.ordinalOf(id)
  tell({ file, id, parentId: ordinal === undefined ? null : document.index.parentId(ordinal) })
}

function tell(told: Told | { ready: true } | { stopped: true }): void {
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

function settingsOf(home: string, sharing: SharingMode): ManagerSettings {
  return { layout: plainLayout(`${home}/agent`), sharing }
}

async function victim([what = '', home = '', file = '', sharing, seed, at]: string[]): Promise<void> {
  let calls = 0
  const system = faultyFileSystem({
    before: () => {
      if (calls++ === Number(at)) process.kill(process.pid, 'SIGKILL')
    },
  })
  const env = { ...nodeEnvironment(), home, fs: system }
  const settings = settingsOf(home, sharing === 'join' ? 'join' : 'refuse')
  const scenario = SCENARIOS[what]
  if (scenario === undefined) throw new Error(`There is no scenario ${what}.`)
  tell({ ready: true })
  await scenario({ env, settings, file, pick: picker(Number(seed)) })
}

/** Whole numbers that look random, the same for the same seed. */
export function picker(seed: number): (limit: number) => number {
  let state = seed | 0
  return limit => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit)
  }
}

const AHEAD_MS = 450

async function companion([home = '']: string[]): Promise<void> {
  // A clock that is ahead finds the lock of a dead process old sooner; one that is held is safe from that.
  const env = { ...nodeEnvironment(), home, now: () => Date.now() + AHEAD_MS }
  let going: Promise<void> | null = null
  let stopped = false
  for await (const line of createInterface({ input: process.stdin })) {
    const [word, file = ''] = line.split(' ')
    if (word === 'stop') {
      stopped = true
      await going
      tell({ stopped: true })
      continue
    }
    stopped = false
    going = word === 'raw' ? addRaw(file, () => stopped) : addJoined(env, file, () => stopped)
  }
  // Whoever started this is gone: a companion without a master would append for ever.
  stopped = true
}

/** As another program of ours, which goes on after what others write. */
async function addJoined(env: Environment, file: string, isStopped: () => boolean): Promise<void> {
  const manager = SessionManager.open(env, settingsOf(env.home, 'join'), file)
  if (!manager.ok) throw new Error(manager.error.message)
  while (!isStopped()) {
    const added = await manager.value.appendMessage({ role: 'user', content: 'companion', timestamp: 1 })
    if (added.ok) tellEntry(manager.value, added.value)
    await setTimeout(1)
  }
}

/** As a program that asks nobody: whole lines, each in one write. */
async function addRaw(file: string, isStopped: () => boolean): Promise<void> {
  const fd = fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_APPEND)
  for (let count = 0; count < 200 && !isStopped(); count++) {
    const record = { type: 'custom', customType: 'raw', id: `raw-${count}`, parentId: null }
    fs.writeSync(fd, `${JSON.stringify(record)}\n`)
    tell({ file, id: record.id, parentId: null })
    await setTimeout(1)
  }
  fs.closeSync(fd)
}

const [role, ...rest] = process.argv.slice(2)
// Imported by the test for what it shares with it; started as a program for the rest.
if (role === 'victim') void victim(rest)
if (role === 'companion') void companion(rest)
