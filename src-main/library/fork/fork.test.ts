import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ForkRequest } from '../../engine/session/many-file-operations'
import { EngineError } from '../../engine/storage/errors'
import type { FileSystem } from '../../engine/storage/file-system'
import { nodeFileSystem } from '../../engine/storage/node-file-system'
import type { ChangeContext } from '../changes/change-handlers'
import { readChanges } from '../changes/recent-changes'
import { listChanges, undoChange } from '../changes/undo'
import { entriesOf, filesBelow, headerOf, TestLibrary } from '../reroot/test-library.test-support'
import { sessionOperations } from '../session-operations'
import { testContext, testLibrary, work } from '../trash/test-library.test-support'
import { trashHandlers } from '../trash/trash-handlers'
import { forkHandler } from './fork-handler'

const HANDLERS = [...trashHandlers, forkHandler]

let library: TestLibrary
let cwd: string
let source: string
beforeEach(() => {
  library = new TestLibrary()
  cwd = library.folder('w', 'app')
  source = library.session({
    cwd,
    id: 'one',
    artifacts: {
      '0.bash.log': 'out',
      'draft.txt': 'not sent',
      'Agent.jsonl': 'a subagent',
      'Agent/Agent.Child.jsonl': 'a child',
      'empty.md': '',
    },
  })
})
afterEach(() => library.remove())

const artifactsOf = (file: string) => file.slice(0, -'.jsonl'.length)

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

function request(changes: Partial<ForkRequest> = {}): ForkRequest {
  return { source, cwd, directory: path.dirname(source), withArtifacts: true, ...changes }
}

const forkIn = (context: ChangeContext, changes: Partial<ForkRequest> = {}) =>
  sessionOperations(context).fork(request(changes))

/** The real file system, and what another program does before the first call that `when` is true of. */
function interfering(when: (name: string, args: unknown[]) => boolean, act: () => void): FileSystem {
  let done = false
  return new Proxy(nodeFileSystem, {
    get(target, name) {
      // Every property of a FileSystem is one of its calls.
      const call = Reflect.get(target, name) as (...args: unknown[]) => unknown
      return (...args: unknown[]): unknown => {
        if (!done && when(String(name), args)) {
          done = true
          act()
        }
        return call(...args)
      }
    },
  })
}

