/** Long texts of changes lie beside the list: there before it names them, gone after; whatever call fails. */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyFault } from '../../engine/every-fault.test-support'
import {
  type FaultyFileSystem,
  faultyFileSystem,
  systemError,
} from '../../engine/storage/faulty-file-system.test-support'
import type { FileSystem } from '../../engine/storage/file-system'
import { nodeFileSystem } from '../../engine/storage/node-file-system'
import { type GroveData, groveData } from '../grove-data'
import {
  removeLibrary,
  type TestLibrary,
  testContext,
  testLibrary,
  work,
} from '../trash/test-library.test-support'
import { keptTextOf, keptTextsDirectory, readKept, whyNotKept } from './kept-texts'
import { type ChangeRecord, readChanges, recordChange, updateChange } from './recent-changes'
import { recoverOperations } from './recovery'

let library: TestLibrary
let data: GroveData
beforeEach(() => {
  library = testLibrary()
  data = contextOf().data
})
afterEach(() => removeLibrary(library))

function contextOf(system: FileSystem = nodeFileSystem) {
  const context = testContext(library, { pid: 1 })
  return { ...context, env: { ...context.env, fs: system, uuid: randomUUID } }
}

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

const long = (name: string) => `${name} ä😀\r\n`.repeat(3_000)
const recordOf = (id: string, before: unknown): ChangeRecord => ({
  id,
  kind: 'draft',
  text: id,
  detail: '',
  time: 1,
  state: 'done',
  undo: { version: 1, before },
  whyNot: null,
})
const record = (id: string, before: unknown, system?: FileSystem) =>
  recordChange(contextOf(system).env, data, recordOf(id, before))

const files = (directory = keptTextsDirectory(data)): string[] =>
  fs.existsSync(directory) ? fs.readdirSync(directory) : []

/** The text that a change brings back, wherever it lies. */
function textOf(id: string): string | null {
  const { env } = contextOf()
  const found = value(readChanges(env, data)).find(one => one.id === id)
  if (found === undefined) return null
  const kept = keptTextOf(found.undo)
  if (kept !== null) return value(readKept(env, data, kept))
  // As `recordOf` made it.
  return (found.undo as { before: string }).before
}

function onlyKept(id = 'a') {
  const { env } = contextOf()
  const found = value(readChanges(env, data)).find(one => one.id === id)
  const kept = keptTextOf(found?.undo)
  if (kept === null) throw new Error('not kept beside the list')
  return { env, kept, file: path.join(keptTextsDirectory(data), `${kept.sha256}.txt`) }
}

describe('a long text', () => {
  it('lies beside the list, for its owner only, and comes back exactly', async () => {
    value(await record('a', long('a')))
    value(await record('b', 'short'))
    expect(textOf('a')).toBe(long('a'))
    expect(textOf('b')).toBe('short')
    const { file } = onlyKept()
    expect(files()).toEqual([path.basename(file)])
    expect(fs.readFileSync(file, 'utf8')).toBe(long('a'))
    expect([fs.statSync(file).mode & 0o777, fs.statSync(path.dirname(file)).mode & 0o777]).toEqual([
      0o600, 0o700,
    ])
    expect(fs.statSync(data.changes).size).toBeLessThan(1_000)
  })

  it('is written once, however often the list is', async () => {
    value(await record('a', long('a')))
    const { file } = onlyKept()
    const before = fs.statSync(file, { bigint: true })
    const { env } = contextOf()
    for (let at = 0; at < 3; at++) value(await updateChange(env, data, 'a', one => ({ ...one, time: at })))
    value(await record('b', 'short'))
    const after = fs.statSync(file, { bigint: true })
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs])
  })

  it('stays as long as one change names it, and goes with the last', async () => {
    value(await record('a', long('same')))
    value(await record('b', long('same')))
    expect(files()).toHaveLength(1)
    value(await record('a', 'short'))
    expect(textOf('b')).toBe(long('same'))
    value(await record('b', 'short'))
    expect(files()).toEqual([])
    value(await record('c', long('c')))
    for (let at = 0; at < 200; at++) value(await record(String(at), null))
    expect(files()).toEqual([])
  })

  it('comes out of a list that was written with it inside', async () => {
    const old = { version: 1, changes: [recordOf('old', long('old')), recordOf('small', 'x')] }
    fs.mkdirSync(data.directory, { recursive: true })
    fs.writeFileSync(data.changes, JSON.stringify(old))
    expect(textOf('old')).toBe(long('old'))
    expect(files(), 'looking writes nothing').toEqual([])
    value(await record('new', null))
    expect(files()).toHaveLength(1)
    expect([textOf('old'), textOf('small')]).toEqual([long('old'), 'x'])
    expect(fs.statSync(data.changes).size).toBeLessThan(1_000)
  })

  it('counts in what is kept in all', async () => {
    const big = (name: string) => name.repeat(25 * 1024 * 1024)
    for (const name of ['a', 'b', 'c']) value(await record(name, big(name)))
    value(await record('d', null))
    expect(value(readChanges(contextOf().env, data)).map(({ id }) => id)).toEqual(['d', 'c', 'b'])
    expect(files()).toHaveLength(2)
  })

  it('with half a character stays inside, as it is', async () => {
    const half = `${long('a')}\ud800`
    value(await record('a', half))
    expect(files()).toEqual([])
    expect(textOf('a')).toBe(half)
  })

  it('is set aside with the list that names it, when that cannot be read', async () => {
    value(await record('a', long('a')))
    const [name] = files()
    fs.writeFileSync(data.changes, '{"version":1,"chan')
    value(await record('b', long('b')))
    expect(textOf('b')).toBe(long('b'))
    expect(files()).toHaveLength(1)
    const aside = fs.readdirSync(data.directory).filter(one => one.startsWith('change-texts.damaged-'))
    expect(files(path.join(data.directory, aside[0] ?? ''))).toEqual([name])
  })
})

