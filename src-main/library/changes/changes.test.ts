/** Data directory, operation journal, recent changes, recovery: torn, damaged, contended, bounded. */
import fs from 'node:fs'
import path from 'node:path'
import { ok, type Result } from '@shared/ipc/result'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { groveData } from '../grove-data'
import {
  removeLibrary,
  type TestLibrary,
  testContext,
  testLibrary,
  testProcesses,
  work,
} from '../trash/test-library.test-support'
import type { ChangeContext, ChangeHandler } from './change-handlers'
import { beginOperation, currentOwner, listOperations, reopenOperation } from './operation-journal'
import { type ChangeRecord, readChanges, recordChange, updateChange } from './recent-changes'
import { recoverOperations, recoverySentences } from './recovery'
import { listChanges } from './undo'

let library: TestLibrary
let context: ChangeContext
beforeEach(() => {
  library = testLibrary()
  context = testContext(library, { pid: 1 })
})
afterEach(() => removeLibrary(library))

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

const begin = (from: ChangeContext, plan: unknown = { some: 'plan' }) =>
  value(
    beginOperation(from.env, from.data, {
      kind: 'delete',
      plan,
      owner: currentOwner(from.env, from.deps.processes, from.deps.instance),
    }),
  )

it('keeps its data where the system wants it, alike for app and CLI, and makes nothing by looking', () => {
  const { env } = context
  const at = (platform: NodeJS.Platform, variables: Record<string, string>, home = '/home/u') =>
    groveData({ ...env, platform, home, env: variables }).directory
  expect(at('linux', {})).toBe('/home/u/.local/share/grove')
  expect(at('linux', { XDG_DATA_HOME: '/x' })).toBe('/x/grove')
  expect(at('linux', { XDG_DATA_HOME: 'relative' })).toBe('/home/u/.local/share/grove')
  expect(at('linux', { XDG_DATA_HOME: '/x', GROVE_DATA_DIR: '/g' })).toBe('/g')
  expect(at('darwin', {})).toBe('/home/u/Library/Application Support/Grove')
  expect(at('win32', { APPDATA: 'C:\\Users\\u\\AppData\\Roaming' })).toBe(
    'C:\\Users\\u\\AppData\\Roaming\\Grove',
  )
  expect(at('win32', {}, 'C:\\Users\\u')).toBe('C:\\Users\\u\\AppData\\Roaming\\Grove')
  value(readChanges(env, context.data))
  value(listOperations(env, context.data))
  expect(fs.existsSync(context.data.directory)).toBe(false)
  begin(context)
  expect(fs.statSync(context.data.directory).mode & 0o777).toBe(0o700)
})

describe('operation journal', () => {
  it('holds the plan, the notes and the owner until it is finished', () => {
    const journal = begin(context)
    value(journal.note({ copied: 'a' }))
    value(journal.note({ copied: 'b' }))
    const [operation] = value(listOperations(context.env, context.data)).operations
    expect(operation).toMatchObject({
      id: journal.id,
      kind: 'delete',
      plan: { some: 'plan' },
      notes: [{ copied: 'a' }, { copied: 'b' }],
      owner: { pid: 1, start: 'start of 1', instance: 'test' },
      abandoned: false,
    })
    value(journal.finish())
    journal.abandon()
    expect(fs.readdirSync(context.data.operations)).toEqual([])
  })

  it('ignores a torn note, and notes after it count again', () => {
    const journal = begin(context)
    value(journal.note(1))
    const [operation] = value(listOperations(context.env, context.data)).operations
    if (operation === undefined) throw new Error('no operation')
    fs.appendFileSync(operation.path, '{"type":"note","val')
    value(reopenOperation(context.env, operation).note(2))
    expect(value(listOperations(context.env, context.data)).operations[0]?.notes).toEqual([1, 2])
  })

  it('reports what it does not understand and leaves it alone', () => {
    begin(context)
    const strange = path.join(context.data.operations, 'x.journal')
    fs.writeFileSync(strange, '{"type":"begin","version":9}\n')
    const list = value(listOperations(context.env, context.data))
    expect([list.operations.length, list.broken.map(item => item.path)]).toEqual([1, [strange]])
    expect(value(listChanges(context, []))).toMatchObject([{ state: 'unfinished', canUndo: false }])
  })

  it('is told of at the recovery when it is not understood', async () => {
    begin(context)
    const strange = path.join(context.data.operations, 'x.journal')
    fs.writeFileSync(strange, '{"type":"begin","version":9}\n')
    const report = value(await recoverOperations(context, [], work))
    expect(recoverySentences(report)).toEqual([
      `${strange} is not a journal that this version of Grove understands.`,
    ])
  })
})

