import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { silentWork } from '../../engine/environment'
import type { ChangeContext } from '../changes/change-handlers'
import { readChanges } from '../changes/recent-changes'
import { recoverOperations } from '../changes/recovery'
import { undoChange } from '../changes/undo'
import { failingFileSystem } from '../reroot/failing-file-system.test-support'
import { rerootHandler } from '../reroot/reroot-handler'
import { entriesOf, filesBelow, headerOf, TestLibrary } from '../reroot/test-library.test-support'
import { sessionOperations } from '../session-operations'

const MEMORY = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir()
const CODES = ['EIO', 'ENOSPC', 'EACCES']
const DEAD_PID = 4_194_303
const PICTURE = 'a picture'
const HASH = createHash('sha256').update(PICTURE).digest('hex')

type Scene = { library: TestLibrary; journal: string; cwd: string; far: string }

/** A session with artifacts, a picture and a backup, and a root below `under` that it goes to. */
function scene(under: string): Scene {
  const library = new TestLibrary(MEMORY)
  const cwd = library.folder('w', 'app')
  const picture = `{"type":"custom","id":"p","data":"blob:sha256:${HASH}"}`
  const journal = library.session({
    cwd,
    id: 'one',
    artifacts: { '0.bash.log': 'out', 'x/y.md': 'deep' },
    lines: ['{"type":"message","id":"a","parentId":null}', '{"damaged', picture],
  })
  fs.writeFileSync(`${journal}.0123.bak`, `an older state with blob:sha256:${HASH}`)
  fs.mkdirSync(library.root.layout.blobsDir)
  fs.writeFileSync(path.join(library.root.layout.blobsDir, HASH), PICTURE)
  library.breadcrumb('pts-1', `${cwd}\n${journal}\n`)
  return { library, journal, cwd, far: path.join(fs.mkdtempSync(path.join(under, 'grove-far-')), 'agent') }
}

function remove({ library, far }: Scene): void {
  library.remove()
  fs.rmSync(path.dirname(far), { recursive: true })
}

function dying({ library }: Scene, context: ChangeContext = library.context()): ChangeContext {
  return { ...context, env: { ...context.env, pid: DEAD_PID } }
}

function later({ library }: Scene): ChangeContext {
  const context = library.context()
  const processes = { ...context.deps.processes, isAlive: (pid: number) => pid === process.pid }
  const env = { ...context.env, now: () => Date.now() + 60_000 }
  return { ...context, env, deps: { ...context.deps, processes, instance: 'later' } }
}

const sessionsOf = ({ far }: Scene) => path.join(far, 'sessions')

const move = (at: Scene, context: ChangeContext) =>
  sessionOperations(context).move({ journal: at.journal, newCwd: at.cwd, sessionsDir: sessionsOf(at) })

async function settle(at: Scene, what: string): Promise<void> {
  const recovered = await recoverOperations(later(at), [rerootHandler], silentWork)
  if (!recovered.ok) throw new Error(recovered.error.message)
  expect(recovered.value.failed, what).toEqual([])
  expect(recovered.value.running, what).toBe(0)
}

type Parts = { entries: string; artifacts: Record<string, string>; backup: string }

function partsAt(journal: string): Parts {
  return {
    entries: entriesOf(journal),
    artifacts: filesBelow(journal.slice(0, -6)),
    backup: fs.readFileSync(`${journal}.0123.bak`, 'utf8'),
  }
}

