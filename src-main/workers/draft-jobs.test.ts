/** Jobs on drafts as main calls them: versions are text, the session stays open between two saves. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentWork } from '../engine/environment'
import { value } from '../library/drafts/draft-world.test-support'
import { TestLibrary } from '../library/reroot/test-library.test-support'
import { createDraftJobs } from './draft-jobs'
import { createReadingJobs } from './reading-jobs'

let library: TestLibrary
let journal: string
beforeEach(() => {
  library = new TestLibrary()
  const prompt = { role: 'user', content: 'the prompt' }
  journal = library.session({
    cwd: library.folder('w'),
    id: 'one',
    lines: [JSON.stringify({ type: 'message', id: 'a1', parentId: null, message: prompt })],
  })
})
afterEach(() => library.remove())

function jobsOf() {
  const context = library.context()
  const jobs = createDraftJobs(context.env, { context, lookAt: () => undefined })
  const { layout } = library.root
  const session = { roots: [library.root], journal, layout, readOnly: false, includeMaybe: false }
  return { jobs, session, reading: createReadingJobs(context.env) }
}

const file = () => path.join(journal.slice(0, -'.jsonl'.length), 'draft.txt')

it('saves a round, tells when the text was sent already, and discards', async () => {
  const { jobs, session, reading } = jobsOf()
  expect(value(await reading.draft({ journal }, silentWork))).toBeNull()
  const first = value(await jobs.saveDraft({ ...session, text: 'the prompt\n', version: null, change: null }))
  expect(first).toMatchObject({ bytes: 11, alreadySent: true, change: expect.any(String) })
  expect(value(await reading.draft({ journal }, silentWork))).toEqual({
    text: 'the prompt\n',
    bytes: 11,
    modified: first.modified,
    alreadySent: true,
    version: first.version,
  })
  const { version, change } = first
  const second = value(await jobs.saveDraft({ ...session, text: 'more', version, change }))
  expect(second).toMatchObject({ bytes: 4, alreadySent: false, change })
  expect(second.version).not.toBe(version)
  // The version before is that of a draft which is not there any more.
  const stale = await jobs.discardDraft({ ...session, version: version ?? '' })
  expect(stale).toMatchObject({ ok: false, error: { code: 'changed-on-disk' } })
  const report = value(await jobs.discardDraft({ ...session, version: second.version ?? '' }))
  expect(report).toMatchObject({ done: 1, asked: 1, files: 1, bytes: 4, changeId: expect.any(String) })
  expect(fs.existsSync(file())).toBe(false)
  expect(value(await jobs.discardDraft({ ...session, version: second.version ?? '' }))).toMatchObject({
    done: 0,
    changeId: null,
    notes: ['The draft was gone already.'],
  })
})

it('writes nothing to the journal, so that no write of ours has to be remembered', async () => {
  const { jobs, session } = jobsOf()
  const before = fs.statSync(journal, { bigint: true })
  const { version } = value(await jobs.saveDraft({ ...session, text: 'text', version: null, change: null }))
  value(await jobs.discardDraft({ ...session, version: version ?? '' }))
  const after = fs.statSync(journal, { bigint: true })
  expect([after.ino, after.size, after.mtimeNs]).toEqual([before.ino, before.size, before.mtimeNs])
  const { directory } = library.context().data
  expect(fs.readdirSync(directory).toSorted()).toEqual(['changes.json', 'operations'])
})

it('takes saves that come at once one after the other', async () => {
  const { jobs, session } = jobsOf()
  const saves = ['a', 'b', 'c'].map(text => jobs.saveDraft({ ...session, text, version: null, change: null }))
  const done = await Promise.all(saves)
  expect(done.map(result => (result.ok ? 'ok' : result.error.code))).toEqual([
    'ok',
    'changed-on-disk',
    'changed-on-disk',
  ])
  expect(fs.readFileSync(file(), 'utf8')).toBe('a')
})

it('sees what the session became between two saves, and that it is gone', async () => {
  const { jobs, session } = jobsOf()
  const first = value(await jobs.saveDraft({ ...session, text: 'next', version: null, change: null }))
  fs.appendFileSync(
    journal,
    '{"type":"message","id":"a2","parentId":"a1","message":{"role":"user","content":"next"}}\n',
  )
  const { version, change } = first
  expect(first.alreadySent).toBe(false)
  expect(value(await jobs.saveDraft({ ...session, text: 'next', version, change })).alreadySent).toBe(true)
  fs.unlinkSync(journal)
  expect(await jobs.saveDraft({ ...session, text: 'x', version, change })).toMatchObject({
    ok: false,
    error: { code: 'not-found' },
  })
  expect(value(jobs.draftText({ journal }))).toEqual({ text: 'next' })
  const [draft] = value(await jobs.listDrafts({ roots: [library.root] }, silentWork))
  expect(draft).toMatchObject({ isOrphan: true, item: { preview: 'next' } })
})

it('writes nothing into a file that holds nothing, also one that lost what it held', async () => {
  const { jobs, session } = jobsOf()
  const first = value(await jobs.saveDraft({ ...session, text: 'x', version: null, change: null }))
  fs.writeFileSync(journal, '')
  const save = (at: object) => jobs.saveDraft({ ...session, text: 'y', version: null, change: null, ...at })
  expect(await save({ version: first.version })).toMatchObject({ ok: false, error: { code: 'damaged' } })
  const empty = path.join(path.dirname(journal), 'empty.jsonl')
  for (const text of ['', '\n\n']) {
    fs.writeFileSync(empty, text)
    expect(await save({ journal: empty })).toMatchObject({ ok: false, error: { code: 'damaged' } })
    expect(fs.readFileSync(empty, 'utf8')).toBe(text)
  }
  expect(fs.readFileSync(journal, 'utf8')).toBe('')
  expect(fs.readFileSync(file(), 'utf8')).toBe('x')
})

it('writes nothing into the trash, nor through a link into a root that is only read', async () => {
  const { jobs, session } = jobsOf()
  const { sessionsDir } = library.root.layout
  const trashed = path.join(sessionsDir, 'grove-trash', 'item', '-w', 'one.jsonl')
  const foreign = path.join(library.home, '.pi', 'agent', 'sessions', '-w', 'one.jsonl')
  for (const place of [trashed, foreign]) {
    fs.mkdirSync(path.dirname(place), { recursive: true })
    fs.copyFileSync(journal, place)
  }
  const link = path.join(path.dirname(journal), 'link.jsonl')
  fs.symlinkSync(foreign, link)
  const save = (at: string) =>
    jobs.saveDraft({ ...session, journal: at, text: 'x', version: null, change: null })
  expect(await save(trashed)).toMatchObject({ ok: false, error: { code: 'invalid-argument' } })
  expect(await save(link)).toMatchObject({ ok: false, error: { code: 'permission' } })
  expect(await save(foreign)).toMatchObject({ ok: false, error: { code: 'permission' } })
  for (const place of [trashed, link, foreign])
    expect(fs.existsSync(place.slice(0, -'.jsonl'.length))).toBe(false)
})

it('refuses a root that is only read, a version of another kind, and a session that may be in use unless told', async () => {
  const { jobs, session } = jobsOf()
  const save = (more: object) =>
    jobs.saveDraft({ ...session, text: 'x', version: null, change: null, ...more })
  expect(await save({ readOnly: true })).toMatchObject({ ok: false, error: { code: 'permission' } })
  for (const version of ['{', '{}', '[]', '{"kind":"file"}'])
    expect(await save({ version })).toMatchObject({ ok: false, error: { code: 'invalid-argument' } })
  library.uses.set(journal, { state: 'maybe', text: 'An omp runs there.', pid: 1 })
  expect(await save({})).toMatchObject({ ok: false, error: { code: 'in-use' } })
  expect(fs.existsSync(file())).toBe(false)
  expect((await save({ includeMaybe: true })).ok).toBe(true)
})
