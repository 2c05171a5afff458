import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentWork } from '../../engine/environment'
import { EngineError } from '../../engine/storage/errors'
import { readChanges } from '../changes/recent-changes'
import { listChanges, undoChange } from '../changes/undo'
import { applyReroot } from './apply'
import { planReroot, type RerootPlanData, rerootPlanView } from './plan'
import { rerootHandler } from './reroot-handler'
import type { RerootScope } from './subject'
import { entriesOf, headerOf, TestLibrary } from './test-library.test-support'

let library: TestLibrary
beforeEach(() => {
  library = new TestLibrary()
})
afterEach(() => library.remove())

async function plan(scope: RerootScope, to: string): Promise<RerootPlanData> {
  const planned = await planReroot(
    library.context(),
    scope,
    to,
    await library.targets(),
    [library.root],
    silentWork,
  )
  if (!planned.ok) throw new Error(planned.error.message)
  return planned.value
}

async function apply(data: RerootPlanData, includeMaybe = false) {
  const done = await applyReroot(library.context(), data, { includeMaybe }, silentWork)
  if (!done.ok) throw new Error(done.error.message)
  return done.value
}

async function undo(id: string, includeMaybe = false) {
  const done = await undoChange(library.context(), [rerootHandler], id, silentWork, includeMaybe)
  if (!done.ok) throw new Error(done.error.message)
  return done.value
}

const project = (cwd: string): RerootScope => ({ kind: 'project', cwd })
const moved = (file: string, cwd: string) => path.join(library.directoryOf(cwd), path.basename(file))
const operations = () => {
  const directory = library.context().data.operations
  return fs.existsSync(directory) ? fs.readdirSync(directory) : []
}

