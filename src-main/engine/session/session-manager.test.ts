/** The session manager on real files: gate, leaf, sharing, use by others, drafts, traces. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { InUseState } from '../in-use/in-use'
import { plainLayout } from '../layout/agent-directories'
import { HEADER, journal, message } from '../storage/journal.test-support'
import { type TestEnvironment, testEnvironment } from '../test-environment.test-support'
import type { ManagerSettings } from './manager-settings'
import { SessionManager } from './session-manager'

let env: TestEnvironment
beforeEach(() => {
  env = testEnvironment({ now: Date.now })
})
afterEach(() => env.remove())

const settings = (more: Partial<ManagerSettings> = {}): ManagerSettings => ({
  layout: plainLayout(path.join(env.home, 'agent')),
  ...more,
})
const user = (content: string) => ({ role: 'user', content, timestamp: 1 })
const assistant = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }], timestamp: 2 })

function value<T>(result: { ok: true; value: T } | { ok: false; error: { message: string } }): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

function created(more: Partial<ManagerSettings> = {}): SessionManager {
  return value(SessionManager.create(env, settings(more), { cwd: env.home }))
}

function opened(file: string, more: Partial<ManagerSettings> = {}): SessionManager {
  return value(SessionManager.open(env, settings(more), file))
}

const idsOf = ({ document }: SessionManager) =>
  Array.from({ length: document.index.count }, (_, ordinal) => document.index.id(ordinal))

const usedBy = (state: InUseState['state'], asked: string[] = []): Partial<ManagerSettings> => ({
  inUse: async () => ({
    taken: 0,
    check(file): InUseState {
      asked.push(file)
      return state === 'free' ? { state } : { state, pid: 7, text: 'omp (process 7) has it.' }
    },
  }),
})

describe('the lazy gate', () => {
  it('opens with the first assistant message, and then everything is there', async () => {
    const manager = created()
    const first = value(await manager.appendMessage(user('hello')))
    expect(fs.readdirSync(env.home)).toEqual([])
    expect(manager.unsaved).toBe(1)
    const second = value(await manager.appendMessage(assistant('hi')))
    expect(manager.unsaved).toBe(0)
    const third = value(await manager.appendMessage(user('more')))
    const again = opened(manager.file)
    expect(idsOf(again)).toEqual([first, second, third])
    expect(again.leafId).toBe(third)
    expect(value(again.context()).messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('tells what is lost when nobody answered, and writes it for who asks', async () => {
    const lost = created()
    await lost.appendMessage(user('hello'))
    expect(await lost.close()).toEqual({ ok: true, value: { unsaved: 1 } })
    expect(fs.readdirSync(env.home)).toEqual([])
    expect(await lost.appendMessage(user('late'))).toMatchObject({ error: { code: 'invalid-argument' } })
    const kept = created()
    const id = value(await kept.appendMessage(user('hello')))
    expect(await kept.ensureOnDisk()).toEqual({ ok: true, value: true })
    expect(idsOf(opened(kept.file))).toEqual([id])
  })

  it('can be left open, so that every entry is on disk at once', async () => {
    const manager = created({ gate: 'open' })
    const id = value(await manager.append({ type: 'mode_change', mode: 'plan' }))
    expect(idsOf(opened(manager.file))).toEqual([id])
  })

  it('keeps pictures in memory until then, and puts them into the store once', async () => {
    const manager = created()
    const data = Buffer.alloc(3000, 7).toString('base64')
    const picture = { type: 'image', data, mimeType: 'image/png' }
    await manager.appendMessage({ role: 'user', content: [picture, picture], timestamp: 1 })
    expect(fs.readdirSync(env.home)).toEqual([])
    await manager.appendMessage(assistant('seen'))
    const blobs = fs.readdirSync(path.join(env.home, 'agent/blobs'))
    expect(blobs).toHaveLength(2)
    const { context, unresolved } = value(opened(manager.file).contextWithImages())
    expect(unresolved).toEqual([])
    expect(context.messages[0]).toMatchObject({ content: [picture, picture] })
    for (const blob of blobs) fs.rmSync(path.join(env.home, 'agent/blobs', blob))
    expect(value(manager.contextWithImages()).unresolved).toMatchObject([{ reason: 'missing' }])
  })

  it('leaves a blank file blank until the first write', async () => {
    const file = env.put('blank.jsonl', '\n\n')
    const manager = value(SessionManager.open(env, settings(), file, '/w/here'))
    expect(manager).toMatchObject({ isOnDisk: false, cwd: '/w/here' })
    expect(fs.readFileSync(file, 'utf8')).toBe('\n\n')
    await manager.appendMessage(assistant('hi'))
    expect(opened(file)).toMatchObject({ id: manager.id, cwd: '/w/here' })
  })
})

describe('the leaf', () => {
  it('moves in memory by branch and resetLeaf, on disk by continueBranch, and back', async () => {
    const manager = created()
    const a = value(await manager.appendMessage(user('a')))
    const b = value(await manager.appendMessage(assistant('b')))
    const c = value(await manager.appendMessage(user('c')))
    expect(manager.branch(a)).toEqual({ ok: true, value: true })
    expect(manager.branch('none')).toMatchObject({ error: { code: 'not-found' } })
    expect(opened(manager.file).leafId).toBe(c)
    const bytes = fs.readFileSync(manager.file)
    const marker = value(await manager.continueBranch(b))
    expect(opened(manager.file).leafId).toBe(marker)
    expect(value(opened(manager.file).context()).messages).toHaveLength(2)
    expect(await manager.continueBranch(marker ?? '')).toEqual({ ok: true, value: null })
    expect(await manager.undoContinueBranch(marker ?? '')).toEqual({ ok: true, value: true })
    expect(fs.readFileSync(manager.file)).toEqual(bytes)
    const again = value(await manager.continueBranch(b))
    const went = value(await manager.appendMessage(user('on')))
    expect(await manager.undoContinueBranch(again ?? '')).toMatchObject({ error: { code: 'conflict' } })
    manager.resetLeaf()
    const root = value(await manager.appendMessage(user('new')))
    expect(manager.document.index.parentId(manager.document.index.ordinalOf(root) ?? -1)).toBe(null)
    expect(idsOf(manager)).toEqual([a, b, c, again, went, root])
  })

  it('stays where it is when an entry is put elsewhere', async () => {
    const manager = created()
    const a = value(await manager.appendMessage(user('a')))
    const b = value(await manager.appendMessage(assistant('b')))
    const usage = { type: 'model_usage', purpose: 'title', api: 'x', provider: 'p', model: 'm' } as const
    await manager.append({ ...usage, usage: {}, stopReason: 'stop' }, { parentId: a })
    expect(manager.leafId).toBe(b)
    const below = await manager.append({ ...usage, usage: {}, stopReason: 'stop' }, { parentId: b })
    expect(manager.leafId).toBe(value(below))
    expect(await manager.append({ type: 'reset_boundary' }, { parentId: 'none' })).toMatchObject({
      error: { code: 'not-found' },
    })
  })
})

describe('titles', () => {
  it('keeps the whole of one that the slot cuts, and a user’s against an automatic one', async () => {
    const manager = created()
    await manager.appendMessage(assistant('hi'))
    const long = 'Wörter '.repeat(60).trim()
    expect(await manager.setSessionName(`  ${long}\n\t`, 'user')).toEqual({
      ok: true,
      value: { changed: true, slotOnly: false },
    })
    expect(opened(manager.file).title).toEqual({ title: long, source: 'user' })
    expect(fs.readFileSync(manager.file).indexOf('\n')).toBe(255)
    expect(await manager.setSessionName('robot', 'auto')).toMatchObject({ value: { changed: false } })
    expect(await manager.setSessionName('\u0007 ', 'user')).toMatchObject({
      error: { code: 'invalid-argument' },
    })
    await manager.setSessionName('short', 'user')
    expect(opened(manager.file).title.title).toBe('short')
  })

  it('overwrites nothing but a true slot', async () => {
    const slot = { type: 'title', v: 1, title: 'old', updatedAt: '2026-01-02T03:04:05.006Z', pad: '' }
    const entries = [message('a', null), '{"torn', message('b', 'a')]
    for (const text of [journal(HEADER, ...entries), journal(slot, HEADER, ...entries)]) {
      const file = env.put('s.jsonl', `\uFEFF${text}`)
      await opened(file).setSessionName('new', 'user')
      const again = opened(file)
      expect(again.title.title).toBe('new')
      expect(idsOf(again).slice(0, 2)).toEqual(['a', 'b'])
      const lines = fs.readFileSync(file, 'utf8').split('\n')
      for (const entry of entries)
        expect(lines).toContain(typeof entry === 'string' ? entry : JSON.stringify(entry))
    }
  })
})

describe('another program', () => {
  it('is told of once, and then its lines are there and ours follow', async () => {
    const manager = created()
    const a = value(await manager.appendMessage(assistant('a')))
    fs.appendFileSync(manager.file, journal(message('x', a)))
    expect(await manager.appendMessage(user('b'))).toMatchObject({ error: { code: 'changed-on-disk' } })
    const b = value(await manager.appendMessage(user('b')))
    expect(idsOf(opened(manager.file))).toEqual([a, 'x', b])
    expect(manager.document.index.parentId(2)).toBe(a)
  })

  it('is joined by one of several writers', async () => {
    const manager = created({ sharing: 'join' })
    const a = value(await manager.appendMessage(assistant('a')))
    const other = opened(manager.file, { sharing: 'join' })
    const b = value(await other.appendMessage(user('b')))
    const c = value(await manager.appendMessage(user('c')))
    const d = value(await other.appendMessage(user('d')))
    expect(idsOf(opened(manager.file))).toEqual([a, b, c, d])
    expect(opened(manager.file).document.index.path(3)).toEqual([0, 1, 3])
  })

  it('that has the session keeps it: only the slot is written', async () => {
    const manager = created()
    await manager.appendMessage(assistant('a'))
    const asked: string[] = []
    const other = opened(manager.file, usedBy('in-use', asked))
    const before = fs.readFileSync(manager.file, 'utf8')
    const refused = { error: { code: 'in-use', message: expect.stringContaining('process 7') } }
    expect(await other.appendMessage(user('b'))).toMatchObject(refused)
    expect(await other.saveDraft('text', null)).toMatchObject(refused)
    expect(await other.check()).toMatchObject(refused)
    expect(fs.readFileSync(manager.file, 'utf8')).toBe(before)
    expect(asked[0]).toBe(manager.file)
    expect(await other.setSessionName('named', 'user')).toEqual({
      ok: true,
      value: { changed: true, slotOnly: true },
    })
    expect(fs.readFileSync(manager.file, 'utf8').slice(256)).toBe(before.slice(256))
    expect(opened(manager.file).title.title).toBe('named')
  })

  it('that may have it is reason enough, unless one was told', async () => {
    const manager = created()
    await manager.appendMessage(assistant('a'))
    expect(await opened(manager.file, usedBy('maybe')).appendMessage(user('b'))).toMatchObject({
      error: { code: 'in-use' },
    })
    const told = opened(manager.file, { ...usedBy('maybe'), includeMaybe: true })
    expect(await told.appendMessage(user('b'))).toMatchObject({ ok: true })
    expect(await opened(manager.file, usedBy('unknown')).appendMessage(user('c'))).toMatchObject({ ok: true })
  })

  it('is asked about once, and again after somebody wrote; never for a session that was made here', async () => {
    const asked: string[] = []
    const own = created(usedBy('free', asked))
    const a = value(await own.appendMessage(assistant('a')))
    await own.appendMessage(user('b'))
    expect(asked).toHaveLength(0)
    const other = opened(own.file, usedBy('free', asked))
    await other.appendMessage(user('c'))
    await other.appendMessage(user('d'))
    expect(asked).toHaveLength(1)
    fs.appendFileSync(own.file, journal(message('x', a)))
    await other.appendMessage(user('e'))
    await other.appendMessage(user('e'))
    expect(asked).toHaveLength(2)
  })
})

describe('drafts', () => {
  it('put a session on disk, and take it away again when nothing but settings is in it', async () => {
    const manager = created()
    await manager.append({ type: 'model_change', model: 'p/m' })
    const saved = value(await manager.saveDraft('not sent', null))
    expect(opened(manager.file).readDraft()).toMatchObject({ value: { text: 'not sent' } })
    expect(await manager.saveDraft('other', null)).toMatchObject({ error: { code: 'changed-on-disk' } })
    value(await manager.saveDraft('changed', saved.version))
    expect(await manager.consumeDraft()).toEqual({ ok: true, value: 'changed' })
    await manager.close()
    expect(fs.existsSync(manager.file)).toBe(false)
    expect(fs.readdirSync(path.dirname(manager.file))).toEqual([])
  })

  it('leave a session that holds more', async () => {
    const manager = created()
    await manager.saveDraft('not sent', null)
    await manager.appendMessage(user('sent'))
    await manager.consumeDraft()
    await manager.close()
    expect(idsOf(opened(manager.file))).toHaveLength(1)
  })

  it('goes with the draft that another manager saved, once it is taken away', async () => {
    const maker = created()
    await maker.saveDraft('not sent', null)
    const { file } = maker
    expect(value(await opened(file).close())).toEqual({ unsaved: 0 })
    const taker = opened(file)
    expect(value(await taker.consumeDraft())).toBe('not sent')
    value(await taker.close())
    expect(fs.existsSync(file)).toBe(false)
  })

  it('stays when it was only looked at, and when another program went on with it', async () => {
    const maker = created()
    await maker.saveDraft('not sent', null)
    const { file } = maker
    const taker = opened(file)
    value(await taker.consumeDraft())
    value(await opened(file).close())
    expect(fs.existsSync(file)).toBe(true)
    value(await opened(file).appendMessage(user('gone on')))
    value(await taker.close())
    expect(opened(file).document.index.count).toBe(1)
  })
})

describe('traces', () => {
  const crumb = () => path.join(env.home, 'agent/terminal-sessions/tmux-1')

  it('are left for the terminal, fresh until the session is written', async () => {
    const manager = created({ terminalId: 'tmux-1' })
    const begun = fs.readFileSync(crumb(), 'utf8').split('\n')
    expect(begun.slice(0, 3)).toEqual([env.home, manager.file, 'fresh'])
    await manager.appendMessage(assistant('a'))
    expect(fs.readFileSync(crumb(), 'utf8')).not.toContain('fresh')
  })

  it('let the terminal go on with what it had', async () => {
    const terminal = { terminalId: 'tmux-1' }
    const recent = () => SessionManager.continueRecent(env, settings(terminal), { cwd: env.home })
    const older = created(terminal)
    await older.appendMessage(assistant('a'))
    const newer = created()
    await newer.appendMessage(assistant('b'))
    expect(value(await recent()).file).toBe(older.file)
    fs.rmSync(crumb())
    fs.utimesSync(newer.file, new Date(), new Date(Date.now() + 5000))
    expect(value(await recent()).file).toBe(newer.file)
    const fresh = created(terminal)
    const begun = value(await recent())
    expect([older.file, newer.file, fresh.file]).not.toContain(begun.file)
    expect(begun.isOnDisk).toBe(false)
  })

  it('are none without a terminal, and a failing one fails nothing', async () => {
    await created().appendMessage(assistant('a'))
    expect(fs.existsSync(path.dirname(crumb()))).toBe(false)
    env.put('agent/terminal-sessions', 'in the way')
    const notices: string[] = []
    const manager = created({ terminalId: 'tmux-1', notice: ({ code }) => notices.push(code) })
    expect(await manager.appendMessage(assistant('a'))).toMatchObject({ ok: true })
    expect(notices).toHaveLength(2)
  })

  it('note a session that lies elsewhere, once it is written', async () => {
    const file = env.put('elsewhere/x.jsonl', journal(HEADER, message('a', null)))
    const manager = opened(file)
    const registry = path.join(env.home, 'agent/custom-session-files')
    expect(fs.existsSync(registry)).toBe(false)
    await manager.appendMessage(user('b'))
    expect(fs.readdirSync(registry).map(name => fs.readFileSync(path.join(registry, name), 'utf8'))).toEqual([
      file,
    ])
  })
})

it('moves a session that is in memory only in memory', async () => {
  const manager = created()
  const id = value(await manager.appendMessage(user('a')))
  const to = fs.mkdtempSync(path.join(env.home, 'to-'))
  value(await manager.moveTo(to))
  expect(manager).toMatchObject({ cwd: to, isOnDisk: false, unsaved: 1 })
  await manager.appendMessage(assistant('b'))
  expect(opened(manager.file)).toMatchObject({ cwd: to })
  expect(idsOf(opened(manager.file))[0]).toBe(id)
  expect(path.basename(path.dirname(manager.file))).toContain('to-')
})

it('lists the sessions of a folder with true counts, and resumes one by the beginning of its id', async () => {
  const manager = created()
  await manager.appendMessage(user('first'))
  await manager.appendMessage(assistant('b'))
  const listed = value(SessionManager.list(env, settings(), env.home))
  expect(listed).toMatchObject([{ file: manager.file, messageCount: 2, firstPrompt: 'first' }])
  const argument = manager.id?.slice(0, 20) ?? ''
  expect(value(SessionManager.resume(env, settings(), { argument, cwd: env.home })).file).toBe(manager.file)
})
