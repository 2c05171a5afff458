/** Several sessions moved by one plan, as the window asks for it. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plainLayout } from '../../engine/layout/agent-directories'
import { changeHandlers } from '../changes/all-handlers'
import type { ChangeTarget } from '../changes/change-target'
import { listChanges, undoChange } from '../changes/undo'
import { value } from '../drafts/draft-world.test-support'
import { applyReroot } from '../reroot/apply'
import { rerootPlanView } from '../reroot/plan'
import { filesBelow, headerOf, TestLibrary } from '../reroot/test-library.test-support'
import type { LibraryRoot } from '../roots'
import { work } from '../trash/test-library.test-support'
import { type MoveWish, planMoves } from './plan-moves'

let library: TestLibrary
let far: LibraryRoot
let one: string
let two: string
let target: string
beforeEach(() => {
  library = new TestLibrary()
  const layout = plainLayout(library.folder('far', 'agent'))
  far = { ...library.root, id: layout.agentDir, name: 'far', layout }
  one = library.session({ cwd: library.folder('w', 'one'), id: 'one', artifacts: { '0.bash.log': 'out' } })
  two = library.session({ cwd: library.folder('w', 'two'), id: 'two' })
  target = library.folder('w', 'target')
})
afterEach(() => library.remove())

const plan = async (wish: Partial<MoveWish>, chosen?: (all: ChangeTarget[]) => ChangeTarget[]) => {
  const all = await library.targets()
  const sessions = chosen === undefined ? all : chosen(all)
  return planMoves(
    library.context(),
    sessions,
    { folder: null, root: null, ...wish },
    [library.root, far],
    work,
  )
}
const apply = async (wish: Partial<MoveWish>, includeMaybe = false) =>
  value(await applyReroot(library.context(), value(await plan(wish)), { includeMaybe }, work))
const changes = () => value(listChanges(library.context(), changeHandlers))
const undo = async (id: string | null) =>
  value(await undoChange(library.context(), changeHandlers, id ?? '', work))

describe('several sessions', () => {
  it('go to one folder by one plan, as one change, and back', async () => {
    const crumb = library.breadcrumb('pts-1', `${library.at('w', 'one')}\n${one}\n`)
    const before = library.files()
    const planned = value(await plan({ folder: target }))
    expect(rerootPlanView(planned)).toMatchObject({
      from: null,
      to: target,
      sessions: 2,
      asked: 2,
      projects: 2,
      artifactDirectories: 1,
      bytes: fs.statSync(one).size + fs.statSync(two).size + 3,
      breadcrumbs: 1,
      clashes: 0,
      staying: [],
      maybe: [],
      notes: [],
    })
    expect(library.files()).toEqual(before)
    const report = value(await applyReroot(library.context(), planned, { includeMaybe: false }, work))
    expect(report).toMatchObject({ changeId: planned.planId, done: 2, asked: 2, files: 3, staying: [] })
    for (const file of [one, two])
      expect(headerOf(path.join(library.directoryOf(target), path.basename(file)))).toMatchObject({
        cwd: target,
        previousSessionFiles: [file],
      })
    expect(fs.readFileSync(crumb, 'utf8')).toContain(target)
    expect(changes()).toMatchObject([{ kind: 're-root', text: `Re-rooted 2 sessions to ${target}` }])
    expect(await undo(report.changeId)).toMatchObject({ done: 2, staying: [] })
    expect(library.files()).toEqual(before)
  })

  it('go to another agent directory with their pictures, each for the folder it has', async () => {
    const bytes = Buffer.from('picture')
    const hash = createHash('sha256').update(bytes).digest('hex')
    fs.mkdirSync(library.root.layout.blobsDir, { recursive: true })
    fs.writeFileSync(path.join(library.root.layout.blobsDir, hash), bytes)
    fs.appendFileSync(one, `${JSON.stringify({ type: 'custom', id: 'p', data: `blob:sha256:${hash}` })}\n`)
    const before = library.files()
    const planned = value(await plan({ root: far }))
    expect(rerootPlanView(planned)).toMatchObject({ to: far.layout.sessionsDir, sessions: 2, asked: 2 })
    const { changeId } = value(await applyReroot(library.context(), planned, { includeMaybe: false }, work))
    const there = filesBelow(far.layout.agentDir)
    expect(Object.keys(there).filter(name => name.endsWith('.jsonl'))).toHaveLength(2)
    expect(there[`blobs/${hash}`]).toBe('picture')
    const moved = planned.moves.map(({ move }) => headerOf(move.to).cwd)
    expect(moved.sort()).toEqual([library.at('w', 'one'), library.at('w', 'two')])
    expect(changes()[0]?.text).toBe(`Moved 2 sessions to ${far.layout.sessionsDir}, each for its own folder`)
    await undo(changeId)
    expect(library.files()).toEqual(before)
  })

  it('that stay are told with the reason, and the others go', async () => {
    library.uses.set(one, { state: 'in-use', text: 'omp (pid 7) has it.', pid: 7 })
    library.uses.set(two, { state: 'maybe', text: 'An omp runs there.', pid: 8 })
    const three = library.session({ cwd: library.folder('w', 'three'), id: 'three' })
    const clash = path.join(library.directoryOf(target), path.basename(three))
    fs.mkdirSync(path.dirname(clash), { recursive: true })
    fs.writeFileSync(clash, 'theirs')
    const sources = (all: ChangeTarget[]) => all.filter(({ journal }) => journal !== clash)
    const planned = value(await plan({ folder: target }, sources))
    const view = rerootPlanView(planned)
    expect(view).toMatchObject({ sessions: 1, asked: 3, clashes: 1 })
    expect(view.maybe.map(({ text }) => text)).toEqual(['An omp runs there.'])
    expect(view.staying.map(({ reason }) => reason).sort()).toEqual(['clash', 'in-use'])
    const report = value(await applyReroot(library.context(), planned, { includeMaybe: false }, work))
    expect(report).toMatchObject({ done: 0, asked: 3, changeId: null })
    expect(report.staying).toHaveLength(3)
    expect(await apply({ folder: target }, true)).toMatchObject({ done: 1 })
  })

  it('of one file name do not meet each other', async () => {
    const twin = path.join(library.directoryOf(library.at('w', 'two')), path.basename(one))
    fs.writeFileSync(twin, fs.readFileSync(one, 'utf8').replaceAll('/w/one', '/w/two'))
    const view = rerootPlanView(value(await plan({ folder: target })))
    expect(view).toMatchObject({ sessions: 2, asked: 3, clashes: 1 })
  })

  it('that are there already are told in a note, and none is left to be moved', async () => {
    const planned = value(await plan({ folder: library.at('w', 'one') }))
    expect(rerootPlanView(planned)).toMatchObject({
      sessions: 1,
      asked: 1,
      staying: [],
      notes: ['1 session is there already.'],
    })
    const alone = await plan({ folder: library.at('w', 'one') }, all => all.filter(({ id }) => id === 'one'))
    expect(alone).toMatchObject({ ok: false, error: { code: 'invalid-argument' } })
    expect((await plan({ root: library.root })).ok).toBe(false)
  })

  it('without a folder need one; a subagent goes with its session', async () => {
    const bare = library.session({ cwd: target, id: 'bare', lines: [] })
    fs.writeFileSync(bare, '{"type":"message","id":"a","message":{"role":"user","content":"x"}}\n')
    const agent = path.join(one.slice(0, -'.jsonl'.length), 'Agent.jsonl')
    fs.writeFileSync(agent, fs.readFileSync(two))
    const withAgent = (all: ChangeTarget[]) => [
      ...all,
      ...all.slice(0, 1).map(first => ({ ...first, journal: agent })),
    ]
    const planned = value(await plan({ root: far }, withAgent))
    expect(planned.moves).toHaveLength(2)
    expect(planned.staying.map(({ text }) => text)).toEqual([
      expect.stringContaining('names no folder'),
      expect.stringContaining("is a subagent's session"),
    ])
    expect(planned.asked).toBe(4)
  })
})

describe('a place', () => {
  it('that is none, not there or only read is refused', async () => {
    const codes: string[] = []
    const before = library.files()
    for (const wish of [
      {},
      { folder: library.at('w', 'nowhere') },
      { folder: 'not/full' },
      { folder: one },
      { root: { ...far, readOnly: true } },
    ]) {
      const result = await plan(wish)
      codes.push(result.ok ? 'planned' : result.error.code)
    }
    expect(codes).toEqual(['invalid-argument', 'not-found', 'invalid-argument', 'not-found', 'permission'])
    expect(library.files()).toEqual(before)
  })

  it('need not be there for those that name it already', async () => {
    fs.rmdirSync(library.at('w', 'one'))
    const planned = value(await plan({ folder: library.at('w', 'one'), root: far }))
    expect(planned.moves.map(({ move }) => move.newCwd)).toEqual([library.at('w', 'one')])
    expect(planned.staying).toMatchObject([{ reason: 'failed', text: expect.stringContaining('is there') }])
  })
})