describe('re-root of a project', () => {
  it('moves journal and artifacts, changes the header line alone, and leads breadcrumbs', async () => {
    const [old, now] = [library.at('code', 'old-app'), library.folder('code', 'new-app')]
    const file = library.session({
      cwd: old,
      id: 'one',
      artifacts: { '0.bash.log': 'out', 'sub/x.jsonl': '{}' },
      header: { additionalDirectories: [`${old}/lib`, now, '/else'], z: { '7': 1 } },
    })
    const other = library.session({ cwd: library.folder('code', 'other'), id: 'other' })
    const crumb = library.breadcrumb('pts-1', `${old}\n${file}\ncwdstat 1 2\nunknown\n`)
    const foreign = library.breadcrumb('pts-2', `${library.at('code', 'other')}\n${other}\n`)
    const before = library.files()
    const stat = fs.statSync(file)
    const entries = entriesOf(file)
    const data = await plan(project(old), now)
    expect(library.files()).toEqual(before)
    expect(rerootPlanView(data)).toMatchObject({
      from: old,
      to: now,
      sessions: 1,
      asked: 1,
      projects: 1,
      artifactDirectories: 1,
      breadcrumbs: 1,
      clashes: 0,
      staying: [],
      maybe: [],
      notes: [],
    })
    const report = await apply(data)
    expect(report).toMatchObject({ done: 1, asked: 1, files: 3, staying: [], notes: [] })
    const to = moved(file, now)
    expect(fs.existsSync(path.dirname(file))).toBe(false)
    expect(entriesOf(to)).toBe(entries)
    expect(fs.readFileSync(to, 'latin1').slice(0, 256)).toBe(
      before[path.relative(library.root.layout.agentDir, file)]?.slice(0, 256),
    )
    expect(Object.entries(headerOf(to))).toEqual([
      ['type', 'session'],
      ['version', 3],
      ['id', 'one'],
      ['timestamp', '2026-11-30T08:00:00.000Z'],
      ['cwd', now],
      ['additionalDirectories', [`${now}/lib`, '/else']],
      ['z', { '7': 1 }],
      ['previousSessionFiles', [file]],
    ])
    expect(Math.abs(fs.statSync(to).mtimeMs - stat.mtimeMs)).toBeLessThan(0.01)
    expect(fs.statSync(to).mode).toBe(stat.mode)
    expect(fs.readdirSync(path.dirname(to)).sort()).toEqual([
      path.basename(to).slice(0, -6),
      path.basename(to),
    ])
    const { dev, ino } = fs.statSync(now)
    expect(fs.readFileSync(crumb, 'utf8')).toBe(`${now}\n${to}\ncwdstat ${dev} ${ino}\nunknown\n`)
    expect(fs.readFileSync(foreign, 'utf8')).toBe(`${library.at('code', 'other')}\n${other}\n`)
    expect(operations()).toEqual([])
    const undone = await undo(report.changeId ?? '')
    expect(undone).toMatchObject({ done: 1, staying: [], notes: [] })
    expect(library.files()).toEqual(before)
    expect(Math.abs(fs.statSync(file).mtimeMs - stat.mtimeMs)).toBeLessThan(0.01)
    expect(fs.existsSync(path.dirname(to))).toBe(false)
    const changes = readChanges(library.env, library.context().data)
    expect(changes.ok && changes.value.map(({ state }) => state)).toEqual(['undone'])
  })

  it('keeps mark, CR LF, a missing slot and a missing last line feed', async () => {
    const [old, now] = [library.at('old'), library.folder('new')]
    const files = [
      library.session({ cwd: old, id: 'bom', bom: true }),
      library.session({ cwd: old, id: 'crlf', lineEnd: '\r\n', slot: false }),
      library.session({ cwd: old, id: 'slotless', slot: false }),
    ]
    fs.appendFileSync(files[2] ?? '', '{"cut')
    fs.utimesSync(files[2] ?? '', 1, 1)
    const before = files.map(file => fs.readFileSync(file, 'latin1'))
    await apply(await plan(project(old), now))
    for (const [at, file] of files.entries()) {
      const text = fs.readFileSync(moved(file, now), 'latin1')
      expect(entriesOf(moved(file, now))).toBe(before[at]?.replace(/^[\s\S]*?"cwd":[^\n\r]*/, ''))
      expect(text.startsWith('\xef\xbb\xbf')).toBe(before[at]?.startsWith('\xef\xbb\xbf'))
    }
  })

  it('lets a clash, a session in use, a damaged and a newer one stay, and tells why', async () => {
    const [old, now] = [library.at('old'), library.folder('new')]
    const free = library.session({ cwd: old, id: 'free' })
    const clash = library.session({ cwd: old, id: 'clash' })
    fs.mkdirSync(library.directoryOf(now), { recursive: true })
    fs.writeFileSync(moved(clash, now), 'mine')
    const artifactClash = library.session({ cwd: old, id: 'artifacts' })
    fs.mkdirSync(moved(artifactClash, now).slice(0, -6))
    const used = library.session({ cwd: old, id: 'used' })
    library.uses.set(used, { state: 'in-use', text: 'omp (process 7) has it open.', pid: 7 })
    const maybe = library.session({ cwd: old, id: 'maybe' })
    library.uses.set(maybe, { state: 'maybe', text: 'omp (process 8) runs here.', pid: 8 })
    library.session({ cwd: old, id: 'newer', header: { version: 4 } })
    const before = library.files()
    const data = await plan(project(old), now)
    const view = rerootPlanView(data)
    expect(view).toMatchObject({ asked: 6, sessions: 2, clashes: 2 })
    expect(view.maybe.map(({ text }) => text)).toEqual(['omp (process 8) runs here.'])
    const reasons = Object.fromEntries(view.staying.map(({ title, reason }) => [title, reason]))
    expect(reasons).toEqual({
      'Title clash': 'clash',
      'Title artifacts': 'clash',
      'Title used': 'in-use',
      'Title newer': 'unsupported-version',
    })
    const report = await apply(data)
    expect(report.done).toBe(1)
    expect(report.staying.map(({ title }) => title)).toContain('Title maybe')
    expect(fs.readFileSync(moved(clash, now), 'utf8')).toBe('mine')
    const after = library.files()
    const name = (file: string) => path.relative(library.root.layout.agentDir, file)
    for (const [file, content] of Object.entries(before))
      if (file !== name(free)) expect(after[file]).toBe(content)
    const again = await plan(project(old), now)
    expect((await apply(again, true)).done).toBe(1)
  })

  it('lists a session whose header is broken as damaged only in a selection, and changes nothing of it', async () => {
    const now = library.folder('new')
    const file = library.session({ cwd: library.at('old'), id: 'x' })
    fs.writeFileSync(file, '{"type":"session","cwd":\n{}\n')
    const data = await plan({ kind: 'sessions', journals: [file] }, now)
    expect(data.staying.map(({ reason }) => reason)).toEqual(['damaged'])
    expect((await apply(data)).changeId).toBeNull()
  })

  it('refuses a target that is not a folder, the same folder, and a scope without sessions', async () => {
    const old = library.folder('old')
    library.session({ cwd: old, id: 'x' })
    fs.writeFileSync(library.at('file'), '')
    const code = async (scope: RerootScope, to: string) => {
      const done = await planReroot(
        library.context(),
        scope,
        to,
        await library.targets(),
        [library.root],
        silentWork,
      )
      return done.ok ? 'ok' : done.error.code
    }
    expect(await code(project(old), library.at('nowhere'))).toBe('not-found')
    expect(await code(project(old), library.at('file'))).toBe('not-found')
    expect(await code(project(old), '/mnt/no-such-disk/x')).toBe('io')
    expect(await code(project(old), 'relative')).toBe('invalid-argument')
    expect(await code(project(old), `${old}/`)).toBe('invalid-argument')
    expect(await code(project(library.at('none')), old)).toBe('not-found')
  })

  it('lets a session stay that changed between plan and apply', async () => {
    const [old, now] = [library.at('old'), library.folder('new')]
    const grown = library.session({ cwd: old, id: 'grown' })
    const gone = library.session({ cwd: old, id: 'gone' })
    const occupied = library.session({ cwd: old, id: 'occupied' })
    const data = await plan(project(old), now)
    fs.appendFileSync(grown, '{"type":"custom"}\n')
    fs.rmSync(gone)
    fs.mkdirSync(library.directoryOf(now), { recursive: true })
    fs.writeFileSync(moved(occupied, now), 'mine')
    const report = await apply(data)
    expect(report.staying.map(({ reason }) => reason)).toEqual([
      'changed-on-disk',
      'changed-on-disk',
      'clash',
    ])
    expect(entriesOf(grown).endsWith('{"type":"custom"}\n')).toBe(true)
    expect(fs.readFileSync(moved(occupied, now), 'utf8')).toBe('mine')
    expect(fs.readdirSync(library.directoryOf(now))).toHaveLength(1)
  })
})

