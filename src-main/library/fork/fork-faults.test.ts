import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { silentWork } from '../../engine/environment'
import { systemError } from '../../engine/storage/faulty-file-system.test-support'
import { nodeFileSystem } from '../../engine/storage/node-file-system'
import type { ChangeContext } from '../changes/change-handlers'
import { readChanges } from '../changes/recent-changes'
import { recoverOperations } from '../changes/recovery'
import { undoChange } from '../changes/undo'
import { failingFileSystem } from '../reroot/failing-file-system.test-support'
import { entriesOf, filesBelow, headerOf, TestLibrary } from '../reroot/test-library.test-support'
import { sessionOperations } from '../session-operations'
import { trashHandlers } from '../trash/trash-handlers'
import { forkHandler } from './fork-handler'

/** In memory, where there is such a place: hundreds of runs, each with its syncs. */
const FAST = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir()
const CODES = ['EIO', 'ENOSPC', 'EACCES']
const DEAD_PID = 4_194_303
const PICTURE = Buffer.from('a picture')
const HASH = createHash('sha256').update(PICTURE).digest('hex')

type Scene = { library: TestLibrary; source: string; cwd: string; there: string }

/** A session with artifacts and a picture, to be forked into another root whose directories are not there yet. */
function scene(): Scene {
  const library = new TestLibrary(FAST)
  const cwd = library.folder('w', 'app')
  const picture = `{"type":"custom","id":"p","data":"blob:sha256:${HASH}"}`
  const source = library.session({
    cwd,
    id: 'one',
    artifacts: { '0.bash.log': 'out', 'x/y.md': 'deep' },
    lines: ['{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"hi"}}', picture],
  })
  fs.mkdirSync(library.root.layout.blobsDir)
  fs.writeFileSync(path.join(library.root.layout.blobsDir, HASH), PICTURE)
  const there = library.folder('far', 'agent')
  return { library, source, cwd, there }
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

const fork = ({ source, cwd, there }: Scene, context: ChangeContext) =>
  sessionOperations(context).fork({
    source,
    cwd,
    directory: path.join(there, 'sessions', '-w-app'),
    withArtifacts: true,
  })

async function settle(at: Scene): Promise<void> {
  const recovered = await recoverOperations(later(at), [...trashHandlers, forkHandler], silentWork)
  if (!recovered.ok) throw new Error(recovered.error.message)
  expect(recovered.value.failed).toEqual([])
  expect(recovered.value.running).toBe(0)
}

/** Everything below the root that the fork came to, without its blobs: those are nobody's loss. */
function sessionsThere({ there }: Scene): Record<string, string> {
  const files = Object.entries(filesBelow(there)).filter(([name]) => !name.startsWith('blobs'))
  return Object.fromEntries(files)
}

/** The fork is whole or there is nothing; the source is what it was; no trace is left. */
function checkWhole(at: Scene, before: Record<string, string>, what: string): 'made' | 'nothing' {
  const after = at.library.files()
  for (const [name, text] of Object.entries(before)) expect(after[name], what).toBe(text)
  expect(Object.keys(after).sort(), what).toEqual(Object.keys(before).sort())
  const blobs = Object.keys(filesBelow(at.there)).filter(name => name.startsWith('blobs'))
  if (blobs.length > 0) expect(blobs, what).toEqual([`blobs/${HASH}`])
  const made = sessionsThere(at)
  const journals = Object.keys(made).filter(name => /\.jsonl$/.test(name))
  if (journals.length === 0) {
    expect(made, what).toEqual({})
    expect(fs.existsSync(path.join(at.there, 'sessions')), what).toBe(false)
    return 'nothing'
  }
  expect(journals, what).toHaveLength(1)
  const file = path.join(at.there, journals[0] ?? '')
  expect(headerOf(file), what).toMatchObject({ parentSession: 'one', cwd: at.cwd })
  expect(entriesOf(file), what).toBe(entriesOf(at.source))
  expect(filesBelow(file.slice(0, -6)), what).toEqual(filesBelow(at.source.slice(0, -6)))
  expect(Object.keys(made), what).toHaveLength(3)
  expect(fs.readFileSync(path.join(at.there, 'blobs', HASH)), what).toEqual(PICTURE)
  return 'made'
}

describe('a fork when a call fails', () => {
  it('is whole or nothing, for every call that can fail', { timeout: 600_000 }, async () => {
    const counting = failingFileSystem(null)
    const first = scene()
    expect((await fork(first, dying(first, first.library.context(counting.fs)))).ok).toBe(true)
    first.library.remove()
    const total = counting.calls()
    expect(total).toBeGreaterThan(100)
    const outcomes = new Set<string>()
    for (let k = 1; k <= total; k++) {
      for (const once of [true, false]) {
        const at = scene()
        const before = at.library.files()
        const failing = failingFileSystem({ at: k, code: CODES[k % CODES.length] ?? 'EIO', once })
        const result = await fork(at, dying(at, at.library.context(failing.fs)))
        const what = `${failing.failed()} once=${once}`
        if (once && !result.ok && !result.error.message.includes('starts next'))
          expect(checkWhole(at, before, `at once: ${what}`), what).toBe('nothing')
        await settle(at)
        const outcome = checkWhole(at, before, what)
        outcomes.add(outcome)
        if (result.ok) expect(outcome, what).toBe('made')
        const changes = readChanges(at.library.env, at.library.context().data)
        expect(changes.ok && changes.value.length, what).toBe(outcome === 'made' ? 1 : 0)
        at.library.remove()
      }
    }
    expect([...outcomes].sort()).toEqual(['made', 'nothing'])
  })

  it.each([
    [false, 'nothing'],
    [true, 'made'],
  ])(
    'that could not go back either is taken away later, unless somebody wrote to it: %s',
    async (used, outcome) => {
      const at = scene()
      const before = at.library.files()
      const directory = path.join(at.there, 'sessions', '-w-app')
      const isJournal = (name: unknown) => /\/\d{4}-[^/]*\.jsonl$/.test(String(name))
      let named = ''
      // The journal gets its name; then nothing of that directory can be synced or removed any more.
      const broken = new Proxy(nodeFileSystem, {
        get(target, name) {
          // Every property of a FileSystem is one of its calls.
          const call = Reflect.get(target, name) as (...args: unknown[]) => unknown
          return (...args: unknown[]): unknown => {
            const stuck = named !== '' && (args[0] === directory || (name === 'unlink' && isJournal(args[0])))
            if (stuck && (name === 'open' || name === 'unlink')) throw systemError('EIO', String(name))
            const answer = call(...args)
            if (name === 'link' && isJournal(args[1])) named = String(args[1])
            return answer
          }
        },
      })
      const failed = await fork(at, dying(at, at.library.context(broken)))
      expect(failed.ok ? 'made' : failed.error.message).toContain('removed when Grove starts next')
      expect(fs.existsSync(named)).toBe(true)
      const line = '{"type":"custom","id":"n","parentId":"p"}\n'
      if (used) fs.appendFileSync(named, line)
      await settle(at)
      if (used) {
        expect(fs.readFileSync(named, 'utf8').endsWith(line)).toBe(true)
        fs.truncateSync(named, fs.statSync(named).size - line.length)
        const changes = readChanges(at.library.env, at.library.context().data)
        expect(changes).toMatchObject({ value: [{ kind: 'fork', undo: null }] })
      }
      expect(checkWhole(at, before, 'after recovery')).toBe(outcome)
      at.library.remove()
    },
  )

  it('can be undone after recovery recorded it', async () => {
    const counting = failingFileSystem(null)
    const first = scene()
    await fork(first, dying(first, first.library.context(counting.fs)))
    first.library.remove()
    let undone = 0
    for (let k = counting.calls(); k > counting.calls() - 40; k--) {
      const at = scene()
      const failing = failingFileSystem({ at: k, code: 'EIO', once: false })
      await fork(at, dying(at, at.library.context(failing.fs)))
      await settle(at)
      const context = later(at)
      const changes = readChanges(context.env, context.data)
      const [change] = changes.ok ? changes.value : []
      if (change !== undefined) {
        const done = await undoChange(context, [...trashHandlers, forkHandler], change.id, silentWork)
        expect(done.ok && done.value.done, failing.failed() ?? '').toBe(1)
        undone++
      }
      at.library.remove()
    }
    expect(undone).toBeGreaterThan(5)
  })
})