describe('a fork', () => {
  it('has the entries and artifacts of its source, and an id of its own', async () => {
    const before = library.files()
    const forked = value(await forkIn(library.context()))
    const { file, id } = forked
    expect(path.basename(file)).toMatch(/^\d{4}-\d\d-\d\dT[\d-]{12}Z_/)
    expect(path.dirname(file)).toBe(path.dirname(source))
    expect(entriesOf(file)).toBe(entriesOf(source))
    expect(headerOf(file)).toMatchObject({ id, cwd, parentSession: 'one', title: 'Title one' })
    expect(filesBelow(artifactsOf(file))).toEqual(filesBelow(artifactsOf(source)))
    const artifacts = Object.values(filesBelow(artifactsOf(file)))
    expect(forked.artifactFiles).toBe(artifacts.length)
    expect(forked.bytes).toBe(fs.statSync(file).size + artifacts.join('').length)
    const after = library.files()
    for (const [name, text] of Object.entries(before)) expect(after[name]).toBe(text)
    expect(Object.keys(after)).toHaveLength(Object.keys(before).length * 2)
    expect(fs.statSync(file).mode & 0o777).toBe(fs.statSync(source).mode & 0o777)
  })

  it('leaves behind what is of the moment: locks, unfinished files, the marker of a draft; links stay links', async () => {
    const artifacts = artifactsOf(source)
    const uuid = '0b1c2d3e-0000-4000-8000-000000000000'
    for (const name of [
      '.Agent.jsonl.lock',
      '.Agent.jsonl.0123456789abcdef.tmp',
      `1.bash.log.tmp-${uuid}`,
      '.draft-only-session',
    ])
      fs.writeFileSync(path.join(artifacts, name), 'x')
    fs.symlinkSync('0.bash.log', path.join(artifacts, 'inside'))
    fs.symlinkSync('/nowhere/at/all', path.join(artifacts, 'outside'))
    fs.chmodSync(path.join(artifacts, '0.bash.log'), 0o600)
    fs.utimesSync(path.join(artifacts, 'Agent'), 1_000_000, 1_000_000)
    const { file, artifactFiles } = value(await forkIn(library.context()))
    const copy = artifactsOf(file)
    const names = fs.readdirSync(copy, { recursive: true, encoding: 'utf8' }).sort()
    expect(names).toEqual(
      [
        '0.bash.log',
        'Agent',
        'Agent.jsonl',
        'Agent/Agent.Child.jsonl',
        'draft.txt',
        'empty.md',
        'inside',
        'outside',
      ].sort(),
    )
    expect(artifactFiles).toBe(7)
    expect(fs.readlinkSync(path.join(copy, 'inside'))).toBe('0.bash.log')
    expect(fs.readlinkSync(path.join(copy, 'outside'))).toBe('/nowhere/at/all')
    expect(fs.statSync(path.join(copy, '0.bash.log')).mode & 0o777).toBe(0o600)
    expect(fs.statSync(path.join(copy, 'Agent')).mtimeMs).toBe(1_000_000_000)
  })

  it('may be made without artifacts, for another folder, and of a session that is in use', async () => {
    library.uses.set(source, { state: 'in-use', text: 'omp has it', pid: 1 })
    const other = library.folder('w', 'other')
    const directory = library.directoryOf(other)
    const { file, artifactFiles } = value(
      await forkIn(library.context(), { cwd: other, directory, withArtifacts: false }),
    )
    expect(artifactFiles).toBe(0)
    expect(fs.existsSync(artifactsOf(file))).toBe(false)
    expect(headerOf(file).cwd).toBe(other)
    expect(fs.readdirSync(directory)).toEqual([path.basename(file)])
  })

  it('is whole or refused for odd sources: version 1, damaged, glued, without an end', async () => {
    const v1 = library.session({
      cwd,
      id: 'v1',
      slot: false,
      header: { version: undefined },
      lines: ['{"type":"message","message":{"role":"user","content":"x"}}', '{"damaged'],
    })
    const forked = value(await forkIn(library.context(), { source: v1, withArtifacts: false }))
    expect(headerOf(forked.file)).toMatchObject({ version: 3, parentSession: 'v1' })
    expect(entriesOf(forked.file)).toMatch(/^\n\{"type":"message".*"parentId":null\}\n\{"damaged\n$/)
    const glued = library.session({ cwd, id: 'glued' })
    fs.appendFileSync(
      glued,
      '{"type":"custom","id":"g1","parentId":"a2"}{"type":"custom","id":"g2","parentId":"g1"}',
    )
    const apart = value(await forkIn(library.context(), { source: glued, withArtifacts: false }))
    expect(entriesOf(apart.file)).toBe(
      `${entriesOf(glued).replace('}{"type":"custom","id":"g2"', '}\n{"type":"custom","id":"g2"')}\n`,
    )
    const before = library.files()
    const codes: string[] = []
    for (const text of [
      '{"type":"sess\n{"type":"message","id":"a"}\n',
      '{"type":"session","version":4,"id":"x"}\n',
      '',
    ]) {
      const odd = library.at('odd.jsonl')
      fs.writeFileSync(odd, text)
      const refused = await forkIn(library.context(), { source: odd })
      codes.push(refused.ok ? 'made' : refused.error.code)
    }
    const missing = await forkIn(library.context(), { source: library.at('missing.jsonl') })
    codes.push(missing.ok ? 'made' : missing.error.code)
    expect(codes).toEqual(['damaged', 'unsupported-version', 'damaged', 'not-found'])
    expect(library.files()).toEqual(before)
    expect(fs.readdirSync(library.context().data.operations)).toEqual([])
  })

  it('is refused where something has its name, and in a root that is only read; nothing is touched', async () => {
    const fixed = (context: ChangeContext): ChangeContext => ({
      ...context,
      env: { ...context.env, sessionId: () => 'fixed', now: () => Date.parse('2026-02-01T00:00:00.000Z') },
    })
    const taken = path.join(path.dirname(source), '2026-02-01T00-00-00-000Z_fixed')
    for (const place of [`${taken}.jsonl`, taken]) {
      fs.writeFileSync(place, 'theirs')
      const before = library.files()
      const refused = await forkIn(fixed(library.context()))
      expect(refused).toMatchObject({ ok: false, error: { code: 'conflict' } })
      expect(library.files()).toEqual(before)
      fs.unlinkSync(place)
    }
    const pi = library.folder('.pi', 'agent', 'sessions', '-w')
    const readOnly = await forkIn(library.context(), { directory: pi })
    expect(readOnly).toMatchObject({ ok: false, error: { code: 'permission' } })
    expect(fs.readdirSync(pi)).toEqual([])
  })

  it('does not follow an artifact directory that leads elsewhere', async () => {
    const elsewhere = library.at('elsewhere')
    fs.renameSync(artifactsOf(source), elsewhere)
    fs.symlinkSync(elsewhere, artifactsOf(source))
    const before = library.files()
    expect(await forkIn(library.context())).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(library.files()).toEqual(before)
    expect((await forkIn(library.context(), { withArtifacts: false })).ok).toBe(true)
  })

  it('takes the pictures along into another root, and tells those that are missing', async () => {
    const picture = Buffer.from('a picture')
    const hash = createHash('sha256').update(picture).digest('hex')
    const absent = 'f'.repeat(64)
    fs.mkdirSync(library.root.layout.blobsDir, { recursive: true })
    fs.writeFileSync(path.join(library.root.layout.blobsDir, hash), picture)
    fs.appendFileSync(
      source,
      `{"type":"custom","id":"p","data":["blob:sha256:${hash}","blob:sha256:${absent}"]}\n`,
    )
    const there = library.at('.omp', 'profiles', 'work', 'agent')
    fs.mkdirSync(there, { recursive: true })
    const directory = path.join(there, 'sessions', '-w-app')
    const { file, notes } = value(await forkIn(library.context(), { directory }))
    expect(file.startsWith(directory)).toBe(true)
    expect(fs.readFileSync(path.join(there, 'blobs', hash))).toEqual(picture)
    expect(fs.readdirSync(path.join(there, 'blobs'))).toEqual([hash])
    expect(notes).toEqual([expect.stringContaining('1 picture that the session refers to is missing')])
  })
})

describe('a source that changes while it is forked', () => {
  const line = '{"type":"custom","id":"late","parentId":"a2"}\n'
  const cases: [string, (name: string, args: unknown[]) => boolean, () => void, string][] = [
    [
      'its journal, while artifacts are copied',
      (name, args) => name === 'open' && String(args[0]).includes('.log') && args[1] === 'wx',
      () => fs.appendFileSync(source, line),
      'journal',
    ],
    [
      'its journal, in the moment before the names are given',
      (name, args) => name === 'rename' && String(args[1]).endsWith('.jsonl') === false,
      () => fs.appendFileSync(source, line),
      'either',
    ],
    [
      'its artifacts, after they were copied',
      // The journal is written: by then the copy was compared once.
      (name, args) =>
        name === 'open' && args[1] === 'wx' && /\/\.\d{4}-[^/]*\.jsonl\.[^/]*\.tmp$/.test(String(args[0])),
      () => fs.writeFileSync(path.join(artifactsOf(source), '9.bash.log'), 'late'),
      'artifacts',
    ],
  ]
  it.each(cases)('%s', async (_what, when, act, kind) => {
    const names = Object.keys(library.files())
    const forked = await forkIn(library.context(interfering(when, act)))
    if (kind === 'either') {
      // From there on the fork is one of the session as it was before.
      expect(forked.ok).toBe(true)
      expect(fs.readFileSync(source, 'utf8').endsWith(line)).toBe(true)
      return
    }
    expect(forked).toMatchObject({ ok: false, error: { code: 'changed-on-disk' } })
    const late = kind === 'artifacts' ? 1 : 0
    expect(Object.keys(library.files())).toHaveLength(names.length + late)
    if (kind === 'journal') expect(fs.readFileSync(source, 'utf8').endsWith(line)).toBe(true)
    expect(fs.readdirSync(library.context().data.operations)).toEqual([])
  })
})

describe('a fork that is cancelled', () => {
  it('is not there, wherever it is stopped, and nothing is left of it', async () => {
    const before = library.files()
    let breaths = 0
    const watched = { ...work, breathe: async () => void breaths++ }
    const context = library.context()
    const whole = value(await sessionOperations(context).fork(request(), watched))
    value(await undoChange(context, HANDLERS, whole.changeId, work))
    expect(breaths).toBeGreaterThan(10)
    const trashed = library.files()
    for (let stop = 1; stop <= breaths; stop++) {
      let count = 0
      const breathe = async () => {
        if (++count >= stop) throw new EngineError('cancelled', 'Stopped.')
      }
      const forked = await sessionOperations(context).fork(request(), { ...work, breathe })
      expect(forked, `at ${stop}`).toMatchObject({ ok: false, error: { code: 'cancelled' } })
      expect(library.files(), `at ${stop}`).toEqual(trashed)
    }
    for (const [name, text] of Object.entries(before)) expect(trashed[name]).toBe(text)
    expect(fs.readdirSync(context.data.operations)).toEqual([])
  })
})

describe('undo of a fork', () => {
  it('moves it to the trash, from where it can be put back', async () => {
    const context = library.context()
    const before = library.files()
    const { changeId, file } = value(await forkIn(context))
    const [change] = value(listChanges(context, HANDLERS))
    expect(change).toMatchObject({ id: changeId, kind: 'fork', text: 'Forked “Title one”', canUndo: true })
    expect(value(await undoChange(context, HANDLERS, changeId, work))).toMatchObject({ done: 1, staying: [] })
    expect(fs.existsSync(file)).toBe(false)
    const after = library.files()
    const trashed = Object.keys(after).filter(name => name.includes('grove-trash'))
    expect(trashed.some(name => name.endsWith(path.basename(file)))).toBe(true)
    for (const name of trashed) delete after[name]
    expect(after).toEqual(before)
    expect(value(readChanges(context.env, context.data))).toMatchObject([{ id: changeId, state: 'undone' }])
  })

  it('is refused once somebody wrote to the journal or to the artifacts', async () => {
    const context = library.context()
    const first = value(await forkIn(context))
    fs.appendFileSync(first.file, '{"type":"custom","id":"new"}\n')
    expect(value(listChanges(context, HANDLERS))).toMatchObject([{ canUndo: false }])
    const second = value(await forkIn(context))
    fs.writeFileSync(path.join(artifactsOf(second.file), 'new.md'), 'new')
    for (const { changeId, file } of [first, second]) {
      const refused = await undoChange(context, HANDLERS, changeId, work)
      expect(refused.ok ? 'undone' : refused.error.message).toContain('written to')
      expect(fs.existsSync(file)).toBe(true)
    }
  })

  it('works at once, while the real check still calls a fresh file one in use', async () => {
    const real = testLibrary()
    const journal = real.addSession('one')
    const context = testContext(real)
    const { changeId, file } = value(
      await sessionOperations(context).fork({
        source: journal,
        cwd: '/w/proj',
        directory: path.dirname(journal),
        withArtifacts: true,
      }),
    )
    expect((await context.deps.inUse(work)).check(file, null).state).toBe('in-use')
    expect(value(await undoChange(context, HANDLERS, changeId, work)).staying).toEqual([])
    expect(fs.existsSync(file)).toBe(false)
    fs.rmSync(real.home, { recursive: true })
  })
})
