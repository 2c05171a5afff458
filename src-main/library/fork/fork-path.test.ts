/** The fork of the path to one entry: what it holds, what it would come to, and that it is whole or nothing. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentWork } from '../../engine/environment'
import type { ForkRequest } from '../../engine/session/many-file-operations'
import { faultyFileSystem } from '../../engine/storage/faulty-file-system.test-support'
import type { FileSystem } from '../../engine/storage/file-system'
import { nodeFileSystem } from '../../engine/storage/node-file-system'
import type { ChangeContext } from '../changes/change-handlers'
import { readChanges } from '../changes/recent-changes'
import { recoverOperations } from '../changes/recovery'
import { undoChange } from '../changes/undo'
import { entriesOf, filesBelow, headerOf, TestLibrary } from '../reroot/test-library.test-support'
import { forkRoots, sessionOperations } from '../session-operations'
import { trashHandlers } from '../trash/trash-handlers'
import { forkHandler } from './fork-handler'
import { lookAtFork } from './fork-look'

const FAST = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir()
const HANDLERS = [...trashHandlers, forkHandler]
const DEAD_PID = 4_194_303

const LINES = [
  '{"type":"message","id":"a","parentId":null,"timestamp":"2026-11-30T08:00:01.000Z","message":{"role":"user","content":"hi"}}',
  '{"type":"message","id":"b","parentId":"a","message":{"role":"toolResult","content":"see artifact://0 and artifact://7, agent://Fix."}}',
  '{"damaged',
  '{"type":"message","id":"c","parentId":"b","message":{"role":"user","content":"see artifact://8"}}',
  '{"type":"message","id":"d","parentId":"b","message":{"role":"user","content":"another way"}}',
  '{"type":"label","id":"l","parentId":"d","targetId":"a","label":"begin"}',
]
const ARTIFACTS = {
  '0.bash.log': 'out',
  'Fix.jsonl': 'a subagent',
  'x/y.md': 'deep',
  'draft.txt': 'not sent',
}

let library: TestLibrary
let source: string
beforeEach(() => {
  library = new TestLibrary(FAST)
  source = library.session({ cwd: library.folder('w', 'app'), id: 'one', lines: LINES, artifacts: ARTIFACTS })
})
afterEach(() => library.remove())

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

const request = (changes: Partial<ForkRequest> = {}): ForkRequest => ({
  source,
  cwd: library.at('w', 'app'),
  directory: path.dirname(source),
  withArtifacts: true,
  leafId: 'c',
  ...changes,
})

const fork = (changes: Partial<ForkRequest> = {}, context: ChangeContext = library.context()) =>
  sessionOperations(context).fork(request(changes))

const look = (changes: Partial<ForkRequest> = {}, context: ChangeContext = library.context()) =>
  lookAtFork(context.env, request(changes), forkRoots(context.env, request(changes), null), silentWork)

const artifactsOf = (file: string) => filesBelow(file.slice(0, -'.jsonl'.length))

function without(files: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([key]) => key !== name))
}

describe('the fork of a path', () => {
  it('holds the path as the source has it, its labels, and the artifacts without the draft', async () => {
    const before = library.files()
    const forked = value(await fork())
    const lines = entriesOf(forked.file).trim().split('\n')
    expect(lines.slice(0, 3)).toEqual([LINES[0], LINES[1], LINES[3]])
    expect(JSON.parse(lines[3] ?? '')).toMatchObject({ type: 'label', targetId: 'a', label: 'begin' })
    expect(lines).toHaveLength(4)
    expect(headerOf(forked.file)).toMatchObject({ parentSession: source, title: 'Title one', id: forked.id })
    expect(artifactsOf(forked.file)).toEqual(without(artifactsOf(source), 'draft.txt'))
    expect(forked.artifactFiles).toBe(3)
    for (const [name, text] of Object.entries(before)) expect(library.files()[name]).toBe(text)
  })

  it('is what a look said before, with and without artifacts, of a path and of everything', async () => {
    for (const leafId of ['c', 'a', null])
      for (const withArtifacts of [true, false]) {
        const before = library.files()
        const told = value(await look({ leafId, withArtifacts }))
        expect(library.files()).toEqual(before)
        const made = value(await fork({ leafId, withArtifacts }))
        expect(told, String(leafId)).toMatchObject({ artifactFiles: made.artifactFiles, bytes: made.bytes })
        const entries = entriesOf(made.file)
          .trim()
          .split('\n')
          .filter(line => line !== '{"damaged')
        expect(told.entries, String(leafId)).toBe(entries.length)
        expect(told.messages).toBe(entries.filter(line => line.startsWith('{"type":"message"')).length)
      }
  })

  it('says how many links would lead nowhere', async () => {
    const deadLinks = async (changes: Partial<ForkRequest>) => value(await look(changes)).deadLinks
    // Number 7 and 8 are missing in the source, number 0 and the subagent are there.
    expect(await deadLinks({ leafId: 'b' })).toBe(1)
    expect(await deadLinks({ leafId: 'c' })).toBe(2)
    expect(await deadLinks({ leafId: null })).toBe(2)
    expect(await deadLinks({ leafId: 'a', withArtifacts: false })).toBe(0)
    expect(await deadLinks({ leafId: 'b', withArtifacts: false })).toBe(3)
  })

  it('can be looked at where an entry nests deeper than a program can follow', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const lines = [...LINES, `{"type":"custom","id":"deep","parentId":"c","data":${deep}}`]
    const file = library.session({ cwd: library.at('w', 'app'), id: 'two', lines })
    for (const leafId of ['deep', null]) {
      const told = value(await look({ source: file, leafId }))
      expect(value(await fork({ source: file, leafId }))).toMatchObject({ bytes: told.bytes })
    }
  })

  it('makes no directory for a draft alone', async () => {
    const file = library.session({ cwd: library.at('w', 'app'), id: 'two', artifacts: { 'draft.txt': 'x' } })
    const made = value(await fork({ source: file, leafId: 'a1' }))
    expect(made.artifactFiles).toBe(0)
    expect(fs.existsSync(made.file.slice(0, -6))).toBe(false)
  })

  it('refuses, as a look does, an entry that is not there and calls to be answered', async () => {
    const before = library.files()
    for (const [changes, code] of [
      [{ leafId: 'zz' }, 'not-found'],
      [{ abortDangling: true }, 'invalid-argument'],
      [{ directory: path.join(library.root.layout.sessionsDir, 'grove-trash', 'x') }, 'invalid-argument'],
    ] as const)
      for (const result of [await fork(changes), await look(changes)])
        expect(result).toMatchObject({ ok: false, error: { code } })
    expect(library.files()).toEqual(before)
  })

  it.each([
    ['of version 4', { version: 4 }, 'unsupported-version'],
    ['without a header', { type: 'other' }, 'damaged'],
  ])('refuses a source %s', async (_what, header, code) => {
    const file = library.session({ cwd: library.at('w', 'app'), id: 'two', lines: LINES, header })
    const before = library.files()
    for (const result of [await fork({ source: file }), await look({ source: file })])
      expect(result).toMatchObject({ ok: false, error: { code } })
    expect(library.files()).toEqual(before)
  })

  it('does not mind what is added behind it meanwhile; another file in its place it does', async () => {
    const line = '{"type":"custom","id":"z","parentId":"c"}\n'
    const grown = value(await fork({}, library.context(whenCopying(() => fs.appendFileSync(source, line)))))
    expect(entriesOf(grown.file)).not.toContain('"id":"z"')
    expect(fs.readFileSync(source, 'utf8').endsWith(line)).toBe(true)
    const before = Object.keys(library.files())
    const replaced = await fork(
      {},
      library.context(
        whenCopying(() => {
          fs.copyFileSync(source, `${source}.other`)
          fs.renameSync(`${source}.other`, source)
        }),
      ),
    )
    expect(replaced).toMatchObject({ ok: false, error: { code: 'changed-on-disk' } })
    expect(Object.keys(library.files())).toEqual(before)
  })

  it('goes to the trash when it is undone, unless somebody wrote to it', async () => {
    const made = value(await fork())
    fs.appendFileSync(made.file, '{"type":"custom","id":"n","parentId":"c"}\n')
    const refused = await undoChange(library.context(), HANDLERS, made.changeId, silentWork)
    expect(refused).toMatchObject({ ok: false, error: { code: 'conflict' } })
    const other = value(await fork())
    expect(value(await undoChange(library.context(), HANDLERS, other.changeId, silentWork)).done).toBe(1)
    expect(fs.existsSync(other.file)).toBe(false)
  })
})

/** Something that happens once, when the first artifact is copied. */
function whenCopying(act: () => void): FileSystem {
  let done = false
  return {
    ...nodeFileSystem,
    open: (target, mode, permissions) => {
      if (!done && target.endsWith('0.bash.log')) {
        done = true
        act()
      }
      return nodeFileSystem.open(target, mode, permissions)
    },
  }
}

