/** Who has a session, for how long that is believed, and what is remembered of our own writes. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { InUseState } from '../in-use/in-use'
import { plainLayout } from '../layout/agent-directories'
import { lockPathOf } from '../layout/session-paths'
import { HEADER, journal, message } from '../storage/journal.test-support'
import { type TestEnvironment, testEnvironment } from '../test-environment.test-support'
import type { ManagerSettings } from './manager-settings'
import { SessionManager } from './session-manager'

let env: TestEnvironment
let later: number
beforeEach(() => {
  later = 0
  env = testEnvironment({ now: () => Date.now() + later })
})
afterEach(() => env.remove())

const user = (content: string) => ({ role: 'user', content, timestamp: 1 })
const assistant = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }], timestamp: 2 })
const settings = (more: Partial<ManagerSettings> = {}): ManagerSettings => ({
  layout: plainLayout(path.join(env.home, 'agent')),
  ...more,
})

function value<T>(result: { ok: true; value: T } | { ok: false; error: { message: string } }): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

const opened = (file: string, more: Partial<ManagerSettings> = {}) =>
  value(SessionManager.open(env, settings(more), file))
const created = (more: Partial<ManagerSettings> = {}) =>
  value(SessionManager.create(env, settings(more), { cwd: env.home }))

/** Somebody who can begin to use the session, and counts how often that is asked. */
function somebody() {
  const state = { uses: false, asked: 0 }
  const inUse: NonNullable<ManagerSettings['inUse']> = async () => ({
    taken: 0,
    check(): InUseState {
      state.asked++
      return state.uses ? { state: 'in-use', pid: 7, text: 'omp (process 7) has it.' } : { state: 'free' }
    },
  })
  return { state, inUse }
}

const IN_USE = { error: { code: 'in-use' } }

describe('that nobody has a session', () => {
  it('is believed for a moment, also of one that was made here', async () => {
    const { state, inUse } = somebody()
    const manager = created({ inUse })
    await manager.appendMessage(assistant('a'))
    await manager.appendMessage(user('b'))
    expect(state.asked).toBe(0)
    later = 3_000
    state.uses = true
    expect(await manager.appendMessage(user('c'))).toMatchObject(IN_USE)
    state.uses = false
    expect(await manager.appendMessage(user('c'))).toMatchObject({ ok: true })
    expect(state.asked).toBe(2)
  })

  it('is asked anew before anything is replaced or taken away', async () => {
    const { state, inUse } = somebody()
    const manager = created({ inUse })
    await manager.append({ type: 'model_change', model: 'p/m' })
    await manager.saveDraft('text', null)
    await manager.consumeDraft()
    state.uses = true
    expect(await manager.close()).toMatchObject({ ok: true })
    expect(fs.existsSync(manager.file)).toBe(true)
    const old = env.put('v2.jsonl', journal({ ...HEADER, version: 2 }, message('a', null)))
    const bytes = fs.readFileSync(old)
    expect(await opened(old, { inUse }).appendMessage(user('b'))).toMatchObject(IN_USE)
    expect(fs.readFileSync(old)).toEqual(bytes)
  })

  it('is asked, under the lock, before a blank file becomes a session', async () => {
    const { state, inUse } = somebody()
    const file = env.put('blank.jsonl', '\n')
    state.uses = true
    const manager = opened(file, { inUse })
    expect(await manager.appendMessage(assistant('a'))).toMatchObject(IN_USE)
    expect(fs.readFileSync(file, 'utf8')).toBe('\n')
    state.uses = false
    fs.writeFileSync(lockPathOf(file), `1:${Date.now()}\n`)
    expect(await manager.appendMessage(assistant('a'))).toMatchObject(IN_USE)
    fs.rmSync(lockPathOf(file))
    expect(await manager.appendMessage(assistant('a'))).toMatchObject({ ok: true })
  })
})

describe('a write of ours', () => {
  const noted = () => {
    const left: string[] = []
    return { left, wrote: (file: string) => void left.push(file) }
  }

  it('does not make the write of another program, a moment before, ours', async () => {
    const file = env.put('s.jsonl', journal(HEADER, message('a', null)))
    fs.utimesSync(file, new Date(), new Date(Date.now() - 60_000))
    const ours = noted()
    await opened(file, ours).appendMessage(user('b'))
    expect(ours.left).toEqual([file])
    const joined = noted()
    const manager = opened(file, { ...joined, sharing: 'join' })
    fs.appendFileSync(file, journal(message('foreign', null)))
    await manager.appendMessage(user('c'))
    await manager.setSessionName('title', 'user')
    expect(joined.left).toEqual([])
    later = 60_000
    await manager.appendMessage(user('d'))
    expect(joined.left).toEqual([file])
  })

  it('is none when it was only the slot of a session that another program has', async () => {
    const manager = created()
    await manager.appendMessage(assistant('a'))
    const { state, inUse } = somebody()
    state.uses = true
    const ours = noted()
    expect(await opened(manager.file, { inUse, ...ours }).setSessionName('title', 'user')).toMatchObject({
      value: { slotOnly: true },
    })
    expect(ours.left).toEqual([])
  })

  it('goes on from one of an earlier run', async () => {
    const manager = created()
    await manager.appendMessage(assistant('a'))
    const ours = noted()
    await opened(manager.file, { ...ours, wasOurs: () => true }).appendMessage(user('b'))
    expect(ours.left).toEqual([manager.file])
    const strange = noted()
    await opened(manager.file, strange).appendMessage(user('c'))
    expect(strange.left).toEqual([])
  })
})

