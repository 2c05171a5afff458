/** A document that is opened by heads: what is known at once, what is parsed for it, and what comes by `checking`. */
import fs from 'node:fs'
import type { Result } from '@shared/ipc/result'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { atOnce } from '../steps'
import { countingFileSystem } from '../storage/counting-file-system'
import { FileSessionStorage } from '../storage/file-session-storage'
import { HEADER, journal, message } from '../storage/journal.test-support'
import { nodeFileSystem } from '../storage/node-file-system'
import { type TestEnvironment, testEnvironment } from '../test-environment.test-support'
import { stateOf } from './document-state.test-support'
import { SessionDocument } from './session-document'

let env: TestEnvironment
let file: string
beforeEach(() => {
  env = testEnvironment()
  file = `${env.home}/s.jsonl`
})
afterEach(() => env.remove())

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

const storage = () => new FileSessionStorage(env, file)
const byHeads = () => value(atOnce(SessionDocument.opening(storage(), env.now, true)))
const whole = () => value(SessionDocument.open(storage(), env.now))
const reply = (id: string, parentId: string) => ({
  ...message(id, parentId, id, 'assistant'),
  message: { role: 'assistant', content: [], usage: { output: 7, cost: { total: 0.5 } } },
})
const label = { ...message('l1', 'b'), type: 'label', message: undefined, targetId: 'a', label: 'start' }
const ENTRIES = [message('a', null), reply('b', 'a'), label, message('c', 'b'), reply('d', 'c')]

describe('a document by heads', () => {
  it('parses the header, the first entry and the labels, and reads the file once', () => {
    const many = Array.from({ length: 500 }, (_, at) => message(`m${at}`, at === 0 ? 'd' : `m${at - 1}`))
    fs.writeFileSync(file, journal(HEADER, ...ENTRIES, ...many))
    const counted = countingFileSystem(nodeFileSystem)
    const source = new FileSessionStorage({ ...env, fs: counted }, file)
    const document = value(atOnce(SessionDocument.opening(source, env.now, true)))
    expect(document.parsedLines).toBe(3)
    expect(counted.work.opened.get(file)).toBe(1)
    // The file, and its two ends, by which growth is told.
    expect(counted.work.bytesRead).toBeLessThanOrEqual(fs.statSync(file).size + 4096 + 256)
    expect(document.complete).toBe(false)
    expect([...document.labels]).toEqual([['a', 'start']])
  })

  it('knows structure, kinds and times; tokens and costs come by checking', () => {
    fs.writeFileSync(file, journal(HEADER, ...ENTRIES))
    const document = byHeads()
    const full = whole()
    expect(stateOf(document).entries).toEqual(stateOf(full).entries)
    expect(document.columns.arrays().kinds).toEqual(full.columns.arrays().kinds)
    expect(document.columns.arrays().times).toEqual(full.columns.arrays().times)
    expect(document.columns.cost(4)).toBe(0)
    expect(atOnce(document.checking())).toEqual({ ok: true, value: 'grown' })
    expect(document.columns.cost(4)).toBe(0.5)
    expect(stateOf(document)).toEqual(stateOf(full))
    expect(document.revision).toBe(1)
    expect(atOnce(document.checking())).toEqual({ ok: true, value: 'same' })
  })

  it('takes up what is appended before and while it is checked', () => {
    fs.writeFileSync(file, journal(HEADER, ...ENTRIES))
    const document = byHeads()
    fs.appendFileSync(file, journal(message('e', 'd')))
    expect(document.refresh()).toEqual({ ok: true, value: 'grown' })
    const steps = document.checking()
    steps.next()
    fs.appendFileSync(file, journal(reply('f', 'e'), { ...label, id: 'l2', label: 'again' }))
    expect(document.refresh()).toEqual({ ok: true, value: 'grown' })
    expect(atOnce(steps).ok).toBe(true)
    expect(atOnce(document.checking()).ok).toBe(true)
    expect(document.complete).toBe(true)
    expect(stateOf(document)).toEqual(stateOf(whole()))
  })

  it.each([
    ['a body that is no JSON', (line: string) => line.replace('"content":[', '"content":[[[')],
    ['a second id behind the first', (line: string) => line.replace(/}$/, ',"id":"other"}')],
    [
      'a record cut off before the next one',
      (line: string) => `${line.slice(0, -20)}${JSON.stringify(message('x', 'b'))}`,
    ],
    ['a time that is said twice', (line: string) => line.replace(/}$/, ',"timestamp":"never"}')],
  ])('finds out by checking: %s', (_what, spoil) => {
    const lines = ENTRIES.map(entry => JSON.stringify(entry))
    lines[3] = spoil(lines[3] ?? '')
    fs.writeFileSync(file, journal(HEADER, ...lines))
    const document = byHeads()
    expect(document.index.count).toBe(5)
    expect(atOnce(document.checking())).toEqual({ ok: true, value: 'rewritten' })
    expect(document.complete).toBe(true)
    expect(stateOf(document)).toEqual(stateOf(whole()))
  })

  it('is complete at once where no line was read by its head, as in version 1', () => {
    const { id: _id, parentId: _parent, ...old } = message('a', null)
    fs.writeFileSync(file, journal({ ...HEADER, version: 1 }, old, old))
    const document = byHeads()
    expect(document.complete).toBe(true)
    expect(stateOf(document)).toEqual(stateOf(whole()))
  })

  it('tells an error of the file and stays as it is when the file is gone', () => {
    fs.writeFileSync(file, journal(HEADER, ...ENTRIES))
    const document = byHeads()
    fs.unlinkSync(file)
    expect(atOnce(document.checking())).toMatchObject({ ok: false, error: { code: 'not-found' } })
    expect(document.index.count).toBe(5)
    expect(document.complete).toBe(false)
  })
})
