/** omp's list of stars: read whatever it is, changed whole or not at all. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockPathOf } from '../../engine/layout/session-paths'
import { faultyFileSystem } from '../../engine/storage/faulty-file-system.test-support'
import type { FileSystem } from '../../engine/storage/file-system'
import { nodeFileSystem } from '../../engine/storage/node-file-system'
import { testEnvironment } from '../reroot/test-environment.test-support'
import { scratchDirectory } from '../trash/test-library.test-support'
import { changePins, lookAtPins, readPins } from './pins'

let home: string
let pins: string
beforeEach(() => {
  home = scratchDirectory()
  pins = path.join(home, 'agent', 'session-pins.json')
})
afterEach(() => fs.rmSync(home, { recursive: true }))

const env = (fileSystem?: FileSystem) => testEnvironment(home, fileSystem)
const set = (id: string) => [{ id, starred: true, at: null }]
const unset = (id: string) => [{ id, starred: false, at: null }]

function put(text: string): void {
  fs.mkdirSync(path.dirname(pins), { recursive: true })
  fs.writeFileSync(pins, text)
}

const change = (changes = set('new'), fileSystem?: FileSystem) => changePins(env(fileSystem), pins, changes)

describe('stars', () => {
  it('are none where the list is missing or broken', () => {
    expect(readPins(env(), [pins])).toEqual(new Set())
    for (const [text, ids] of [
      ['', []],
      ['{', []],
      ['{"a":1}', []],
      ['["a",1,null,"b"]', ['a', 'b']],
    ] as const) {
      put(text)
      expect([...readPins(env(), [pins])]).toEqual(ids)
    }
  })

  it('come into a list that is made, blank, or keeps what else it holds', async () => {
    expect(await change()).toMatchObject({ ok: true, value: { bytes: 10 } })
    expect(fs.readFileSync(pins, 'utf8')).toBe('[\n\t"new"\n]')
    put(' \n')
    await change()
    expect(fs.readFileSync(pins, 'utf8')).toBe('[\n\t"new"\n]')
    put('["a",{"k":[1]},null,"a"]')
    await change()
    expect(JSON.parse(fs.readFileSync(pins, 'utf8'))).toEqual(['a', { k: [1] }, null, 'a', 'new'])
    await change(unset('a'))
    expect(JSON.parse(fs.readFileSync(pins, 'utf8'))).toEqual([{ k: [1] }, null, 'new'])
  })

  it.each(['{"a":1}', '["a"', '"a"', 'null', '\u0000'])('never overwrite %j', async text => {
    put(text)
    for (const changes of [set('new'), unset('new')]) {
      expect(await change(changes)).toMatchObject({ ok: false, error: { code: 'damaged', path: pins } })
      expect(lookAtPins(env(), pins, changes)).toMatchObject({ ok: false, error: { code: 'damaged' } })
    }
    expect(fs.readFileSync(pins, 'utf8')).toBe(text)
  })

  it('do not follow a link, nor take a folder for a list', async () => {
    put('[]')
    fs.renameSync(pins, `${pins}.real`)
    fs.symlinkSync(`${pins}.real`, pins)
    expect(await change()).toMatchObject({ ok: false, error: { code: 'conflict' } })
    fs.unlinkSync(pins)
    fs.mkdirSync(pins)
    expect(await change()).toMatchObject({ ok: false, error: { code: 'conflict' } })
  })

  it('make nothing when there is nothing to take away', async () => {
    expect(await change(unset('a'))).toEqual({ ok: true, value: { changed: [], bytes: 0 } })
    expect(fs.existsSync(path.dirname(pins))).toBe(false)
  })

  it('lose none that another program sets meanwhile', async () => {
    put('["a"]')
    let theirs = 0
    const interfering: FileSystem = {
      ...nodeFileSystem,
      open: (target, mode) => {
        // While our own new list is being written.
        if (target.endsWith('.tmp') && theirs < 2)
          fs.writeFileSync(pins, JSON.stringify(['a', `theirs ${++theirs}`]))
        return nodeFileSystem.open(target, mode)
      },
    }
    expect(await change(set('ours'), interfering)).toMatchObject({ ok: true })
    expect(theirs).toBe(2)
    expect(JSON.parse(fs.readFileSync(pins, 'utf8'))).toEqual(['a', 'theirs 2', 'ours'])
  })

  it.each([
    ['made', null],
    ['replaced', '[\n\t"a"\n]'],
  ])('are old or new, whichever call fails: a list that is %s', async (_what, before) => {
    const now = before === null ? '[\n\t"new"\n]' : '[\n\t"a",\n\t"new"\n]'
    if (before !== null) put(before)
    const counting = faultyFileSystem()
    expect((await change(set('new'), counting)).ok).toBe(true)
    const total = counting.calls.length
    expect(total).toBeGreaterThan(10)
    const outcomes = new Set<string>()
    for (let at = 0; at < total; at++)
      for (const lasting of ['once', 'onwards'] as const) {
        fs.rmSync(path.dirname(pins), { recursive: true, force: true })
        if (before !== null) put(before)
        const faulty = faultyFileSystem({ fault: { at, errno: 'EIO', lasting, short: true } })
        const done = await change(set('new'), faulty)
        const what = `${faulty.calls[at]?.name} ${at} ${lasting}`
        const text = fs.existsSync(pins) ? fs.readFileSync(pins, 'utf8') : null
        expect([before, now], what).toContain(text)
        if (done.ok) expect(text, what).toBe(now)
        outcomes.add(text === now ? 'new' : 'old')
        // Who could not even remove his lock has ended by the time of the next change.
        if (lasting === 'onwards') fs.rmSync(lockPathOf(pins), { force: true })
        expect((await change()).ok, what).toBe(true)
        expect(fs.readFileSync(pins, 'utf8'), what).toBe(now)
      }
    expect([...outcomes].sort()).toEqual(['new', 'old'])
  })
})
