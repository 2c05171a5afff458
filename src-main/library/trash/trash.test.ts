/** Delete, list, restore, empty, Undo: what they do when nothing fails, and what they refuse. */
import fs from 'node:fs'
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EngineError } from '../../engine/storage/errors'
import { faultyFileSystem } from '../../engine/storage/faulty-file-system.test-support'
import type { ChangeContext } from '../changes/change-handlers'
import { listOperations } from '../changes/operation-journal'
import { listChanges, undoChange } from '../changes/undo'
import { applyDelete, type DeleteOutcome } from './delete-apply'
import { deletePlanView, planDelete } from './delete-plan'
import { emptyTrash } from './empty'
import { restoreFromTrash } from './restore'
import {
  removeLibrary,
  type TestLibrary,
  testContext,
  testLibrary,
  testProcesses,
  work,
} from './test-library.test-support'
import { trashHandlers } from './trash-handlers'
import { listTrash, trashView } from './trash-list'
import { manifestPathOf, trashRootOf } from './trash-places'

let library: TestLibrary
let context: ChangeContext

beforeEach(() => {
  library = testLibrary()
  context = testContext(library)
})
afterEach(() => removeLibrary(library))

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

async function remove(...journals: string[]): Promise<DeleteOutcome> {
  const plan = value(await planDelete(context, journals.map(library.target), {}, work))
  return value(await applyDelete(context, plan, { includeMaybe: false }, work))
}

const listed = async () => value(await listTrash(context, [library], work))

