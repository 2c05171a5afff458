import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MoveRequest } from '../../engine/session/many-file-operations'
import { EngineError } from '../../engine/storage/errors'
import { captureIdentity } from '../../engine/storage/file-identity'
import { nodeFileSystem } from '../../engine/storage/node-file-system'
import { changeHandlers } from '../changes/all-handlers'
import { listChanges, undoChange } from '../changes/undo'
import { entriesOf, filesBelow, headerOf, TestLibrary } from '../reroot/test-library.test-support'
import { sessionOperations } from '../session-operations'
import { testContext, testLibrary, work } from '../trash/test-library.test-support'

const ABSENT = 'f'.repeat(64)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

let library: TestLibrary
let old: string
let now: string
let journal: string
/** Another agent directory, on another device where there is one. */
let far: string
beforeEach(() => {
  library = new TestLibrary()
  old = library.folder('w', 'old')
  now = library.folder('w', 'new')
  journal = library.session({ cwd: old, id: 'one', artifacts: { '0.bash.log': 'out', 'x/y.md': 'deep' } })
  far = path.join(
    fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'grove-far-')),
    'agent',
  )
})
afterEach(() => {
  library.remove()
  fs.rmSync(path.dirname(far), { recursive: true, force: true })
})

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

const artifactsOf = (file: string) => file.slice(0, -'.jsonl'.length)
const move = (changes: Partial<MoveRequest> = {}) =>
  sessionOperations(library.context()).move({ journal, newCwd: now, ...changes })
const undo = (changeId: string, includeMaybe = false) =>
  undoChange(library.context(), changeHandlers, changeId, work, includeMaybe)

function blob(text: string): string {
  const bytes = Buffer.from(text)
  fs.mkdirSync(library.root.layout.blobsDir, { recursive: true })
  fs.writeFileSync(path.join(library.root.layout.blobsDir, sha256(bytes)), bytes)
  return sha256(bytes)
}

const refer = (file: string, hash: string) =>
  fs.appendFileSync(
    file,
    `${JSON.stringify({ type: 'custom', id: hash.slice(0, 8), data: `blob:sha256:${hash}` })}\n`,
  )

const hourAgo = (file: string) => fs.utimesSync(file, Date.now() / 1000 - 3600, Date.now() / 1000 - 3600)

