/** The session manager on real files. */
import fs from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plainLayout } from '../layout/agent-directories'
import { type TestEnvironment, testEnvironment } from '../test-environment.test-support'
import { SessionManager } from './session-manager'

let env: TestEnvironment
beforeEach(() => {
  env = testEnvironment()
})
afterEach(() => env.remove())

const settings = () => ({ layout: plainLayout(`${env.home}/agent`) })
const user = (content: string) => ({ role: 'user', content, timestamp: 1 })
const assistant = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }], timestamp: 2 })

function value<T>(result: { ok: true; value: T } | { ok: false; error: { message: string } }): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

describe('the lazy gate', () => {
  it('opens with the first assistant message, and then everything is there', async () => {
    const manager = value(SessionManager.create(env, settings(), { cwd: env.home }))
    const first = value(await manager.appendMessage(user('hello')))
    expect(fs.existsSync(`${env.home}/agent`)).toBe(false)
    expect(manager.unsaved).toBe(1)
    const second = value(await manager.appendMessage(assistant('hi')))
    expect(manager.unsaved).toBe(0)
    const third = value(await manager.appendMessage(user('more')))
    const again = value(SessionManager.open(env, settings(), manager.file))
    const ids = [0, 1, 2].map(ordinal => again.document.index.id(ordinal))
    expect(ids).toEqual([first, second, third])
    expect(again.leafId).toBe(third)
    expect(value(again.context()).messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })
})
