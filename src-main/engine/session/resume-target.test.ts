/** Sessions named by path and by the beginning of their id. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { plainLayout } from '../layout/agent-directories'
import { HEADER, journal } from '../storage/journal.test-support'
import { type TestEnvironment, testEnvironment } from '../test-environment.test-support'
import { resumeTarget } from './resume-target'

let env: TestEnvironment
beforeEach(() => {
  env = testEnvironment()
})
afterEach(() => env.remove())

function session(directory: string, id: string, title?: string): string {
  const name = `agent/sessions/${directory}/2026-01-02T03-04-05-006Z_${id}.jsonl`
  return env.put(name, journal({ ...HEADER, id, ...(title === undefined ? {} : { title }) }))
}

function resumed(argument: string, directory?: string) {
  const cwd = path.join(env.home, 'proj')
  const request = { argument, cwd, ...(directory === undefined ? {} : { directory }) }
  return resumeTarget(env, plainLayout(path.join(env.home, 'agent')), request)
}

it('finds by the beginning of id, file name, and last part of it, in any case', () => {
  const file = session('-proj', '019AB-cd')
  for (const argument of ['019ab', '019AB-CD', '2026-01-02T03-04', '2026-01-02t03-04-05-006z_019'])
    expect(resumed(argument)).toEqual({ ok: true, value: file })
  expect(resumed('19ab')).toMatchObject({ error: { code: 'not-found' } })
  expect(resumed('')).toMatchObject({ error: { code: 'invalid-argument' } })
})

it('takes the folder one stands in before all others, and only it when one is named', () => {
  const elsewhere = session('-other', 'abc-2')
  expect(resumed('abc')).toEqual({ ok: true, value: elsewhere })
  expect(resumed('abc', path.dirname(session('-third', 'xyz')))).toMatchObject({
    error: { code: 'not-found' },
  })
  const here = session('-proj', 'abc-1')
  expect(resumed('abc')).toEqual({ ok: true, value: here })
})

it('guesses nothing where several fit, and names them; a whole id is no beginning', () => {
  session('-proj', 'abc-1', 'First')
  const whole = session('-proj', 'abc')
  session('-proj', 'abc-2')
  expect(resumed('ab')).toMatchObject({ error: { code: 'conflict' } })
  const answer = resumed('abc-')
  expect(answer).toMatchObject({
    error: { code: 'conflict', message: expect.stringContaining('abc-1 (First, ') },
  })
  expect(answer).toMatchObject({ error: { message: expect.stringContaining('abc-2') } })
  expect(resumed('ABC')).toEqual({ ok: true, value: whole })
})

it('takes what looks like a path for one, from where one stands', () => {
  const file = env.put('proj/odd name.jsonl', 'x')
  expect(resumed('odd name.jsonl')).toEqual({ ok: true, value: file })
  expect(resumed('./odd name.jsonl')).toEqual({ ok: true, value: file })
  expect(resumed('./gone.jsonl')).toMatchObject({ error: { code: 'not-found' } })
})

it('makes nothing, also where nothing is', () => {
  expect(resumed('abc')).toMatchObject({ error: { code: 'not-found' } })
  expect(fs.readdirSync(env.home)).toEqual([])
})