describe('moving a session to another folder', () => {
  it('brings it where omp looks for it, as a re-root does, and back', async () => {
    const crumb = library.breadcrumb('pts-1', `${old}\n${journal}\n`)
    const before = library.files()
    const { file, changeId, notes } = value(await move())
    expect(file).toBe(path.join(library.directoryOf(now), path.basename(journal)))
    expect(headerOf(file)).toMatchObject({ cwd: now, previousSessionFiles: [journal] })
    expect(fs.readFileSync(crumb, 'utf8').split('\n').slice(0, 2)).toEqual([now, file])
    expect([notes, fs.existsSync(path.dirname(journal))]).toEqual([[], false])
    expect(filesBelow(artifactsOf(file))).toEqual({ '0.bash.log': 'out', 'x/y.md': 'deep' })
    expect(value(await undo(changeId))).toMatchObject({ done: 1, staying: [] })
    expect(library.files()).toEqual(before)
  })

  it('comes back only after a question where it may be in use', async () => {
    const before = library.files()
    const { file, changeId } = value(await move())
    const after = library.files()
    library.uses.set(file, { state: 'maybe', text: 'an omp runs there', pid: 1 })
    const asked = value(await undo(changeId))
    expect(asked).toMatchObject({ changeId: null, done: 0, maybe: [{ text: 'an omp runs there' }] })
    expect(library.files()).toEqual(after)
    expect(value(await undo(changeId, true))).toMatchObject({ done: 1, staying: [], maybe: [] })
    expect(library.files()).toEqual(before)
  })

  it('may go to a directory of its own, and with the folder it has', async () => {
    const directory = library.at('kept', 'here')
    const { file } = value(await move({ newCwd: old, directory }))
    expect(file).toBe(path.join(directory, path.basename(journal)))
    expect(headerOf(file)).toMatchObject({ cwd: old, previousSessionFiles: [journal] })
    expect(fs.readdirSync(directory).sort()).toEqual(
      [path.basename(artifactsOf(file)), path.basename(file)].sort(),
    )
  })

  it('stays with the reason: in use, taken, gone, a folder that is not there, a subagent, no change at all', async () => {
    const codes: string[] = []
    const refused = async (changes: Partial<MoveRequest> = {}) => {
      const before = library.files()
      const result = await move(changes)
      codes.push(result.ok ? 'moved' : result.error.code)
      expect(library.files()).toEqual(before)
    }
    library.uses.set(journal, { state: 'in-use', text: 'omp has it', pid: 1 })
    await refused()
    library.uses.set(journal, { state: 'maybe', text: 'an omp runs there', pid: 1 })
    await refused()
    library.uses.clear()
    await refused({ newCwd: library.at('nowhere') })
    await refused({ newCwd: 'not/full' })
    await refused({ newCwd: old })
    await refused({ journal: library.at('missing.jsonl') })
    const subagent = path.join(artifactsOf(journal), 'Agent.jsonl')
    fs.writeFileSync(subagent, fs.readFileSync(journal))
    await refused({ journal: subagent })
    const taken = path.join(library.directoryOf(now), path.basename(journal))
    fs.mkdirSync(path.dirname(taken), { recursive: true })
    fs.writeFileSync(taken, 'theirs')
    await refused()
    await refused({ sessionsDir: library.folder('.pi', 'agent', 'sessions') })
    expect(codes).toEqual([
      'in-use',
      'in-use',
      'not-found',
      'invalid-argument',
      'invalid-argument',
      'not-found',
      'invalid-argument',
      'conflict',
      'permission',
    ])
    fs.unlinkSync(taken)
    library.uses.set(journal, { state: 'maybe', text: 'an omp runs there', pid: 1 })
    expect((await move({ includeMaybe: true })).ok).toBe(true)
  })
})

