/** Everyday changes as main calls them: each asks the roots that it was given, and is made of the session that it was given. */
import fs from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentWork } from '../engine/environment'
import { value } from '../library/drafts/draft-world.test-support'
import { entriesOf, headerOf, TestLibrary } from '../library/reroot/test-library.test-support'
import type { LibraryRoot } from '../library/roots'
import { createEditJobs } from './edit-jobs'

let library: TestLibrary
let journal: string
let looked: LibraryRoot[][]
beforeEach(() => {
  library = new TestLibrary()
  looked = []
  journal = library.session({ cwd: library.folder('w'), id: 'one' })
})
afterEach(() => library.remove())

function jobsOf() {
  const jobs = createEditJobs({
    context: library.context(),
    lookAt: roots => looked.push([...roots]),
  })
  const { layout } = library.root
  const session = { ref: 's1', journal, title: 'listed as this', layout, readOnly: false }
  return { jobs, edit: { roots: [library.root], session, includeMaybe: false } }
}

it('renames, labels and continues the session, each asked of its roots', async () => {
  const { jobs, edit } = jobsOf()
  const made = [
    await jobs.renameSession({ ...edit, title: 'Another' }, silentWork),
    await jobs.labelEntry({ ...edit, entryId: 'a1', label: 'start' }, silentWork),
    await jobs.continueBranch({ ...edit, entryId: 'a1' }, silentWork),
  ]
  for (const report of made) expect(value(report)).toMatchObject({ done: 1, staying: [], maybe: [] })
  const kinds = [...entriesOf(journal).matchAll(/"type":"(title_change|label|branch_summary)"/g)]
  expect(kinds.map(([, kind]) => kind)).toEqual(['title_change', 'label', 'branch_summary'])
  expect(looked).toEqual([[library.root], [library.root], [library.root]])
})

it('changes nothing without a word where an omp may be at work, and changes it with one', async () => {
  const { jobs, edit } = jobsOf()
  library.uses.set(journal, { state: 'maybe', text: 'omp runs there.', pid: 1 })
  const before = library.files()
  const maybe = [{ ref: 's1', title: 'Title one', text: 'omp runs there.' }]
  for (const report of [
    await jobs.renameSession({ ...edit, title: 'Another' }, silentWork),
    await jobs.labelEntry({ ...edit, entryId: 'a1', label: 'start' }, silentWork),
    await jobs.continueBranch({ ...edit, entryId: 'a1' }, silentWork),
  ])
    expect(value(report)).toMatchObject({ done: 0, changeId: null, maybe })
  expect(library.files()).toEqual(before)
  const told = { ...edit, includeMaybe: true, title: 'Another' }
  expect(value(await jobs.renameSession(told, silentWork))).toMatchObject({ done: 1, maybe: [] })
})

it('stars a session in the list of its root, and leaves one of a root that is only read', async () => {
  const { jobs } = jobsOf()
  const { pinsFile } = library.root.layout
  const target = { ref: 's1', title: 'Title one', id: 'one', pinsFile, readOnly: false }
  const read = { ...target, ref: 's2', title: 'Only read', id: 'two', readOnly: true }
  const input = { roots: [library.root], targets: [target, read], starred: true }
  expect(value(await jobs.starSessions(input, silentWork))).toMatchObject({
    done: 1,
    asked: 2,
    staying: [{ title: 'Only read', reason: 'read-only' }],
  })
  const list = fs.readFileSync(pinsFile, 'utf8')
  expect([list.includes('one'), list.includes('two')]).toEqual([true, false])
})

it('says what a fork comes to without making it, then makes it, also of a session in use', async () => {
  const { jobs, edit } = jobsOf()
  library.uses.set(journal, { state: 'in-use', text: 'omp has it.', pid: 1 })
  const before = library.files()
  const wish = { ...edit, leafId: 'a1', withArtifacts: true, only: null }
  const preview = value(await jobs.forkPreview(wish, silentWork))
  expect(preview).toMatchObject({ entries: 1, messages: 1 })
  expect(preview.notes.join()).toContain('omp has it. The fork holds the path as it is now.')
  expect(library.files()).toEqual(before)
  const { report, file, cwd } = value(await jobs.forkSession(wish, silentWork))
  expect(report).toMatchObject({ done: 1, files: 1, changeId: expect.any(String) })
  expect(headerOf(file)).toMatchObject({ cwd, parentSession: expect.any(String) })
  expect(library.files()).toMatchObject(before)
})