describe('recovery', () => {
  const handler = (log: string[], fail = false): ChangeHandler => ({
    kind: 'delete',
    recover: async operation => {
      log.push(operation.id)
      return fail ? { ok: false, error: { code: 'io', message: 'no' } } : ok({ notes: ['done'] })
    },
    whyNotUndo: () => null,
    undo: async () => ({ ok: false, error: { code: 'internal', message: '' } }),
  })

  it.each([
    ['pid is gone', { pid: 1 }, { pid: 2 }, true],
    ['process lives', { pid: 1, alive: true }, { pid: 2 }, false],
    ['pid was given to another process', { pid: 1, alive: true, reused: true }, { pid: 2 }, true],
    ['worker was replaced in this process', { pid: 2, instance: 'old' }, { pid: 2 }, true],
    ['worker is this one', { pid: 2, instance: 'new' }, { pid: 2 }, false],
  ])('when the owner’s %s', async (_what, owner, self, recovered) => {
    const { pid, alive, reused, instance } = { alive: false, reused: false, instance: 'old', ...owner }
    begin(testContext(library, { pid, instance }))
    const processes = testProcesses()
    if (alive) processes.alive.add(pid)
    if (reused) processes.startOf = () => 'another start'
    const log: string[] = []
    const later = testContext(library, { ...self, instance: 'new', processes })
    const report = value(await recoverOperations(later, [handler(log)], work))
    expect(log).toHaveLength(recovered ? 1 : 0)
    expect(report).toMatchObject(
      recovered ? { recovered: [{ notes: ['done'] }], running: 0 } : { recovered: [], running: 1 },
    )
    expect(fs.readdirSync(context.data.operations)).toHaveLength(recovered ? 0 : 1)
  })

  it('takes an abandoned journal of a living process', async () => {
    begin(context).abandon()
    const processes = testProcesses()
    processes.alive.add(1)
    const log: string[] = []
    value(await recoverOperations(testContext(library, { pid: 2, processes }), [handler(log)], work))
    expect(log).toHaveLength(1)
  })

  it('keeps the journal when the handler fails or the kind is not known', async () => {
    begin(context)
    const later = testContext(library, { pid: 2 })
    const report = value(await recoverOperations(later, [handler([], true)], work))
    expect(report.failed).toMatchObject([{ kind: 'delete', error: { message: 'no' } }])
    value(await recoverOperations(later, [], work))
    expect(value(listOperations(context.env, context.data)).operations).toHaveLength(1)
  })

  it('is done by one of two processes that begin at once', async () => {
    begin(context)
    const log: string[] = []
    const processes = testProcesses()
    for (const pid of [2, 3]) processes.alive.add(pid)
    const both = [2, 3].map(pid =>
      recoverOperations(testContext(library, { pid, processes }), [handler(log)], work),
    )
    await Promise.all(both)
    expect(log).toHaveLength(1)
  })
})

describe('recent changes', () => {
  const record = (id: string): ChangeRecord => ({
    id,
    kind: 'empty',
    text: id,
    detail: '',
    time: 1,
    state: 'done',
    undo: null,
    whyNot: 'gone',
  })

  it('are newest first, each once, bounded, and of all who write', async () => {
    const others = [2, 3, 4].map(pid => testContext(library, { pid }))
    await Promise.all(others.map(({ env, data }, at) => recordChange(env, data, record(`at once ${at}`))))
    expect(value(readChanges(context.env, context.data))).toHaveLength(3)
    for (let at = 0; at < 205; at++) value(await recordChange(context.env, context.data, record(String(at))))
    value(await recordChange(context.env, context.data, record('100')))
    const ids = value(readChanges(context.env, context.data)).map(({ id }) => id)
    expect([ids.length, ids[0], ids[1], new Set(ids).size]).toEqual([200, '100', '204', 200])
    value(await updateChange(context.env, context.data, '204', change => ({ ...change, state: 'undone' })))
    expect(value(readChanges(context.env, context.data))[1]?.state).toBe('undone')
    expect(fs.readdirSync(context.data.directory).sort()).toEqual(['changes.json', 'operations'])
  })

  it('are never so long that the next one could not be added', async () => {
    const large = (id: string) => ({ ...record(id), undo: 'x'.repeat(25 * 1024 * 1024) })
    for (const id of ['a', 'b', 'c']) value(await recordChange(context.env, context.data, large(id)))
    value(await recordChange(context.env, context.data, record('d')))
    expect(value(readChanges(context.env, context.data)).map(({ id }) => id)).toEqual(['d', 'c', 'b'])
  })

  it('that cannot be read are an error to look at, and set aside, never overwritten', async () => {
    value(await recordChange(context.env, context.data, record('a')))
    fs.writeFileSync(context.data.changes, '{"version":1,"chan')
    expect(readChanges(context.env, context.data)).toMatchObject({ ok: false, error: { code: 'damaged' } })
    value(await recordChange(context.env, context.data, record('b')))
    expect(value(readChanges(context.env, context.data)).map(({ id }) => id)).toEqual(['b'])
    const aside = fs.readdirSync(context.data.directory).find(name => name.includes('damaged'))
    expect(fs.readFileSync(path.join(context.data.directory, aside ?? ''), 'utf8')).toBe('{"version":1,"chan')
  })
})