describe('moving a session into another root', () => {
  it('copies the pictures first, of subagents and backups too, and tells those that are missing or torn', async () => {
    const [own, nested, kept, torn, stray] = ['own', 'nested', 'kept', 'torn', 'stray'].map(blob)
    for (const hash of [own, ABSENT, torn]) refer(journal, hash ?? '')
    hourAgo(journal)
    fs.writeFileSync(path.join(library.root.layout.blobsDir, torn ?? ''), 'to')
    fs.linkSync(
      path.join(library.root.layout.blobsDir, own ?? ''),
      path.join(library.root.layout.blobsDir, `${own}.png`),
    )
    const subagent = path.join(artifactsOf(journal), 'A', 'A.B.jsonl')
    fs.mkdirSync(path.dirname(subagent))
    refer(subagent, nested ?? '')
    refer(`${journal}.0123.bak`, kept ?? '')
    const before = library.files()
    const entries = entriesOf(journal)
    const sessionsDir = path.join(far, 'sessions')
    const { file, notes, changeId } = value(await move({ sessionsDir }))
    expect(file).toBe(path.join(sessionsDir, path.basename(library.directoryOf(now)), path.basename(journal)))
    expect(entriesOf(file)).toBe(entries)
    const there = filesBelow(path.join(far, 'blobs'))
    expect(there).toEqual({
      [own ?? '']: 'own',
      [`${own}.png`]: 'own',
      [nested ?? '']: 'nested',
      [kept ?? '']: 'kept',
    })
    expect(Object.keys(there)).not.toContain(stray)
    expect(notes).toEqual([
      expect.stringMatching(/^1 picture that the session refers to is missing in /),
      expect.stringMatching(/^1 picture that the session refers to is torn in /),
    ])
    // Never removed at the source; the session is.
    const left = Object.keys(library.files())
    expect(left.filter(name => name.startsWith('blobs'))).toHaveLength(6)
    expect(left.filter(name => name.startsWith('sessions'))).toEqual([])
    expect(fs.readdirSync(path.dirname(file)).filter(name => name.endsWith('.bak'))).toHaveLength(1)
    const [change] = value(listChanges(library.context(), changeHandlers))
    expect(change).toMatchObject({
      kind: 're-root',
      text: `Moved “Title one” to ${sessionsDir}, for ${now}`,
      canUndo: true,
    })
    expect(value(await undo(changeId))).toMatchObject({ done: 1, staying: [] })
    expect(library.files()).toEqual(before)
    expect(filesBelow(path.join(far, 'blobs'))).toEqual(there)
    expect(fs.readdirSync(sessionsDir)).toEqual([])
  })

  it('is really another device here, and keeps times and links', async ctx => {
    if (fs.statSync(path.dirname(far)).dev === fs.statSync(library.home).dev)
      ctx.skip('no second file system to be had here')
    fs.symlinkSync('/nowhere', path.join(artifactsOf(journal), 'link'))
    const time = fs.statSync(journal).mtimeMs
    const { file } = value(await move({ sessionsDir: path.join(far, 'sessions') }))
    expect(fs.statSync(file).dev).not.toBe(fs.statSync(library.home).dev)
    expect(Math.abs(fs.statSync(file).mtimeMs - time)).toBeLessThan(1)
    expect(fs.readlinkSync(path.join(artifactsOf(file), 'link'))).toBe('/nowhere')
    expect(fs.existsSync(artifactsOf(journal))).toBe(false)
  })

  it('heals a torn picture there, leaves whole ones alone, and brings new ones back', async () => {
    const [whole, torn] = [blob('whole'), blob('torn there')]
    refer(journal, whole)
    refer(journal, torn)
    hourAgo(journal)
    fs.mkdirSync(path.join(far, 'blobs'), { recursive: true })
    fs.writeFileSync(path.join(far, 'blobs', whole), 'whole')
    fs.utimesSync(path.join(far, 'blobs', whole), 1_000, 1_000)
    fs.writeFileSync(path.join(far, 'blobs', torn), 'tor')
    const { file, changeId, notes } = value(await move({ sessionsDir: path.join(far, 'sessions') }))
    expect(notes).toEqual([])
    expect(fs.statSync(path.join(far, 'blobs', whole)).mtimeMs).toBe(1_000_000)
    expect(fs.readFileSync(path.join(far, 'blobs', torn), 'utf8')).toBe('torn there')
    const fresh = sha256(Buffer.from('fresh'))
    fs.writeFileSync(path.join(far, 'blobs', fresh), 'fresh')
    refer(file, fresh)
    hourAgo(file)
    expect(value(await undo(changeId)).staying).toEqual([])
    expect(fs.readFileSync(path.join(library.root.layout.blobsDir, fresh), 'utf8')).toBe('fresh')
    expect(entriesOf(journal)).toContain(fresh)
  })

  it('brings along the picture of a line that was written in the very moment', async () => {
    const late = blob('late')
    const renaming = new Proxy(nodeFileSystem, {
      get(target, name) {
        // Every property of a FileSystem is one of its calls.
        const call = Reflect.get(target, name) as (...args: unknown[]) => unknown
        return (...args: unknown[]): unknown => {
          // A program that has the journal open writes to it under whatever name it has.
          if (name === 'rename' && String(args[1]).endsWith('.moved') && args[0] === journal)
            refer(journal, late)
          return call(...args)
        }
      },
    })
    const sessionsDir = path.join(far, 'sessions')
    const operations = sessionOperations(library.context(renaming))
    const { file } = value(await operations.move({ journal, newCwd: now, sessionsDir }))
    expect(entriesOf(file)).toContain(late)
    expect(fs.readFileSync(path.join(far, 'blobs', late), 'utf8')).toBe('late')
  })

  it('stays where it is when it is cancelled, wherever that is', async () => {
    refer(journal, blob('own'))
    hourAgo(journal)
    const sessionsDir = path.join(far, 'sessions')
    const before = library.files()
    const outcomes = new Set<string>()
    for (let stop = 1; outcomes.size < 2 && stop < 200; stop++) {
      let count = 0
      const breathe = async () => {
        if (++count >= stop) throw new EngineError('cancelled', 'Stopped.')
      }
      const stopped = await sessionOperations(library.context()).move(
        { journal, newCwd: now, sessionsDir },
        { ...work, breathe },
      )
      outcomes.add(stopped.ok ? 'moved' : stopped.error.code)
      if (stopped.ok) continue
      expect(library.files(), `at ${stop}`).toEqual(before)
      expect(fs.existsSync(sessionsDir), `at ${stop}`).toBe(false)
    }
    expect([...outcomes]).toEqual(['cancelled', 'moved'])
  })

  it('stays when the pictures cannot be written there', async () => {
    refer(journal, blob('own'))
    hourAgo(journal)
    fs.mkdirSync(far)
    fs.writeFileSync(path.join(far, 'blobs'), 'a file in its place')
    const before = library.files()
    const refused = await move({ sessionsDir: path.join(far, 'sessions') })
    expect(refused.ok).toBe(false)
    expect(library.files()).toEqual(before)
    expect(fs.readdirSync(far)).toEqual(['blobs'])
  })
})