describe('delete', () => {
  it('plans exactly what goes and writes nothing', async () => {
    const journal = library.addSession('one')
    const before = library.contents(library.home)
    const plan = deletePlanView(value(await planDelete(context, [library.target(journal)], {}, work)))
    expect(plan).toMatchObject({
      sessions: 1,
      asked: 1,
      files: 7,
      artifactFiles: 5,
      subagents: 2,
      drafts: 1,
      staying: [],
    })
    const bytes = [...before.keys()]
      .filter(name => name.includes('one') && fs.lstatSync(path.join(library.home, name)).isFile())
      .reduce((sum, name) => sum + fs.lstatSync(path.join(library.home, name)).size, 0)
    expect(plan.bytes).toBe(bytes)
    expect(library.contents(library.home)).toEqual(before)
  })

  it('moves the unit whole and puts it back byte for byte, times included', async () => {
    const journal = library.addSession('one')
    library.addSession('two')
    const before = library.contents()
    const times = fs.statSync(journal, { bigint: true }).mtimeNs
    const { report, items } = await remove(journal)
    expect(report).toMatchObject({ done: 1, asked: 1, files: 7, staying: [], notes: [] })
    expect(fs.readdirSync(path.dirname(journal)).sort()).toEqual(['two', 'two.jsonl', 'two.jsonl.1.bak'])
    expect(items[0]?.location.startsWith(trashRootOf(library.sessionsDir))).toBe(true)
    const { items: entries } = await listed()
    expect(entries).toMatchObject([{ files: 7, bytes: report.bytes, problem: null }])
    const restored = value(await restoreFromTrash(context, entries, {}, work))
    expect(restored.report).toMatchObject({ done: 1, files: 7, bytes: report.bytes, staying: [] })
    expect(library.contents()).toEqual(before)
    expect(fs.statSync(journal, { bigint: true }).mtimeNs).toBe(times)
    expect(value(listOperations(context.env, context.data)).operations).toEqual([])
  })

  it('undoes through recent changes, once', async () => {
    const journal = library.addSession('one')
    const before = library.contents()
    const { report } = await remove(journal)
    const changes = value(listChanges(context, trashHandlers))
    expect(changes).toMatchObject([{ id: report.changeId, kind: 'delete', state: 'done', canUndo: true }])
    expect(changes[0]?.text).toBe('Moved “Title of one” to trash')
    value(await undoChange(context, trashHandlers, report.changeId ?? '', work))
    expect(library.contents()).toEqual(before)
    expect(value(listChanges(context, trashHandlers))).toMatchObject([{ state: 'undone', canUndo: false }])
    const again = await undoChange(context, trashHandlers, report.changeId ?? '', work)
    expect(again).toMatchObject({ ok: false, error: { code: 'conflict' } })
  })

  it('undoes a restore by moving the session to the trash again', async () => {
    await remove(library.addSession('one'))
    const { report } = value(await restoreFromTrash(context, (await listed()).items, {}, work))
    value(await undoChange(context, trashHandlers, report.changeId ?? '', work))
    expect((await listed()).items).toMatchObject([{ files: 7, problem: null }])
  })

  it.each([
    ['the journal grew', (journal: string) => fs.appendFileSync(journal, '{}\n')],
    [
      'an artifact changed',
      (journal: string) => fs.writeFileSync(journal.replace('.jsonl', '/0.bash.log'), 'other'),
    ],
    [
      'an artifact appeared',
      (journal: string) => fs.writeFileSync(journal.replace('.jsonl', '/9.new.log'), ''),
    ],
    ['a backup appeared', (journal: string) => fs.writeFileSync(`${journal}.2.bak`, '')],
  ])('leaves a session in which %s since the plan', async (_what, change) => {
    const journal = library.addSession('one')
    const plan = value(await planDelete(context, [library.target(journal)], {}, work))
    change(journal)
    const then = Date.now() / 1000 - 100
    fs.utimesSync(journal, then, then)
    const before = library.contents()
    const { report } = value(await applyDelete(context, plan, { includeMaybe: false }, work))
    expect(report).toMatchObject({ done: 0, changeId: null, staying: [{ reason: 'changed-on-disk' }] })
    expect(library.contents()).toEqual(before)
  })

  it('brings back a session that is written to in the moment it moves', async () => {
    const journal = library.addSession('one')
    const plan = value(await planDelete(context, [library.target(journal)], {}, work))
    const real = context.env.fs
    let appended = false
    const racing = {
      ...real,
      rename: (from: string, to: string) => {
        if (from === journal && !appended) {
          appended = true
          fs.appendFileSync(journal, 'a line at the last moment\n')
        }
        real.rename(from, to)
      },
    }
    const racer: ChangeContext = { ...context, env: { ...context.env, fs: racing } }
    const { report } = value(await applyDelete(racer, plan, { includeMaybe: false }, work))
    expect(report).toMatchObject({ done: 0, staying: [{ reason: 'changed-on-disk' }] })
    expect(fs.readFileSync(journal, 'utf8')).toContain('a line at the last moment')
    expect(fs.existsSync(trashRootOf(library.sessionsDir))).toBe(false)
  })

  it('moves links as links and leaves their targets alone', async () => {
    const real = path.join(library.home, 'elsewhere')
    fs.mkdirSync(real)
    fs.writeFileSync(path.join(real, 'kept.txt'), 'kept')
    const journal = path.join(library.sessionsDir, '-proj', 'linked.jsonl')
    fs.symlinkSync(path.join(library.home, 'outside.txt'), journal)
    fs.symlinkSync(real, journal.replace('.jsonl', ''))
    fs.utimesSync(path.join(library.home, 'outside.txt'), 1, 1)
    const outside = library.contents(real)
    const { report } = await remove(journal)
    expect(report).toMatchObject({ done: 1, files: 2, bytes: 0 })
    const { items } = await listed()
    value(await emptyTrash(context, items, work))
    expect(library.contents(real)).toEqual(outside)
    expect(fs.readFileSync(path.join(library.home, 'outside.txt'), 'utf8')).toBe('must never be touched')
    expect(fs.existsSync(trashRootOf(library.sessionsDir))).toBe(false)
  })

  it('leaves what is missing, read-only, in the trash already, or in use, each with its reason', async () => {
    const journal = library.addSession('one')
    const busy = library.addSession('busy')
    const now = Date.now() / 1000
    fs.utimesSync(busy.replace('.jsonl', '/Agent.jsonl'), now, now)
    const targets = [
      { ...library.target(journal), readOnly: true },
      library.target(path.join(library.sessionsDir, '-proj', 'gone.jsonl')),
      library.target(busy),
    ]
    const plan = value(await planDelete(context, targets, {}, work))
    expect(plan.units).toEqual([])
    expect(plan.staying.map(({ reason }) => reason)).toEqual(['read-only', 'missing', 'in-use'])
    const { items } = await remove(journal)
    const inTrash = path.join(items[0]?.location ?? '', '-proj', 'one.jsonl')
    const again = value(await planDelete(context, [library.target(inTrash)], {}, work))
    expect(again.staying).toMatchObject([{ reason: 'failed' }])
  })

  it('takes a selected subagent with its root only once', async () => {
    const journal = library.addSession('one')
    const child = journal.replace('.jsonl', '/Agent.jsonl')
    const plan = value(await planDelete(context, [child, journal, journal].map(library.target), {}, work))
    expect(plan.units.map(unit => unit.target.journal)).toEqual([journal])
  })

  it('trashes a subagent alone and puts it back into its artifact directory', async () => {
    const journal = library.addSession('one')
    const before = library.contents()
    const { report } = await remove(journal.replace('.jsonl', '/Agent.jsonl'))
    expect(report).toMatchObject({ done: 1, files: 2 })
    value(await restoreFromTrash(context, (await listed()).items, {}, work))
    expect(library.contents()).toEqual(before)
  })

  it('asks first where an omp runs that nothing ties to a session', async () => {
    const omp = { pid: 77, name: 'omp', argv: ['omp'], uid: 0, cwd: '/w/proj', terminal: null }
    const processes = testProcesses([{ ...omp, terminalKnown: true, env: {}, openFiles: [] }])
    context = testContext(library, { processes })
    const plan = value(await planDelete(context, [library.target(library.addSession('one'))], {}, work))
    expect(deletePlanView(plan).maybe).toMatchObject([{ ref: 'one.jsonl' }])
    expect(deletePlanView(plan).maybe[0]?.text).toContain('process 77')
    const refused = value(await applyDelete(context, plan, { includeMaybe: false }, work))
    expect(refused.report).toMatchObject({ done: 0, staying: [{ reason: 'in-use' }] })
    const agreed = value(await applyDelete(context, plan, { includeMaybe: true }, work))
    expect(agreed.report).toMatchObject({ done: 1, staying: [] })
  })

  it('stops between sessions when cancelled, and says which stayed', async () => {
    const journals = ['one', 'two', 'three'].map(name => library.addSession(name))
    const plan = value(await planDelete(context, journals.map(library.target), {}, work))
    let progress = 0
    const cancelling = {
      breathe: async () => {
        if (progress > 1) throw Object.assign(new Error('Cancelled.'), { name: 'EngineError' })
      },
      progress: () => {
        progress++
      },
    }
    const { report } = value(await applyDelete(context, plan, { includeMaybe: false }, cancelling))
    expect(report.done + report.staying.length).toBe(3)
    expect((await listed()).items.length).toBe(report.done)
  })

  it('puts a session from outside the root into its trash and back, but believes no note alone', async () => {
    const outside = path.join(library.home, 'own', 'mine.jsonl')
    fs.mkdirSync(path.dirname(outside))
    fs.copyFileSync(library.addSession('one'), outside)
    fs.utimesSync(outside, 1, 1)
    await remove(outside)
    expect(fs.existsSync(outside)).toBe(false)
    expect((await listed()).items).toMatchObject([{ problem: null }])
    fs.renameSync(context.data.changes, `${context.data.changes}.gone`)
    expect((await listed()).items[0]?.problem).toContain('no record')
    fs.renameSync(`${context.data.changes}.gone`, context.data.changes)
    value(await restoreFromTrash(context, (await listed()).items, {}, work))
    expect(fs.existsSync(outside)).toBe(true)
  })
})