describe('the fork of a path when a call fails', () => {
  const dying = (context: ChangeContext): ChangeContext => ({
    ...context,
    env: { ...context.env, pid: DEAD_PID },
  })

  function later(): ChangeContext {
    const context = library.context()
    const processes = { ...context.deps.processes, isAlive: (pid: number) => pid === process.pid }
    const env = { ...context.env, now: () => Date.now() + 60_000 }
    return { ...context, env, deps: { ...context.deps, processes, instance: 'later' } }
  }

  it('is whole or nothing, for every call that can fail', { timeout: 600_000 }, async () => {
    const before = library.files()
    const counting = faultyFileSystem()
    const first = value(await fork({}, dying(library.context(counting))))
    const whole = { entries: entriesOf(first.file).split('\n').length, artifacts: artifactsOf(first.file) }
    const total = counting.calls.length
    expect(total).toBeGreaterThan(100)
    const outcomes = new Set<string>()
    const restart = () => {
      for (const name of Object.keys(library.files()))
        if (!(name in before)) fs.rmSync(path.join(library.root.layout.agentDir, name))
      const { directory } = library.context().data
      fs.rmSync(directory, { recursive: true, force: true })
    }
    for (let at = 0; at < total; at++)
      for (const lasting of ['once', 'onwards'] as const) {
        restart()
        const faulty = faultyFileSystem({ fault: { at, errno: 'EIO', lasting } })
        const done = await fork({}, dying(library.context(faulty)))
        const what = `${faulty.calls[at]?.name} ${at} ${lasting}`
        const recovered = value(await recoverOperations(later(), HANDLERS, silentWork))
        expect(recovered.failed, what).toEqual([])
        const after = library.files()
        for (const [name, text] of Object.entries(before)) expect(after[name], what).toBe(text)
        const added = Object.keys(after).filter(name => !(name in before))
        const journal = added.find(name => /\/\d{4}-[^/]*\.jsonl$/.test(name))
        if (done.ok) expect(journal, what).toBeDefined()
        const changes = value(readChanges(library.env, library.context().data))
        outcomes.add(journal === undefined ? 'nothing' : 'made')
        expect(changes, what).toHaveLength(journal === undefined ? 0 : 1)
        if (journal === undefined) {
          expect(added, what).toEqual([])
          continue
        }
        const file = path.join(library.root.layout.agentDir, journal)
        expect(entriesOf(file).split('\n').length, what).toBe(whole.entries)
        expect(artifactsOf(file), what).toEqual(whole.artifacts)
        expect(added, what).toHaveLength(1 + Object.keys(whole.artifacts).length)
      }
    expect([...outcomes].sort()).toEqual(['made', 'nothing'])
  })
})