describe('re-root of a prefix', () => {
  it('maps every folder at or below it by components, and no other', async () => {
    const now = library.folder('work')
    library.folder('work', 'a', 'sub')
    const inner = library.session({ cwd: library.at('code', 'a', 'sub'), id: 'inner' })
    const top = library.session({ cwd: library.at('code'), id: 'top' })
    const near = library.session({ cwd: library.at('code-b'), id: 'near' })
    const data = await plan({ kind: 'prefix', prefix: `${library.at('code')}/` }, now)
    expect(rerootPlanView(data)).toMatchObject({ sessions: 2, projects: 2 })
    await apply(data)
    expect(headerOf(moved(inner, library.at('work', 'a', 'sub'))).cwd).toBe(library.at('work', 'a', 'sub'))
    expect(headerOf(moved(top, now)).cwd).toBe(now)
    expect(headerOf(near).cwd).toBe(library.at('code-b'))
  })

  it('leaves what is in the new place already when a folder was moved into itself', async () => {
    library.folder('code', 'old', 'a')
    const outer = library.session({ cwd: library.at('code', 'a'), id: 'outer' })
    const inner = library.session({ cwd: library.at('code', 'old', 'b'), id: 'inner' })
    const data = await plan({ kind: 'prefix', prefix: library.at('code') }, library.at('code', 'old'))
    expect(data.moves.map(({ move }) => move.from)).toEqual([outer])
    expect(headerOf(inner).cwd).toBe(library.at('code', 'old', 'b'))
  })

  it('lets the second of two sessions that would have one name stay, and tells folders that are not there', async () => {
    const now = library.folder('new')
    const first = library.session({ cwd: library.at('old', 'a-b'), id: 'same' })
    const second = library.session({ cwd: library.at('old', 'a', 'b'), id: 'same' })
    expect(second).toBe(first)
    library.session({ cwd: library.at('old', 'x'), id: 'other' })
    const data = await plan({ kind: 'prefix', prefix: library.at('old') }, now)
    expect(data.notes[0]).toContain('not there')
    const twice = library.session({ cwd: library.at('one'), id: 'twice' })
    const again = library.session({ cwd: library.at('two'), id: 'twice' })
    const both = await plan({ kind: 'sessions', journals: [twice, again] }, now)
    expect(both.moves).toHaveLength(1)
    expect(both.staying.map(({ reason }) => reason)).toEqual(['clash'])
  })
})

