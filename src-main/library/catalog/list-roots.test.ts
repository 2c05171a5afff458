import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentWork } from '../../engine/environment'
import { type TestEnvironment, testEnvironment } from '../../engine/test-environment.test-support'
import { libraryRoots } from '../roots'
import { listRoots } from './list-roots'

let env: TestEnvironment
beforeEach(() => {
  env = testEnvironment()
})
afterEach(() => env.remove())

const journal = 'agent/sessions/-p/s.jsonl'
const listing = async (work = silentWork) => {
  const [found] = await listRoots(env, libraryRoots(env, [], path.join(env.home, 'agent')), work)
  if (found === undefined) throw new Error('no root')
  return found
}
const fingerprint = async () => (await listing()).files[0]?.fingerprint

it('gives a file another fingerprint when journal, artifacts or draft change, and only then', async () => {
  env.put(journal, 'one')
  const seen = [await fingerprint()]
  expect(await fingerprint()).toBe(seen[0])
  const changes = [
    () => fs.appendFileSync(path.join(env.home, journal), ' two'),
    // Unreadable may be readable now.
    () => fs.chmodSync(path.join(env.home, journal), 0o600),
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
    seen.push(await fingerprint())
  }
  expect(new Set(seen).size).toBe(changes.length + 1)
})

it('tells a root that is not there yet from an empty one', async () => {
  expect(await listing()).toMatchObject({ state: 'absent', files: [] })
  fs.mkdirSync(path.join(env.home, 'agent/sessions'), { recursive: true })
  expect(await listing()).toMatchObject({ state: 'ok', note: null, files: [] })
})

it('lists what is named like a session, whatever it is', async () => {
  fs.mkdirSync(path.join(env.home, 'agent/sessions/-p/folder.jsonl'), { recursive: true })
  fs.symlinkSync('gone', path.join(env.home, 'agent/sessions/-p/dangling.jsonl'))
  expect((await listing()).files).toHaveLength(2)
})

it('lets others have their turn while it lists', async () => {
  for (let at = 0; at < 130; at++) env.put(`agent/sessions/-p/${at}.jsonl`, '')
  let breaths = 0
  expect((await listing({ ...silentWork, breathe: async () => void breaths++ })).files).toHaveLength(130)
  expect(breaths).toBe(3)
})