describe('a text that is not there as it was kept', () => {
  const replacedBy = (make: (file: string) => void) => (file: string) => {
    fs.renameSync(file, `${file}.away`)
    make(file)
  }
  const damages: [string, (file: string) => void][] = [
    ['missing', fs.unlinkSync],
    ['cut', file => fs.truncateSync(file, 100)],
    ['longer', file => fs.appendFileSync(file, 'x')],
    ['a folder', replacedBy(file => fs.mkdirSync(file))],
  ]
  it.each(damages)('because it is %s is told, with the file', async (_what, damage) => {
    value(await record('a', long('a')))
    const { env, kept, file } = onlyKept()
    expect(whyNotKept(env, data, kept)).toBeNull()
    damage(file)
    expect(whyNotKept(env, data, kept)).toContain(file)
    const read = readKept(env, data, kept)
    expect(read.ok ? null : read.error.message).toContain(file)
    value(await record('b', null))
    expect(value(readChanges(env, data)).map(({ id }) => id)).toEqual(['b', 'a'])
  })

  it('is told at the latest when it is read', async () => {
    value(await record('a', long('a')))
    const { env, kept, file } = onlyKept()
    // As long as it was.
    fs.writeFileSync(file, fs.readFileSync(file).fill(0x78))
    expect(readKept(env, data, kept)).toMatchObject({ ok: false, error: { code: 'damaged', path: file } })
  })

  it('is whole again when the same text is kept once more', async () => {
    value(await record('a', long('a')))
    fs.truncateSync(onlyKept().file, 100)
    value(await record('b', long('a')))
    expect([textOf('a'), textOf('b')]).toEqual([long('a'), long('a')])
  })

  it.each([
    { sha256: '../../../etc/passwd', bytes: 1 },
    { sha256: 'A'.repeat(64), bytes: 1 },
    { sha256: 'a'.repeat(64) },
    { sha256: 'a'.repeat(64), bytes: -1 },
    [],
    7,
  ])('is no name: %j', before => {
    expect(keptTextOf({ before })).toBeNull()
  })
})

