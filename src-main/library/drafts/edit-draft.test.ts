import fs from 'node:fs'
import path from 'node:path'
import { limits } from '@shared/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { faultyFileSystem, systemError } from '../../engine/storage/faulty-file-system.test-support'
import { readChanges } from '../changes/recent-changes'
import { DraftWorld, value } from './draft-world.test-support'

let world: DraftWorld
beforeEach(() => {
  world = new DraftWorld()
})
afterEach(() => world.library.remove())

describe('a round of editing', () => {
  it('is one change, and its Undo brings back the text before', async () => {
    world.write('before')
    const first = value(await world.save('first'))
    const second = value(await world.save('second, größer', first.change))
    const third = value(await world.save('third', second.change))
    expect(new Set([first.change, second.change, third.change]).size).toBe(1)
    expect(world.changes()).toMatchObject([
      {
        kind: 'draft',
        text: 'Changed the draft of “Title one”',
        detail: '5 B',
        state: 'done',
        canUndo: true,
        whyNot: null,
      },
    ])
    expect(value(await world.undo(third.change ?? ''))).toMatchObject({ done: 1, staying: [], notes: [] })
    expect(world.draft).toBe('before')
    expect(world.changes()).toMatchObject([{ state: 'undone', canUndo: false }])
  })

  it('is not taken back where the session holds nothing any more, or leads into a root that is only read', async () => {
    world.write('before')
    const { change } = value(await world.save('after'))
    const { journal, library } = world
    fs.writeFileSync(journal, '')
    expect(await world.undo(change ?? '')).toMatchObject({ ok: false, error: { code: 'damaged' } })
    expect(fs.readFileSync(journal, 'utf8')).toBe('')
    const foreign = path.join(library.folder('.pi', 'agent', 'sessions', '-w'), 'one.jsonl')
    fs.writeFileSync(foreign, '{"type":"session","version":3,"id":"one","cwd":"/w"}\n')
    fs.unlinkSync(journal)
    fs.symlinkSync(foreign, journal)
    expect(await world.undo(change ?? '')).toMatchObject({ ok: false, error: { code: 'permission' } })
    expect(world.draft).toBe('after')
  })

  it('that begins a draft is undone by taking it away', async () => {
    const { change } = value(await world.save('new'))
    expect(world.changes()).toMatchObject([{ text: 'Wrote a draft for “Title one”', canUndo: true }])
    expect((await world.undo(change ?? '')).ok).toBe(true)
    expect(world.draft).toBeNull()
  })

  it('that ends without a draft says so, and brings back the one before', async () => {
    const begun = value(await world.save('new'))
    const ended = value(await world.save('', begun.change))
    expect(ended.state).toEqual({ text: '', version: null })
    expect(world.changes()).toMatchObject([
      { text: 'Wrote a draft for “Title one” and discarded it', canUndo: false },
    ])
    expect((await world.undo(begun.change ?? '')).ok).toBe(false)
    world.write('before')
    const other = value(await world.save('x'))
    value(await world.save('', other.change))
    expect(world.changes()[0]).toMatchObject({ text: 'Discarded the draft of “Title one”', canUndo: true })
    value(await world.undo(other.change ?? ''))
    expect(world.draft).toBe('before')
  })

  it('ends where another program wrote, or Undo did: what comes then is another one', async () => {
    const { change } = value(await world.save('ours'))
    world.write('theirs')
    const next = value(await world.save('theirs and ours', change))
    expect(next.change).not.toBe(change)
    value(await world.undo(next.change ?? ''))
    expect(world.draft).toBe('theirs')
    const after = value(await world.save('again', next.change))
    expect(after.change).not.toBe(next.change)
    expect(world.changes().map(({ whyNot }) => whyNot)).toEqual([
      null,
      'It was undone.',
      'The draft was changed since.',
    ])
  })

  it('is none when nothing changes', async () => {
    expect(value(await world.save(''))).toEqual({ state: { text: '', version: null }, change: null })
    world.write('same')
    expect(value(await world.save('same')).change).toBeNull()
    expect(value(await world.saveOver(null, 'same')).change).toBeNull()
    expect(world.changes()).toEqual([])
    expect(fs.existsSync(world.library.context().data.directory)).toBe(false)
  })

  it('begins over an empty file as over none', async () => {
    world.write('')
    expect((await world.saveOver(null, 'text')).ok).toBe(true)
    expect(world.draft).toBe('text')
  })

  it('of a text too long to be kept says that it cannot be undone', async () => {
    world.write('x'.repeat(8 * 1024 * 1024 + 1))
    value(await world.save('short'))
    expect(world.changes()).toMatchObject([
      { canUndo: false, whyNot: 'The text before was too long to be kept.' },
    ])
    const data = world.library.context().data
    expect(fs.statSync(data.changes).size).toBeLessThan(10_000)
  })

  it('works with 5 MB, there and back', async () => {
    const long = 'ä😀\n'.repeat(700_000)
    world.write(long)
    const { change } = value(await world.save(`${long}more`))
    value(await world.save(`${long}more and more`, change))
    expect(world.draft).toBe(`${long}more and more`)
    const { data } = world.library.context()
    expect(fs.statSync(data.changes).size, 'the text lies beside the list').toBeLessThan(10_000)
    value(await world.undo(change ?? ''))
    expect(world.draft).toBe(long)
  })

  it('over a long text that was lost or altered since cannot be undone, and says which file is to blame', async () => {
    world.write('long\n'.repeat(10_000))
    const { change } = value(await world.save('short'))
    const { data } = world.library.context()
    const texts = path.join(data.directory, 'change-texts')
    const file = path.join(texts, fs.readdirSync(texts)[0] ?? '')
    fs.writeFileSync(file, fs.readFileSync(file).fill(0x78))
    expect(await world.undo(change ?? '')).toMatchObject({
      ok: false,
      error: { code: 'damaged', message: expect.stringContaining(file) },
    })
    fs.unlinkSync(file)
    expect(world.changes()).toMatchObject([{ canUndo: false, whyNot: expect.stringContaining(file) }])
    expect(await world.undo(change ?? '')).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(world.draft).toBe('short')
    expect((await world.save('and on', change)).ok).toBe(true)
    expect(world.draft).toBe('and on')
  })
})

