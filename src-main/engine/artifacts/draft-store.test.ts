/** Drafts: exact, never over what another program wrote, old or new whichever call fails. */
import fs from 'node:fs'
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Environment } from '../environment'
import { everyFault } from '../every-fault.test-support'
import { faultyFileSystem, systemError } from '../storage/faulty-file-system.test-support'
import { type TestEnvironment, testEnvironment } from '../test-environment.test-support'
import { DraftStore } from './draft-store'

let env: TestEnvironment
let journal: string
let file: string
beforeEach(() => {
  env = testEnvironment({ now: Date.now })
  journal = env.put('sessions/-p/a.jsonl', '{}\n')
  file = path.join(env.home, 'sessions/-p/a/draft.txt')
})
afterEach(() => env.remove())

const store = (changes: Partial<Environment> = {}) => new DraftStore({ ...env, ...changes }, journal)
const onDisk = () => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null)

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

describe('what a killed process left', () => {
  const left = (name: string, ageMs: number, text = 'half') => {
    const place = env.put(`sessions/-p/a/${name}`, text)
    const time = (Date.now() - ageMs) / 1000
    fs.utimesSync(place, time, time)
    return place
  }
  const HOUR = 3_600_000
  const OURS = '.draft.txt.0123456789abcdef.tmp'

  it('is removed by the next save and the next discard, and its lock taken over', async () => {
    const lock = env.put('sessions/-p/.a.jsonl.lock', '999999999:1\n')
    fs.utimesSync(lock, 1, 1)
    left(OURS, HOUR)
    const { version } = value(await store().saveDraft('text', null))
    expect(fs.readdirSync(path.dirname(file))).toEqual(['draft.txt'])
    expect(fs.existsSync(lock)).toBe(false)
    left(OURS, HOUR)
    expect((await store().discardDraft(version)).ok).toBe(true)
    expect(fs.readdirSync(path.dirname(file))).toEqual([])
  })

  it('stays while it may be in use, and so does everything that has another name or kind', async () => {
    const stay = [
      left(OURS, 1_000),
      left('.draft.txt.0123456789abcde.tmp', HOUR),
      left('.draft.txt.0123456789ABCDEF.tmp', HOUR),
      left('.draftxtxt.0123456789abcdef.tmp', HOUR),
      left('.artifact.0123456789abcdef.tmp', HOUR),
      left('sub/.draft.txt.0123456789abcdef.tmp', HOUR),
      env.put('sessions/-p/b/.draft.txt.0123456789abcdef.tmp', 'of another session'),
    ]
    const link = path.join(path.dirname(file), '.draft.txt.00000000000000ff.tmp')
    fs.symlinkSync('nowhere', link)
    const { version } = value(await store().saveDraft('text', null))
    value(await store().discardDraft(version))
    for (const place of stay) expect(fs.existsSync(place), place).toBe(true)
    expect(fs.lstatSync(link).isSymbolicLink()).toBe(true)
  })

  it('that cannot be removed keeps nobody from saving', async () => {
    const place = left(OURS, HOUR)
    const system = faultyFileSystem({
      before: ({ name, args }) => {
        if (name === 'unlink' && args[0] === place) throw systemError('EACCES', name)
      },
    })
    expect((await store({ fs: system }).saveDraft('text', null)).ok).toBe(true)
    expect(onDisk()).toBe('text')
    expect(fs.existsSync(place)).toBe(true)
  })
})

