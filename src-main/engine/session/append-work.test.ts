/** What an append costs, in calls of the file system, and that what it saves is not missing afterwards. */
import fs from 'node:fs'
import type { Result } from '@shared/ipc/result'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plainLayout } from '../layout/agent-directories'
import { countingFileSystem } from '../storage/counting-file-system'
import { faultyFileSystem } from '../storage/faulty-file-system.test-support'
import type { FileSystem } from '../storage/file-system'
import { nodeFileSystem } from '../storage/node-file-system'
import { type TestEnvironment, testEnvironment } from '../test-environment.test-support'
import { stateOf } from './document-state.test-support'
import { SessionManager } from './session-manager'

let env: TestEnvironment
beforeEach(() => {
  env = testEnvironment()
})
afterEach(() => env.remove())

// Its keys are the names of the interface.
const EVERY_CALL = Object.keys(nodeFileSystem) as (keyof FileSystem)[]

const user = (content: string) => ({ role: 'user', content, timestamp: 1 })
const assistant = (text: string, more: object = {}) => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  timestamp: 2,
  ...more,
})

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

/** A session on disk, two entries long. */
async function session(system: FileSystem, sync: 'os' | 'disk' = 'os'): Promise<SessionManager> {
  const settings = { layout: plainLayout(`${env.home}/agent`), sync }
  const manager = value(SessionManager.create({ ...env, fs: system }, settings, { cwd: env.home }))
  value(await manager.appendMessage(user('hello')))
  value(await manager.appendMessage(assistant('hi')))
  return manager
}

describe('an append', () => {
  const LOCK = ['open', 'write', 'fstat']
  const RELEASE = ['lstat', 'close', 'unlink']

  it.each([
    ['os', ['open', 'fstat', 'write', 'stat', 'close']],
    ['disk', ['open', 'fstat', 'write', 'fdatasync', 'stat', 'close']],
  ] as const)('with %s makes only these calls, however long the session is', async (sync, append) => {
    const system = faultyFileSystem({ only: EVERY_CALL })
    const manager = await session(system, sync)
    // The first one looks at the last byte of what it did not write itself.
    value(await manager.appendMessage(user('more')))
    for (let at = 0; at < 40; at++) {
      system.calls.length = 0
      value(await manager.appendMessage(assistant(`${at} ${'x'.repeat(5000)}`)))
      expect(system.calls.map(({ name }) => name)).toEqual([...LOCK, ...append, ...RELEASE])
    }
  })

  it('reads nothing, and leaves nothing open', async () => {
    const counted = countingFileSystem(nodeFileSystem)
    const manager = await session(counted)
    value(await manager.appendMessage(user('more')))
    counted.reset()
    for (let at = 0; at < 10; at++) value(await manager.appendMessage(user('again')))
    expect(counted.work).toMatchObject({ bytesRead: 0, open: 0 })
    expect(counted.work.opened.get(manager.file)).toBe(10)
  })

  it('is refused, and made of nothing, when another program wrote since; the next one is not', async () => {
    const manager = await session(nodeFileSystem)
    const foreign = JSON.stringify({ type: 'message', id: 'f0', parentId: null, message: user('foreign') })
    fs.appendFileSync(manager.file, `${foreign}\n`)
    const before = fs.readFileSync(manager.file, 'utf8')
    expect(await manager.appendMessage(user('mine'))).toMatchObject({ error: { code: 'changed-on-disk' } })
    expect(fs.readFileSync(manager.file, 'utf8')).toBe(before)
    expect(manager.document.index.ordinalOf('f0')).toBe(2)
    value(await manager.appendMessage(user('mine')))
    expect(fs.readFileSync(manager.file, 'utf8').split('\n')).toHaveLength(before.split('\n').length + 1)
  })
})

describe('what was appended', () => {
  it.each([
    ['plain values', { usage: { output: 7, cost: { total: 0.5 } } }],
    ['no value', { usage: undefined, model: 'm' }],
    ['numbers that are none', { usage: { output: Number.NaN, cost: { total: Number.POSITIVE_INFINITY } } }],
    ['a date', { timestamp: new Date('2026-01-02T03:04:05.006Z') }],
    ['what says something else of itself', { model: { toJSON: () => 'other' }, provider: 'p' }],
    ['a very big number', { usage: { output: 12345678901234567890n } }],
    ['half a character', { model: '\ud83d' }],
  ])('is known as it is read anew: %s', async (_what, more) => {
    const manager = await session(nodeFileSystem)
    value(await manager.appendMessage(assistant('odd', more)))
    value(await manager.appendMessage(user('after')))
    const again = value(SessionManager.open(env, { layout: plainLayout(`${env.home}/agent`) }, manager.file))
    expect(stateOf(manager.document)).toEqual(stateOf(again.document))
  })
})