describe('a discarded draft', () => {
  it('comes back, also when the session went on meanwhile', async () => {
    world.write('kept\r\n')
    const { change } = value(await world.save(''))
    expect(world.draft).toBeNull()
    fs.appendFileSync(world.journal, '{"type":"custom","id":"later","parentId":"a2"}\n')
    expect((await world.undo(change ?? '')).ok).toBe(true)
    expect(world.draft).toBe('kept\r\n')
  })

  it('does not come back over another one', async () => {
    world.write('old')
    const { change } = value(await world.save(''))
    world.write('new')
    expect(world.changes()).toMatchObject([{ canUndo: false, whyNot: 'There is another draft now.' }])
    expect(await world.undo(change ?? '')).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(world.draft).toBe('new')
    fs.rmSync(world.journal)
    expect(world.changes()).toMatchObject([
      { canUndo: false, whyNot: expect.stringContaining('no longer at') },
    ])
  })
})

describe('refused', () => {
  it('is what another program wrote or sent meanwhile', async () => {
    world.write('read')
    const read = value(await world.save('ours')).state.version
    world.write('of omp')
    for (const text of ['more of ours', ''])
      expect(await world.saveOver(read, text)).toMatchObject({
        ok: false,
        error: { code: 'changed-on-disk' },
      })
    expect(world.draft).toBe('of omp')
    fs.unlinkSync(world.file)
    expect(await world.saveOver(read, 'more')).toMatchObject({
      ok: false,
      error: { code: 'changed-on-disk' },
    })
    expect(await world.saveOver(read, '')).toMatchObject({ ok: true })
    expect(world.draft).toBeNull()
    expect(world.changes()).toHaveLength(1)
  })

  it('is a session in use, naming the process, or one that may be', async () => {
    world.write('theirs')
    for (const state of ['in-use', 'maybe'] as const) {
      world.library.uses.set(world.journal, { state, text: 'omp (pid 7) has it.', pid: 7 })
      expect(await world.save('x')).toMatchObject({
        ok: false,
        error: { code: 'in-use', message: expect.stringContaining('omp (pid 7) has it.') },
      })
    }
    expect(world.draft).toBe('theirs')
    expect(world.changes()).toEqual([])
    world.library.uses.clear()
    const { change } = value(await world.save('ours'))
    world.library.uses.set(world.journal, { state: 'in-use', text: 'omp has it.', pid: 7 })
    expect(await world.undo(change ?? '')).toMatchObject({ ok: false, error: { code: 'in-use' } })
    expect(world.draft).toBe('ours')
  })

  it('is what is no text, too large, or a link, with the reason', async () => {
    const refusals: [() => void, string][] = [
      [() => world.write(Uint8Array.of(0x61, 0xff)), 'damaged'],
      [() => fs.truncateSync(world.file, limits.draftBytes + 1), 'too-large'],
      [
        () => {
          fs.unlinkSync(world.file)
          fs.symlinkSync(path.join(world.library.home, 'elsewhere'), world.file)
        },
        'conflict',
      ],
    ]
    for (const [prepare, code] of refusals) {
      prepare()
      expect(await world.saveOver(null, 'x'), code).toMatchObject({ ok: false, error: { code } })
    }
    expect(fs.existsSync(path.join(world.library.home, 'elsewhere'))).toBe(false)
    expect(world.changes()).toEqual([])
  })
})

it('is noted by recovery when it was interrupted after the draft was written', async () => {
  world.write('before')
  const context = world.library.context()
  // The list cannot be written, as if the process had ended there.
  const system = faultyFileSystem({
    before: ({ name, args }) => {
      if (String(args[0]).includes('changes.json')) throw systemError('EIO', name)
    },
  })
  const { change } = value(await world.save('after', null, system))
  expect([change, world.draft]).toEqual([null, 'after'])
  expect(world.changes()).toMatchObject([{ kind: 'draft', state: 'unfinished' }])
  value(await world.recover())
  const [record] = value(readChanges(context.env, context.data))
  expect(record).toMatchObject({ kind: 'draft', whyNot: null })
  value(await world.recover())
  expect(world.changes()).toMatchObject([{ canUndo: true }])
  value(await world.undo(record?.id ?? ''))
  expect(world.draft).toBe('before')
})