describe('trash', () => {
  it('stands on its own: restores without our data, and after the root was moved', async () => {
    const journal = library.addSession('one')
    const before = library.contents()
    await remove(journal)
    fs.rmSync(context.data.directory, { recursive: true })
    const elsewhere = path.join(library.home, 'agent', 'sessions-moved')
    fs.renameSync(library.sessionsDir, elsewhere)
    const { items } = value(await listTrash(context, [{ sessionsDir: elsewhere }], work))
    expect(items).toMatchObject([{ problem: null }])
    value(await restoreFromTrash(context, items, {}, work))
    expect(library.contents(elsewhere)).toEqual(before)
  })

  it('makes the directory again when it is gone', async () => {
    const journal = library.addSession('one')
    await remove(journal)
    fs.rmdirSync(path.dirname(journal))
    value(await restoreFromTrash(context, (await listed()).items, {}, work))
    expect(fs.existsSync(journal)).toBe(true)
  })

  it('never overwrites: a ghost at the old place keeps the whole unit in the trash', async () => {
    const [one, two] = [library.addSession('one'), library.addSession('two')]
    await remove(one, two)
    fs.writeFileSync(one, 'recreated by a live agent')
    const before = library.contents()
    const { items } = await listed()
    expect(items.map(item => item.problem === null).sort()).toEqual([false, true])
    const { report, kept } = value(await restoreFromTrash(context, items, {}, work))
    expect(report).toMatchObject({ done: 1, asked: 2, staying: [{ reason: 'clash', title: 'Title of one' }] })
    expect(kept).toHaveLength(1)
    expect(fs.readFileSync(one, 'utf8')).toBe('recreated by a live agent')
    const trash = [...before.keys()].filter(name => name.includes('one') && name.startsWith('grove-trash'))
    for (const name of trash) expect(library.contents().get(name)).toBe(before.get(name))
  })

  it('lists what has a damaged or foreign note, with the problem, and does not restore it', async () => {
    await remove(library.addSession('one'))
    const [item] = (await listed()).items
    if (item === undefined) throw new Error('nothing listed')
    const note = manifestPathOf(item)
    const original = fs.readFileSync(note, 'utf8')
    const hostile = [
      '{',
      '[]',
      original.replace('"version": 1', '"version": 2'),
      original.replace('"name": "one.jsonl"', '"name": "../../../one.jsonl"'),
      original.replace('"container": "-proj"', '"container": ".."'),
      original.replace('"directory": "-proj"', '"directory": "../../elsewhere"'),
    ]
    for (const text of hostile) {
      fs.writeFileSync(note, text)
      const listing = await listed()
      expect(trashView(listing, library.home).items).toMatchObject([{ files: 7, originalFile: '' }])
      expect(listing.items[0]?.problem).toContain('damaged')
      const { report } = value(await restoreFromTrash(context, listing.items, {}, work))
      expect(report).toMatchObject({ done: 0, staying: [{ reason: 'damaged' }] })
    }
  })

  it('believes no note alone whose place lies behind a link that leads out', async () => {
    await remove(library.addSession('one'))
    const [item] = (await listed()).items
    if (item === undefined) throw new Error('nothing listed')
    const outside = path.join(library.home, 'outside')
    fs.mkdirSync(outside)
    fs.symlinkSync(outside, path.join(library.sessionsDir, 'link'))
    const note = fs.readFileSync(manifestPathOf(item), 'utf8')
    for (const directory of ['link', 'link/deeper']) {
      fs.writeFileSync(
        manifestPathOf(item),
        note.replace('"directory": "-proj"', `"directory": "${directory}"`),
      )
      expect((await listed()).items[0]?.problem).toContain('no record')
      const { report } = value(await restoreFromTrash(context, [item], {}, work))
      expect(report).toMatchObject({ done: 0, staying: [{ reason: 'clash' }] })
    }
    expect(fs.readdirSync(outside)).toEqual([])
  })

  it('empties on a full disk, where nothing can be noted before', async () => {
    const one = library.addSession('one')
    await remove(one)
    const { items } = await listed()
    const full = testContext(library, {
      pid: 4_000_002,
      fs: faultyFileSystem({ fault: { at: 0, errno: 'ENOSPC', lasting: 'onwards' }, only: ['write'] }),
    })
    const emptied = value(await emptyTrash(full, items, work))
    expect(emptied).toMatchObject({ done: 1, files: items[0]?.files, bytes: items[0]?.bytes, staying: [] })
    expect(emptied.notes.join()).toContain('could not be noted')
    expect((await listed()).items).toEqual([])
  })

  it('empties exactly what it listed and says so', async () => {
    const [one, two] = [library.addSession('one'), library.addSession('two')]
    library.addSession('three')
    const { report } = await remove(one, two)
    const kept = library.contents()
    const { items } = await listed()
    const gone = items.find(item => item.manifest?.session.id === 'one')
    if (gone === undefined) throw new Error('not listed')
    const emptied = value(await emptyTrash(context, [gone], work))
    expect(emptied).toMatchObject({ done: 1, asked: 1, files: gone.files, bytes: gone.bytes, staying: [] })
    for (const name of kept.keys()) if (name.includes(gone.id)) kept.delete(name)
    expect(library.contents()).toEqual(kept)
    const rest = value(await emptyTrash(context, (await listed()).items, work))
    expect(rest.files + emptied.files).toBe(report.files)
    expect(rest.bytes + emptied.bytes).toBe(report.bytes)
    expect(fs.existsSync(trashRootOf(library.sessionsDir))).toBe(false)
    expect(value(listChanges(context, trashHandlers)).map(({ canUndo }) => canUndo)).toEqual([
      false,
      false,
      false,
    ])
  })

  it.each(['restore', 'empty'])(
    'is whole wherever a cancel stops its %s, and the report tells',
    async how => {
      const outcomes = new Set<number>()
      for (let breaths = 0; breaths < 60; breaths++) {
        const names = ['one', 'two'].map(name => `${name}${breaths}`)
        const journals = names.map(name => library.addSession(name))
        await remove(...journals)
        const { items } = await listed()
        let left = breaths
        const cancelling = {
          breathe: async () => {
            if (left-- <= 0) throw new EngineError('cancelled', 'Cancelled.')
          },
          progress: () => undefined,
        }
        const done =
          how === 'restore'
            ? await restoreFromTrash(context, items, {}, cancelling)
            : await emptyTrash(context, items, cancelling)
        // An error: it was cancelled while planning, and nothing was begun.
        const report = done.ok ? ('report' in done.value ? done.value.report : done.value) : null
        const after = (await listed()).items
        const back = journals.filter(journal => fs.existsSync(journal))
        expect(after.map(({ problem, files }) => [problem, files])).toEqual(after.map(() => [null, 7]))
        expect(after.length).toBe(2 - (report?.done ?? 0))
        expect(report?.staying.length ?? 2).toBe(after.length)
        expect(back.length).toBe(how === 'restore' ? (report?.done ?? 0) : 0)
        for (const journal of back) expect(library.contents(journal.slice(0, -'.jsonl'.length)).size).toBe(6)
        expect(fs.readdirSync(context.data.operations)).toEqual([])
        outcomes.add(report?.done ?? -1)
        value(await emptyTrash(context, after, work))
        for (const journal of back) await remove(journal)
        value(await emptyTrash(context, (await listed()).items, work))
      }
      expect([...outcomes].sort()).toEqual([-1, 0, 1, 2])
    },
  )

  it('does not empty an item that differs from what was shown', async () => {
    await remove(library.addSession('one'))
    const { items } = await listed()
    fs.writeFileSync(path.join(items[0]?.location ?? '', '-proj', 'one', 'later.txt'), 'x')
    const before = library.contents()
    const emptied = value(await emptyTrash(context, items, work))
    expect(emptied).toMatchObject({
      done: 0,
      files: 0,
      changeId: null,
      staying: [{ reason: 'changed-on-disk' }],
    })
    expect(library.contents()).toEqual(before)
  })

  it('refuses a trash that is a link, and names that lead elsewhere', async () => {
    const journal = library.addSession('one')
    fs.symlinkSync(path.join(library.home, 'elsewhere'), trashRootOf(library.sessionsDir))
    const { report } = await remove(journal)
    expect(report).toMatchObject({ done: 0, staying: [{ reason: 'clash' }] })
    expect(fs.existsSync(journal)).toBe(true)
    const bad = [{ id: '../-proj', sessionsDir: library.sessionsDir, fingerprint: '' }]
    expect(value(await emptyTrash(context, bad, work))).toMatchObject({ done: 0 })
    expect(value(await restoreFromTrash(context, bad, {}, work)).report).toMatchObject({ done: 0 })
  })

  it('is invisible to a listing of sessions/*/*.jsonl and visible to one of **/*.jsonl', async () => {
    const { items } = await remove(library.addSession('one'))
    const shallow = fs.readdirSync(library.sessionsDir).flatMap(name => {
      const directory = path.join(library.sessionsDir, name)
      return fs.readdirSync(directory).filter(file => file.endsWith('.jsonl'))
    })
    expect(shallow).toEqual([])
    expect(fs.existsSync(path.join(items[0]?.location ?? '', '-proj', 'one.jsonl'))).toBe(true)
  })
})