describe('names', () => {
  it('move nobody’s leaf', async () => {
    const manager = created()
    const a = value(await manager.appendMessage(user('a')))
    const b = value(await manager.appendMessage(assistant('b')))
    manager.branch(a)
    const label = value(await manager.setLabel(b, 'here'))
    await manager.setSessionName('title', 'user')
    expect(manager.leafId).toBe(a)
    const again = opened(manager.file)
    expect(value(again.context()).messages).toHaveLength(2)
    expect(again.document.index.parentId(again.document.index.ordinalOf(label) ?? -1)).toBe(b)
    const c = value(await manager.appendMessage(user('c')))
    expect(manager.document.index.parentId(manager.document.index.ordinalOf(c) ?? -1)).toBe(a)
  })

  it('are not cut because a lock was held for a moment, nor where only the slot may be written', async () => {
    const manager = created()
    await manager.appendMessage(assistant('a'))
    const long = 'x'.repeat(300)
    const bytes = fs.readFileSync(manager.file)
    fs.writeFileSync(lockPathOf(manager.file), `1:${Date.now()}\n`)
    expect(await manager.setSessionName(long, 'user')).toMatchObject(IN_USE)
    fs.rmSync(lockPathOf(manager.file))
    const { state, inUse } = somebody()
    state.uses = true
    expect(await opened(manager.file, { inUse }).setSessionName(long, 'user')).toMatchObject(IN_USE)
    expect(fs.readFileSync(manager.file)).toEqual(bytes)
    value(await manager.setSessionName(long, 'user'))
    expect(opened(manager.file).title.title).toBe(long)
    // Exactly what the slot holds of the longer one: a title of its own all the same.
    const short = long.slice(0, 158)
    value(await manager.setSessionName(short, 'user'))
    expect(opened(manager.file).title.title).toBe(short)
  })

  it('keep a session whose draft is gone', async () => {
    const manager = created()
    await manager.saveDraft('text', null)
    const { state, inUse } = somebody()
    state.uses = true
    await opened(manager.file, { inUse }).setSessionName('mine', 'user')
    await manager.refresh()
    await manager.consumeDraft()
    await manager.close()
    expect(fs.existsSync(manager.file)).toBe(true)
  })
})

it('opens no gate for what fails', async () => {
  const manager = created()
  await manager.appendMessage(user('a'))
  expect(await manager.createBranchedSession('none')).toMatchObject({ error: { code: 'not-found' } })
  expect(await manager.fork(env.home)).toMatchObject({ error: { code: 'invalid-argument' } })
  expect(fs.readdirSync(env.home)).toEqual([])
})

it('takes back no mark of another program', async () => {
  const mark = {
    type: 'branch_summary',
    id: 'm',
    parentId: 'a',
    fromId: 'a',
    summary: '',
    details: { kind: 'x' },
  }
  const file = env.put('s.jsonl', journal(HEADER, message('a', null), mark))
  expect(await opened(file).undoContinueBranch('m')).toMatchObject({ error: { code: 'conflict' } })
})

it('goes on where a blank file was, when that is gone', async () => {
  const file = env.put('blank.jsonl', '')
  const manager = opened(file)
  fs.rmSync(file)
  expect(await manager.appendMessage(assistant('a'))).toMatchObject({ ok: true })
  expect(opened(file).document.index.count).toBe(1)
})

describe('the breadcrumb', () => {
  it('names the folder that one stands in when the one of the session is gone', async () => {
    const terminal = { terminalId: 'tmux-1' }
    const gone = path.join(env.home, 'gone')
    fs.mkdirSync(gone)
    const manager = value(SessionManager.create(env, settings(terminal), { cwd: gone }))
    await manager.appendMessage(assistant('a'))
    fs.rmdirSync(gone)
    const here = path.join(env.home, 'here')
    fs.mkdirSync(here)
    value(SessionManager.resume(env, settings(terminal), { argument: manager.file, cwd: here }))
    const recent = await SessionManager.continueRecent(env, settings(terminal), { cwd: here })
    expect(value(recent).file).toBe(manager.file)
  })

  it('stays what it was when the move that it asks for is refused', async () => {
    const terminal = { terminalId: 'tmux-1' }
    const [before, after] = [path.join(env.home, 'before'), path.join(env.home, 'after')]
    fs.mkdirSync(before)
    const manager = value(SessionManager.create(env, settings(terminal), { cwd: before }))
    await manager.appendMessage(assistant('a'))
    fs.renameSync(before, after)
    const crumb = path.join(env.home, 'agent/terminal-sessions/tmux-1')
    const left = fs.readFileSync(crumb, 'utf8')
    const refused = await SessionManager.continueRecent(env, settings(terminal), { cwd: after })
    expect(refused).toMatchObject({ error: { code: 'invalid-argument' } })
    expect(fs.readFileSync(crumb, 'utf8')).toBe(left)
  })
})