/** The session is whole in exactly one root, with its picture; no trace is left in either. */
function checkWhole(at: Scene, parts: Parts, what: string, once: boolean): 'here' | 'there' {
  const directory = path.basename(path.dirname(at.journal))
  const to = path.join(sessionsOf(at), directory, path.basename(at.journal))
  const places = [at.journal, to].filter(place => fs.existsSync(place))
  expect(places, what).toHaveLength(1)
  const place = places[0] ?? ''
  expect(partsAt(place), what).toEqual(parts)
  expect(headerOf(place).cwd, what).toBe(at.cwd)
  const root = at.library.root.layout
  const store = place === to ? path.join(at.far, 'blobs') : root.blobsDir
  expect(fs.readFileSync(path.join(store, HASH), 'utf8'), what).toBe(PICTURE)
  const files = (sessions: string) => (fs.existsSync(sessions) ? Object.keys(filesBelow(sessions)) : [])
  const [here, there] = [files(root.sessionsDir), files(sessionsOf(at))]
  expect([here.length, there.length].sort(), what).toEqual([0, 4])
  for (const blobs of [root.blobsDir, path.join(at.far, 'blobs')])
    if (fs.existsSync(blobs) && fs.readdirSync(blobs).length > 0)
      expect(fs.readdirSync(blobs), what).toEqual([HASH])
  // A breadcrumb that cannot be written at the one time is told, and stays.
  if (once) return place === to ? 'there' : 'here'
  const [, named] = fs.readFileSync(path.join(root.breadcrumbsDir, 'pts-1'), 'utf8').split('\n')
  expect(named, what).toBe(place)
  return place === to ? 'there' : 'here'
}

async function everyFault(
  under: string,
  prepare: (at: Scene) => Promise<string>,
  run: (at: Scene, context: ChangeContext, prepared: string) => Promise<unknown>,
  stride = 1,
): Promise<Set<string>> {
  const counting = failingFileSystem(null)
  const first = scene(under)
  const prepared = await prepare(first)
  await run(first, dying(first, first.library.context(counting.fs)), prepared)
  remove(first)
  const total = counting.calls()
  expect(total).toBeGreaterThan(100)
  const outcomes = new Set<string>()
  const all = process.env.GROVE_ALL_FAULTS === '1'
  for (let k = 1; k <= total; k += all ? 1 : stride) {
    // A kill at every call; a failure that passes at every third, and at every one when asked for.
    for (const once of k % 3 === 0 || all ? [true, false] : [false]) {
      const at = scene(under)
      const parts = partsAt(at.journal)
      const ready = await prepare(at)
      const failing = failingFileSystem({ at: k, code: CODES[k % CODES.length] ?? 'EIO', once })
      await run(at, dying(at, at.library.context(failing.fs)), ready)
      const what = `${failing.failed()} once=${once}`
      await settle(at, what)
      outcomes.add(checkWhole(at, parts, what, once))
      remove(at)
    }
  }
  return outcomes
}

const nothing = async () => ''

async function moved(at: Scene): Promise<string> {
  const done = await move(at, at.library.context())
  if (!done.ok) throw new Error(done.error.message)
  return done.value.changeId
}

describe('a move into another root when a call fails', () => {
  it('leaves the session whole in one of them', { timeout: 600_000 }, async () => {
    const outcomes = await everyFault(MEMORY, nothing, move)
    expect([...outcomes].sort()).toEqual(['here', 'there'])
  })

  it('does so between devices', { timeout: 600_000 }, async ctx => {
    if (fs.statSync(MEMORY).dev === fs.statSync(os.tmpdir()).dev)
      ctx.skip('no second file system to be had here')
    const outcomes = await everyFault(os.tmpdir(), nothing, move, 5)
    expect([...outcomes].sort()).toEqual(['here', 'there'])
  })

  it('does so for undo, which can be done again', { timeout: 600_000 }, async () => {
    const outcomes = await everyFault(MEMORY, moved, async (at, context, changeId) => {
      await undoChange(context, [rerootHandler], changeId, silentWork)
      await settle(at, changeId)
      const changes = readChanges(at.library.env, context.data)
      if (!changes.ok || changes.value[0]?.state === 'undone') return
      const again = await undoChange(later(at), [rerootHandler], changeId, silentWork)
      expect(again.ok && again.value.staying).toEqual([])
    })
    expect([...outcomes]).toEqual(['here'])
  })
})
