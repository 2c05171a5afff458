import fs from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentWork } from '../../engine/environment'
import { notePresentProjects } from '../projects/project-memory'
import { rerootQuestion } from './question'
import type { RerootScope } from './subject'
import { TestLibrary } from './test-library.test-support'

let library: TestLibrary
beforeEach(() => {
  library = new TestLibrary()
})
afterEach(() => library.remove())

async function ask(scope: RerootScope) {
  const { env, data } = library.context()
  const asked = await rerootQuestion(env, data, scope, await library.targets(), [library.root], silentWork)
  if (!asked.ok) throw new Error(asked.error.message)
  return asked.value
}

it('offers the renamed prefix that holds several projects, and finds it by a nested breadcrumb', async () => {
  const web = library.folder('clients', 'acme', 'web')
  library.folder('clients', 'acme', 'api')
  for (const name of ['web', 'api', 'gone'])
    library.session({ cwd: library.at('clients', 'acme', name), id: name })
  library.session({ cwd: library.folder('clients', 'other'), id: 'other' })
  const { dev, ino } = fs.statSync(web)
  library.breadcrumb('pts-1', `${web}\n/x.jsonl\ncwdstat ${dev} ${ino}\n`)
  fs.renameSync(library.at('clients', 'acme'), library.at('clients', 'acme-corp'))
  const project = await ask({ kind: 'project', cwd: web })
  expect(project).toMatchObject({
    title: 'Re-root web',
    from: web,
    state: 'missing',
    sessions: 1,
    projects: 1,
    prefixes: [{ prefix: library.at('clients', 'acme'), projects: 3, sessions: 3 }],
  })
  expect(project.candidates[0]).toMatchObject({
    path: library.at('clients', 'acme-corp', 'web'),
    evidence: 'same-folder',
  })
  const prefix = await ask({ kind: 'prefix', prefix: library.at('clients', 'acme') })
  expect(prefix).toMatchObject({ title: 'Re-root everything below ~/clients/acme', sessions: 3, projects: 3 })
  expect(prefix.candidates[0]).toMatchObject({
    path: library.at('clients', 'acme-corp'),
    evidence: 'same-folder',
  })
})

it('offers nothing for what cannot be reached, and says so', async () => {
  library.session({ cwd: '/mnt/no-such-disk/app', id: 'far' })
  library.folder('app')
  expect(await ask({ kind: 'project', cwd: '/mnt/no-such-disk/app' })).toMatchObject({
    state: 'unreachable',
    stateReason: 'The volume /mnt/no-such-disk is not mounted.',
    candidates: [],
  })
})

it('names no folder for a selection of several, and one for a selection of one', async () => {
  const [a, b] = [library.at('a'), library.at('b')]
  const files = [library.session({ cwd: a, id: 'one' }), library.session({ cwd: b, id: 'two' })]
  expect(await ask({ kind: 'sessions', journals: files })).toMatchObject({
    title: 'Re-root 2 sessions',
    from: null,
    state: 'unknown',
    sessions: 2,
    projects: 2,
    candidates: [],
    prefixes: [],
  })
  expect((await ask({ kind: 'sessions', journals: files.slice(0, 1) })).from).toBe(a)
})

it('does not write to sessions or projects', async () => {
  const app = library.folder('app')
  library.session({ cwd: app, id: 'x' })
  const before = library.files()
  await notePresentProjects(library.env, library.context().data, [app])
  await ask({ kind: 'project', cwd: app })
  expect(library.files()).toEqual(before)
  expect(fs.readdirSync(app)).toEqual([])
})