describe('a session that the caller has just written itself', () => {
  it('moves and is dropped at once, unless another wrote to it as well', async () => {
    const real = testLibrary()
    const operations = sessionOperations(testContext(real))
    const [mine, theirs] = [real.addSession('mine'), real.addSession('theirs')]
    const asLeft: Record<string, NonNullable<MoveRequest['asLeft']>> = {}
    for (const file of [mine, theirs]) {
      fs.appendFileSync(file, '{"type":"custom","id":"x"}\n')
      asLeft[file] = value(captureIdentity(testContext(real).env.fs, file))
    }
    fs.appendFileSync(theirs, '{"type":"custom","id":"y"}\n')
    const newCwd = path.join(real.home, 'w')
    fs.mkdirSync(newCwd)
    const refusals = [
      await operations.move({ journal: mine, newCwd }),
      await operations.move({ journal: theirs, newCwd, ...left(asLeft[theirs]) }),
      await operations.drop({ journal: theirs, ...left(asLeft[theirs]) }),
    ]
    expect(refusals.map(result => (result.ok ? 'done' : result.error.code))).toEqual([
      'in-use',
      'in-use',
      'in-use',
    ])
    const moved = value(await operations.move({ journal: mine, newCwd, ...left(asLeft[mine]) }))
    const again = value(captureIdentity(testContext(real).env.fs, moved.file))
    const dropped = value(await operations.drop({ journal: moved.file, asLeft: again }))
    expect(fs.existsSync(moved.file)).toBe(false)
    expect(fs.readdirSync(dropped.trashItem.location)).toContain('manifest.json')
    fs.rmSync(real.home, { recursive: true })
  })
})

const left = (asLeft: MoveRequest['asLeft']) => (asLeft === undefined ? {} : { asLeft })

describe('dropping a session', () => {
  it('puts it into the trash as a whole, or tells why not', async () => {
    const operations = sessionOperations(library.context())
    library.uses.set(journal, { state: 'in-use', text: 'omp has it', pid: 1 })
    const codes = [
      await operations.drop({ journal }),
      await operations.drop({ journal: library.at('gone.jsonl') }),
    ]
    expect(codes.map(result => (result.ok ? 'dropped' : result.error.code))).toEqual(['in-use', 'not-found'])
    library.uses.clear()
    const before = library.files()
    const { trashItem, changeId } = value(await operations.drop({ journal }))
    expect(fs.existsSync(journal) || fs.existsSync(artifactsOf(journal))).toBe(false)
    expect(Object.keys(filesBelow(trashItem.location))).toHaveLength(4)
    expect(value(await undo(changeId))).toMatchObject({ done: 1 })
    expect(library.files()).toEqual(before)
  })
})
