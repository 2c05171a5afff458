import fs from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HEADER, journal, message } from '../../engine/storage/journal.test-support'
import { type TestEnvironment, testEnvironment } from '../../engine/test-environment.test-support'
import { runCommand } from '../command-run.test-support'
import { inspectCommand } from './inspect'

let env: TestEnvironment

beforeEach(() => {
  env = testEnvironment()
})
afterEach(() => env.remove())

const answer = {
  ...message('b', 'a', 'b', 'assistant'),
  message: { role: 'assistant', content: [], provider: 'x', model: 'y', stopReason: 'aborted' },
}
const SESSION = journal(
  HEADER,
  message('a', null),
  answer,
  { type: 'thinking_level_change', id: 'c', parentId: 'b', thinkingLevel: 'high' },
  { type: 'mode_change', id: 'd', parentId: 'c', mode: 'plan' },
  message('e', 'a', 'on another branch'),
  message('f', 'd'),
)

function inspect(file: string, ...options: string[]) {
  return runCommand(inspectCommand, env, file, ...options)
}

describe('inspect', () => {
  it("tells what a model and a reader get at omp's leaf", async () => {
    const run = await inspect(env.put('.omp/agent/sessions/-x/s.jsonl', SESSION), '--json')
    expect(run).toMatchObject({ code: 0, errors: [] })
    expect(run.json()).toMatchObject({
      context: {
        length: 2,
        roles: ['user', 'user'],
        thinkingLevel: 'high',
        models: { default: 'x/y' },
        mode: 'plan',
      },
      transcript: { length: 3, roles: ['user', 'assistant', 'user'] },
    })
  })

  it('tells both for a session in which nothing was said', async () => {
    const run = await inspect(env.put('.omp/agent/sessions/-x/s.jsonl', ''), '--json')
    expect(run.json()).toMatchObject({
      context: { length: 0, roles: [], thinkingLevel: 'off', models: {}, mode: 'none' },
      transcript: { length: 0, roles: [] },
    })
  })

  it('tells the numbers without --json too', async () => {
    const { answer } = await inspect(env.put('.omp/agent/sessions/-x/s.jsonl', SESSION))
    expect(answer).toContain('2 messages for a model, 3 for a reader')
  })

  it('has neither, and says why once, when the file is replaced while it is read', async () => {
    const file = env.put('.omp/agent/sessions/-x/s.jsonl', SESSION)
    const other = env.put('.omp/agent/sessions/-x/other', SESSION.repeat(2))
    let opened = 0
    const open: typeof env.fs.open = (name, ...rest) => {
      if (name === file && ++opened === 2) fs.renameSync(other, file)
      return env.fs.open(name, ...rest)
    }
    const replaced = { ...env, fs: { ...env.fs, open } }
    const run = await runCommand(inspectCommand, replaced, file, '--json')
    expect(run.json()).toMatchObject({ entryCount: 6, context: null, transcript: null })
    expect(run.errors).toEqual([expect.stringContaining(`${file} changed since it was read`)])
  })
})