describe('whatever call fails', () => {
  const expectWhole = (where: string) => {
    const { env } = contextOf()
    for (const { id, undo } of value(readChanges(env, data))) {
      const kept = keptTextOf(undo)
      if (kept !== null) expect(whyNotKept(env, data, kept), `${where}: ${id}`).toBeNull()
      expect(textOf(id), `${where}: ${id}`).toBe(long(id === 'new' ? 'new' : 'old'))
    }
  }

  it('the list names nothing that is not there, and the next change clears up', async () => {
    const count = await everyFault(async () => {
      removeLibrary(library)
      library = testLibrary()
      data = contextOf().data
      // The newest falls out in the work, so that there is something to remove.
      value(await record('new', long('replaced')))
      value(await record('old', long('old')))
      let done = false
      return {
        run: async (system: FaultyFileSystem) => {
          done = (await record('new', long('new'), system)).ok
        },
        check: async (where: string) => {
          for (const lock of fs.readdirSync(data.directory).filter(name => name.endsWith('.lock')))
            fs.unlinkSync(path.join(data.directory, lock))
          const ids = value(readChanges(contextOf().env, data)).map(({ id }) => id)
          expect(ids.toSorted(), where).toEqual(['new', 'old'])
          if (done) expect(textOf('new'), where).toBe(long('new'))
          expect([long('replaced'), long('new')], where).toContain(textOf('new'))
          expect(textOf('old'), where).toBe(long('old'))
          value(await record('new', long('new')))
          expectWhole(where)
          expect(
            files().filter(name => name.endsWith('.txt')),
            where,
          ).toHaveLength(2)
        },
      }
    })
    expect(count).toBeGreaterThan(60)
  })

  /** The process ends where `stops` says so: nothing that it would do afterwards happens. */
  async function killedAt(stops: (name: string, target: string) => boolean): Promise<void> {
    let dead = false
    const system = faultyFileSystem({
      before: ({ name, args }) => {
        dead ||= stops(name, args.map(String).join(' '))
        if (dead) throw systemError('EIO', name)
      },
    })
    expect(await record('new', long('new'), system)).toMatchObject({ ok: false })
    for (const lock of fs.readdirSync(data.directory).filter(name => name.endsWith('.lock')))
      fs.unlinkSync(path.join(data.directory, lock))
  }

  it('killed between a text and the list, the old list stands, and the next change removes the text', async () => {
    value(await record('old', long('old')))
    await killedAt((name, target) => name === 'rename' && target.endsWith('changes.json'))
    expect(value(readChanges(contextOf().env, data)).map(({ id }) => id)).toEqual(['old'])
    expect(files()).toHaveLength(2)
    value(await record('other', null))
    expect(files()).toEqual([path.basename(onlyKept('old').file)])
  })

  it('killed between the list and the removal, the next change removes what is not named', async () => {
    value(await record('new', long('replaced')))
    const system = faultyFileSystem({
      before: ({ name, args }) => {
        if (name === 'unlink' && String(args[0]).endsWith('.txt')) throw systemError('EIO', name)
      },
    })
    expect((await record('new', long('new'), system)).ok, 'the change is recorded all the same').toBe(true)
    expect(files()).toHaveLength(2)
    expect(textOf('new')).toBe(long('new'))
    value(await record('other', null))
    expect(files()).toEqual([path.basename(onlyKept('new').file)])
  })

  it('a text that cannot be put beside the list stays inside', async () => {
    fs.mkdirSync(data.directory, { recursive: true })
    fs.writeFileSync(keptTextsDirectory(data), 'no folder')
    value(await record('a', long('a')))
    expect(textOf('a')).toBe(long('a'))
    fs.unlinkSync(keptTextsDirectory(data))
    value(await record('b', null))
    expect(fs.readFileSync(onlyKept('a').file, 'utf8')).toBe(long('a'))
  })

  it('leaves what is none of ours, and the recovery takes away old temporary files', async () => {
    value(await record('a', long('a')))
    const at = (name: string) => path.join(keptTextsDirectory(data), name)
    const stale = at(`.${'a'.repeat(64)}.txt.0123456789abcdef.tmp`)
    fs.writeFileSync(stale, 'half')
    fs.utimesSync(stale, 1, 1)
    for (const name of ['notes.txt', 'x']) fs.writeFileSync(at(name), '')
    value(await record('a', null))
    expect(files().toSorted()).toEqual([path.basename(stale), 'notes.txt', 'x'])
    value(await recoverOperations(testContext(library, { pid: 2 }), [], work))
    expect(files().toSorted()).toEqual(['notes.txt', 'x'])
  })
})

it('lies where Grove keeps its own data', () => {
  expect(keptTextsDirectory(groveData({ ...contextOf().env, env: { GROVE_DATA_DIR: os.tmpdir() } }))).toBe(
    path.join(os.tmpdir(), 'change-texts'),
  )
})