describe('a draft', () => {
  it.each([
    ['text', 'Do this'],
    ['line ends of all kinds', '\n a\r\nb\n\n'],
    ['a byte order mark', '\ufeffx'],
    ['NUL, and characters beyond the basic plane', 'a\0b 😀 日本'],
    ['more than a chunk', 'ä'.repeat(600_000)],
  ])('of %s is kept exactly', async (_what, text) => {
    const { version } = value(await store().saveDraft(text, null))
    expect(fs.readFileSync(file).equals(Buffer.from(text))).toBe(true)
    expect(value(store().readDraft())).toEqual({ text, version })
    expect(value(await store().saveDraft(`${text}!`, version)).text === `${text}!`).toBe(true)
    expect(value(await store().consumeDraft()) === `${text}!`).toBe(true)
    expect(onDisk()).toBeNull()
  })

  it('that is none has no version', async () => {
    expect(value(store().readDraft())).toEqual({ text: '', version: null })
    expect(value(await store().consumeDraft())).toBeNull()
    expect(await store().discardDraft(null)).toEqual({ ok: true, value: undefined })
    expect(value(await store().saveDraft('', null))).toEqual({ text: '', version: null })
    expect(fs.existsSync(path.dirname(file))).toBe(false)
  })

  it('that is empty counts as none, and can be written over', async () => {
    env.put('sessions/-p/a/draft.txt', '')
    const { text, version } = value(store().readDraft())
    expect(text).toBe('')
    value(await store().saveDraft('typed', version))
    expect(onDisk()).toBe('typed')
    fs.writeFileSync(file, '')
    expect(value(await store().consumeDraft())).toBeNull()
  })

  it('is discarded by empty text', async () => {
    const { version } = value(await store().saveDraft('typed', null))
    expect(value(await store().saveDraft('', version))).toEqual({ text: '', version: null })
    expect(onDisk()).toBeNull()
  })
})

describe('another program', () => {
  const changed = {
    error: { code: 'changed-on-disk', message: expect.stringContaining('nothing was overwritten') },
  }

  it('wrote a draft: nothing is overwritten, and it says so', async () => {
    const { version } = value(await store().saveDraft('mine', null))
    fs.writeFileSync(file, 'theirs')
    expect(await store().saveDraft('mine again', version)).toMatchObject(changed)
    expect(await store().saveDraft('mine again', null)).toMatchObject(changed)
    expect(await store().saveDraft('', version)).toMatchObject(changed)
    expect(await store().discardDraft(version)).toMatchObject(changed)
    expect(await store().discardDraft(null)).toMatchObject(changed)
    expect(onDisk()).toBe('theirs')
    expect(fs.readdirSync(path.dirname(file))).toEqual(['draft.txt'])
  })

  it('saves at the same moment: one of both is told', async () => {
    const { version } = value(await store().saveDraft('read by both', null))
    const both = await Promise.all(['one', 'two'].map(text => store().saveDraft(text, version)))
    const [saved] = both.flatMap(one => (one.ok ? [one.value.text] : []))
    expect(both.filter(one => !one.ok)).toMatchObject([changed])
    expect(onDisk()).toBe(saved)
  })

  it('sent the draft: it is not written again', async () => {
    const { version } = value(await store().saveDraft('mine', null))
    fs.unlinkSync(file)
    expect(await store().saveDraft('mine again', version)).toMatchObject(changed)
    expect(onDisk()).toBeNull()
    expect((await store().discardDraft(version)).ok).toBe(true)
  })

  it('wrote the very same: all are content', async () => {
    env.put('sessions/-p/a/draft.txt', 'same')
    expect(value(await store().saveDraft('same', null)).text).toBe('same')
  })

  it('is writing it while it is read: it is read again', () => {
    env.put('sessions/-p/a/draft.txt', 'be')
    const texts = ['before', 'and after']
    const system = faultyFileSystem({
      before: ({ name }) => {
        const text = name === 'close' ? texts.shift() : undefined
        if (text !== undefined) fs.writeFileSync(file, text)
      },
    })
    expect(value(store({ fs: system }).readDraft()).text).toBe('and after')
  })
})

