import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestEnvironment, testEnvironment } from '../../engine/test-environment.test-support'
import { libraryRoots } from '../roots'
import { listRoots } from './list-roots'

let env: TestEnvironment
beforeEach(() => {
  env = testEnvironment()
})
afterEach(() => env.remove())

const journal = 'agent/sessions/-p/s.jsonl'
const listing = () => {
  const [found] = listRoots(env, libraryRoots(env, [], path.join(env.home, 'agent')))
  if (found === undefined) throw new Error('no root')
  return found
}
const fingerprint = () => listing().files[0]?.fingerprint

it('gives a file another fingerprint when journal, artifacts or draft change, and only then', () => {
  env.put(journal, 'one')
  const seen = [fingerprint()]
  expect(fingerprint()).toBe(seen[0])
  const changes = [
    () => fs.appendFileSync(path.join(env.home, journal), ' two'),
    () => env.put('agent/sessions/-p/s/0.bash.log', 'x'),
    () => env.put('agent/sessions/-p/s/draft.txt', 'typed'),
    () => env.put('agent/sessions/-p/s/draft.txt', 'typed more'),
    () => fs.rmSync(path.join(env.home, 'agent/sessions/-p/s/draft.txt')),
    () => {
      env.put('new', 'one two')
      fs.renameSync(path.join(env.home, 'new'), path.join(env.home, journal))
    },
  ]
  for (const change of changes) {
    change()
    seen.push(fingerprint())
  }
  expect(new Set(seen).size).toBe(changes.length + 1)
})

it('tells a root that is not there yet from an empty one', () => {
  expect(listing()).toMatchObject({ state: 'absent', files: [] })
  fs.mkdirSync(path.join(env.home, 'agent/sessions'), { recursive: true })
  expect(listing()).toMatchObject({ state: 'ok', note: null, files: [] })
})

it('lists what is named like a session, whatever it is', () => {
  fs.mkdirSync(path.join(env.home, 'agent/sessions/-p/folder.jsonl'), { recursive: true })
  fs.symlinkSync('gone', path.join(env.home, 'agent/sessions/-p/dangling.jsonl'))
  expect(listing().files).toHaveLength(2)
})