describe('sessions that stay where they lie', () => {
  it('changes the header in place when the directory is the same or not one of the sessions root', async () => {
    const [old, now] = [library.at('a-b'), library.folder('a', 'b')]
    const file = library.session({ cwd: old, id: 'x', artifacts: { '0.bash.log': 'x' } })
    const stat = fs.statSync(file)
    const before = library.files()
    const report = await apply(await plan(project(old), now))
    expect(headerOf(file)).toMatchObject({ cwd: now })
    expect(headerOf(file).previousSessionFiles).toBeUndefined()
    expect(Math.abs(fs.statSync(file).mtimeMs - stat.mtimeMs)).toBeLessThan(0.01)
    expect(Object.keys(library.files())).toEqual(Object.keys(before))
    await undo(report.changeId ?? '')
    expect(library.files()).toEqual(before)
  })
})

describe('undo', () => {
  async function rerooted() {
    const [old, now] = [library.at('old'), library.folder('new')]
    const file = library.session({ cwd: old, id: 'x', artifacts: { '0.bash.log': 'x' } })
    const report = await apply(await plan(project(old), now))
    return { old, now, file, to: moved(file, now), id: report.changeId ?? '' }
  }

  it('brings back what omp wrote in the new place: entries, a title, artifacts', async () => {
    const { file, to, now, id } = await rerooted()
    const text = fs.readFileSync(to, 'utf8')
    const renamed = text.replace('"id":"x"', '"id":"x","title":"New"')
    fs.writeFileSync(to, `${renamed}{"type":"message","id":"n1"}\n`)
    fs.utimesSync(to, 1000, 1000)
    fs.writeFileSync(path.join(to.slice(0, -6), '1.bash.log'), 'new')
    const other = library.session({ cwd: now, id: 'other' })
    const crumb = library.breadcrumb('pts-9', `${now}\n${to}\n`)
    expect(await undo(id)).toMatchObject({ done: 1, staying: [] })
    expect(headerOf(file)).toEqual({
      type: 'session',
      version: 3,
      id: 'x',
      title: 'New',
      timestamp: '2026-11-30T08:00:00.000Z',
      cwd: library.at('old'),
    })
    expect(entriesOf(file).endsWith('{"type":"message","id":"n1"}\n')).toBe(true)
    expect(fs.readdirSync(file.slice(0, -6)).sort()).toEqual(['0.bash.log', '1.bash.log'])
    expect(fs.existsSync(other)).toBe(true)
    expect(fs.readFileSync(crumb, 'utf8')).toBe(`${library.at('old')}\n${file}\n`)
  })

  it('asks where sessions may be in use before anything goes back, and does as it is told', async () => {
    const [old, now] = [library.at('old'), library.folder('new')]
    const files = ['free', 'maybe', 'used', 'gone'].map(id => library.session({ cwd: old, id }))
    const before = library.files()
    const report = await apply(await plan(project(old), now))
    const [, maybe, used, gone] = files.map(file => moved(file, now))
    const text = 'omp (process 1) runs there.'
    library.uses.set(maybe ?? '', { state: 'maybe', text, pid: 1 })
    library.uses.set(used ?? '', { state: 'in-use', text: 'omp has it.', pid: 1 })
    // Of what cannot go back anyway nothing is asked.
    library.uses.set(gone ?? '', { state: 'maybe', text, pid: 1 })
    fs.rmSync(gone ?? '')
    const after = library.files()
    const asked = await undo(report.changeId ?? '')
    expect(asked).toEqual({
      changeId: null,
      done: 0,
      asked: 4,
      files: 0,
      bytes: 0,
      staying: [],
      notes: [],
      maybe: [{ ref: null, title: 'Title maybe', text }],
    })
    expect([library.files(), operations()]).toEqual([after, []])
    const views = listChanges(library.context(), [rerootHandler])
    expect(views.ok && views.value[0]).toMatchObject({ canUndo: true, state: 'done' })

    const undone = await undo(report.changeId ?? '', true)
    expect(undone).toMatchObject({ done: 2, maybe: [] })
    expect(undone.staying.map(({ title }) => title).sort()).toEqual(['Title gone', 'Title used'])
    for (const file of files.slice(0, 2)) {
      const name = path.relative(library.root.layout.agentDir, file)
      expect(library.files()[name]).toBe(before[name])
    }
  })

  it('leaves sessions that are in use, gone, moved again or whose old place is taken, and can go on later', async () => {
    const [old, now] = [library.at('old'), library.folder('new')]
    const names = ['used', 'gone', 'again', 'taken', 'fine']
    const files = names.map(id => library.session({ cwd: old, id }))
    const report = await apply(await plan(project(old), now))
    const [used, gone, again, taken] = files.map(file => moved(file, now))
    library.uses.set(used ?? '', { state: 'in-use', text: 'omp has it.', pid: 1 })
    fs.rmSync(gone ?? '')
    fs.writeFileSync(
      again ?? '',
      fs.readFileSync(again ?? '', 'utf8').replace(/"cwd":"[^"]*"/, '"cwd":"/third"'),
    )
    fs.mkdirSync(path.dirname(files[3] ?? ''), { recursive: true })
    fs.writeFileSync(files[3] ?? '', 'mine')
    const undone = await undo(report.changeId ?? '')
    expect(undone.done).toBe(1)
    expect(Object.fromEntries(undone.staying.map(({ title, reason }) => [title, reason]))).toEqual({
      'Title used': 'in-use',
      'Title gone': 'missing',
      'Title again': 'changed-on-disk',
      'Title taken': 'clash',
    })
    expect(fs.readFileSync(files[3] ?? '', 'utf8')).toBe('mine')
    expect(fs.existsSync(taken ?? '')).toBe(true)
    library.uses.clear()
    expect((await undo(report.changeId ?? '')).done).toBe(1)
    fs.rmSync(again ?? '')
    fs.rmSync(taken ?? '')
    const views = listChanges(library.context(), [rerootHandler])
    expect(views.ok && views.value[0]).toMatchObject({ canUndo: false })
  })
})

describe('cancelling', () => {
  it('finishes what is moved, records it and leaves the rest', async () => {
    const [old, now] = [library.at('old'), library.folder('new')]
    for (const id of ['a', 'b', 'c']) library.session({ cwd: old, id })
    const data = await plan(project(old), now)
    let turns = 0
    const work = {
      breathe: async () => {
        if (++turns > 6) throw new EngineError('cancelled', 'Cancelled.')
      },
      progress: () => undefined,
    }
    const done = await applyReroot(library.context(), data, { includeMaybe: false }, work)
    if (!done.ok) throw new Error(done.error.message)
    expect(done.value.done).toBe(1)
    expect(done.value.staying).toHaveLength(2)
    expect(fs.readdirSync(library.directoryOf(now))).toHaveLength(1)
    expect(fs.readdirSync(library.directoryOf(old))).toHaveLength(2)
    expect(operations()).toEqual([])
    expect((await undo(done.value.changeId ?? '')).done).toBe(1)
  })
})
