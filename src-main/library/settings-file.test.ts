import fs from 'node:fs'
import { DEFAULT_SETTINGS } from '@shared/ipc/models/app-models'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestEnvironment, testEnvironment } from '../engine/test-environment.test-support'
import { groveData } from './grove-data'
import { readSettings, settingsFile, writeSettings } from './settings-file'

let env: TestEnvironment
beforeEach(() => {
  env = testEnvironment()
})
afterEach(() => env.remove())

it('gives defaults for what is missing, broken or of a wrong kind, and keeps the rest', () => {
  const data = groveData(env)
  expect(readSettings(env, data)).toEqual(DEFAULT_SETTINGS)
  expect(fs.readdirSync(env.home)).toEqual([])
  const stored = (content: string) => {
    fs.mkdirSync(data.directory, { recursive: true })
    fs.writeFileSync(settingsFile(data), content)
    return readSettings(env, data)
  }
  for (const broken of ['', '{', '[]', 'null', '{"theme":7,"unknown":1}'])
    expect(stored(broken)).toEqual(DEFAULT_SETTINGS)
  expect(stored('{"theme":7,"projectOrder":"name"}')).toEqual({ ...DEFAULT_SETTINGS, projectOrder: 'name' })
})

it('reads back what was chosen', () => {
  const data = groveData(env)
  const chosen = { ...DEFAULT_SETTINGS, addedRoots: ['/w/agent'], projectOrder: 'name' as const }
  expect(writeSettings(env, data, chosen)).toEqual({ ok: true, value: chosen })
  expect(readSettings(env, data)).toEqual(chosen)
})