describe('refused', () => {
  it.each([['half a character', 'a\ud800', 'invalid-argument']])('%s', async (_what, text, code) => {
    expect(await store().saveDraft(text, null)).toMatchObject({ error: { code } })
    expect(fs.existsSync(path.dirname(file))).toBe(false)
  })

  it('what is no text, in reading, writing and sending', async () => {
    env.put('sessions/-p/a/draft.txt', Buffer.from([0x61, 0xff]))
    expect(store().readDraft()).toMatchObject({ error: { code: 'damaged' } })
    expect(await store().consumeDraft()).toMatchObject({ error: { code: 'damaged' } })
    expect(await store().saveDraft('x', null)).toMatchObject({ error: { code: 'damaged' } })
    expect(fs.readFileSync(file)).toEqual(Buffer.from([0x61, 0xff]))
  })

  it('links, in the place of the file and of the folder', async () => {
    const secret = env.put('secret/draft.txt', 'secret')
    fs.symlinkSync(path.dirname(secret), path.dirname(file))
    expect(value(store().readDraft())).toEqual({ text: '', version: null })
    expect(await store().saveDraft('x', null)).toMatchObject({ error: { code: 'conflict' } })
    fs.unlinkSync(path.dirname(file))
    fs.mkdirSync(path.dirname(file))
    fs.symlinkSync(secret, file)
    expect(store().readDraft()).toMatchObject({ error: { code: 'conflict' } })
    expect(await store().saveDraft('x', null)).toMatchObject({ error: { code: 'conflict' } })
    expect(fs.readFileSync(secret, 'utf8')).toBe('secret')
  })

  it('a session without artifact directory', async () => {
    const other = new DraftStore(env, env.put('note.txt', ''))
    expect(other.readDraft()).toMatchObject({ value: { text: '' } })
    expect(await other.saveDraft('x', null)).toMatchObject({ error: { code: 'invalid-argument' } })
    expect(await other.markDraftOnly()).toMatchObject({ error: { code: 'invalid-argument' } })
  })
})

it('notes that the draft is all there is, once', async () => {
  expect((await store().markDraftOnly()).ok).toBe(true)
  expect((await store().markDraftOnly()).ok).toBe(true)
  expect(fs.readdirSync(path.dirname(file))).toEqual(['.draft-only-session'])
  expect(fs.statSync(path.join(path.dirname(file), '.draft-only-session')).size).toBe(0)
})

describe('whichever call fails', () => {
  type Case = [what: string, before: string | null, after: string | null]
  const cases: Case[] = [
    ['save the first', null, 'new'],
    ['save another', 'old', 'new'],
    ['discard', 'old', null],
    ['consume', 'old', null],
    ['mark', null, null],
  ]

  const act = async (what: string, own: DraftStore): Promise<Result<unknown>> => {
    if (what === 'mark') return own.markDraftOnly()
    if (what === 'consume') return own.consumeDraft()
    const read = own.readDraft()
    if (!read.ok) return read
    return what === 'discard'
      ? own.discardDraft(read.value.version)
      : own.saveDraft('new', read.value.version)
  }

  it.each(cases)('%s: old or new, nothing stray, and again it works', async (what, before, after) => {
    const folder = path.dirname(file)
    const scenes = await everyFault(() => {
      fs.rmSync(folder, { recursive: true, force: true })
      fs.rmSync(path.join(env.home, 'sessions/-p/.a.jsonl.lock'), { force: true })
      if (before !== null) env.put('sessions/-p/a/draft.txt', before)
      let done: Result<unknown> | undefined
      return {
        run: async system => {
          done = await act(what, store({ fs: system, pid: 4_000_001 }))
        },
        check: async (where, { lasting }) => {
          expect([before, after], where).toContain(onDisk())
          if (done?.ok === true) expect(onDisk(), where).toBe(after)
          // What was taken out was answered: it is nowhere else.
          if (what === 'consume' && onDisk() === null) expect(done, where).toEqual({ ok: true, value: 'old' })
          const there = fs.existsSync(folder) ? fs.readdirSync(folder) : []
          const stray = there.filter(name => name !== 'draft.txt' && name !== '.draft-only-session')
          if (lasting === 'once') expect(stray, where).toEqual([])
          const again = await act(what, store({ now: () => Date.now() + 60_000 }))
          expect(again.ok, where).toBe(true)
          expect(onDisk(), where).toBe(after)
        },
      }
    })
    expect(scenes).toBeGreaterThan(15)
  })
})
