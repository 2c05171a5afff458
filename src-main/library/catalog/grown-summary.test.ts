import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countingFileSystem } from '../../engine/storage/counting-file-system'
import { nodeFileSystem } from '../../engine/storage/node-file-system'
import { type TestEnvironment, testEnvironment } from '../../engine/test-environment.test-support'
import { type ReadSummary, readSummary } from './grown-summary'
import { conversationText, entryText, headerText, messageText, slotText } from './journal-text.test-support'

let env: TestEnvironment
let file: string
beforeEach(() => {
  env = testEnvironment()
  file = env.put('agent/sessions/-p/s.jsonl', '')
})
afterEach(() => env.remove())

const write = (text: string) => fs.writeFileSync(file, text)
const append = (text: string) => fs.appendFileSync(file, text)
const fresh = () => readSummary(env, file, null)

/** As it goes on after the point lay in a cache. */
function goOn({ summary, point }: ReadSummary): ReadSummary {
  return readSummary(env, file, JSON.parse(JSON.stringify({ summary, point })))
}

type World = { ids: string[]; tip: string | null; next: number }

/** What a program, or an accident, does to a journal; most of it is what programs do. */
const STEPS = {
  ask: (world: World) => addEntry(world, id => messageText(id, world.tip, 'user', `Ask ${id}`)),
  answer: (world: World) => addEntry(world, id => messageText(id, world.tip, 'assistant', 'Yes')),
  fails: (world: World) =>
    addEntry(world, id => messageText(id, world.tip, 'assistant', '', { stopReason: 'error' })),
  setting: (world: World) => addEntry(world, id => entryText(id, world.tip, { type: 'model_change' })),
  branch: (world: World) => addEntry(world, id => messageText(id, world.ids[0] ?? null, 'user', 'Else')),
  root: (world: World) => addEntry(world, id => messageText(id, null, 'user', 'Anew')),
  rename: (world: World) => {
    const title = `Title ${world.next}`
    overwrite(0, slotText(title))
    addEntry(world, id => entryText(id, world.tip, { type: 'title_change', title, previousTitle: 'Before' }))
  },
  longTitle: (world: World) => {
    const title = `${world.next} ${'long '.repeat(80)}`
    overwrite(0, slotText(title))
    addEntry(world, id => entryText(id, world.tip, { type: 'title_change', title }))
  },
  twice: (world: World) => append(messageText(world.ids[world.ids.length - 1] ?? 'x', null, 'user', 'Again')),
  orphan: (world: World) => addEntry(world, id => entryText(id, 'nobody')),
  child: (world: World) => addEntry(world, id => messageText(id, 'nobody', 'user', 'Who?')),
  nobody: (world: World) => {
    append(entryText('nobody', world.tip))
    world.ids.push('nobody')
  },
  timeless: (world: World) => addEntry(world, id => entryText(id, world.tip, { timestamp: 'soon' })),
  late: (world: World) =>
    addEntry(world, id => entryText(id, world.tip, { timestamp: '2026-03-01T00:00:00Z' })),
  nameless: () => append('{"type":"custom","timestamp":"2026-01-30T10:00:00Z"}\n'),
  broken: () => append('{"type":"message","id":\n'),
  blank: () => append('\n'),
  header: () => append(headerText()),
  slot: () => append(slotText('Not a slot here')),
  cut: () => append('{"type":"custom","id":"cut'),
  unended: (world: World) => addEntry(world, id => entryText(id, world.tip).trimEnd()),
  lineEnd: () => append('\n'),
  overwritten: () => overwrite(300, 'x'),
  replaced: (world: World) => {
    world.ids = ['a']
    world.tip = 'a'
    fs.rmSync(file)
    write(slotText('') + headerText() + messageText('a', null, 'user', 'New file'))
  },
}

function addEntry(world: World, line: (id: string) => string): void {
  const id = `n${world.next++}`
  append(line(id))
  world.ids.push(id)
  world.tip = id
}

function overwrite(at: number, text: string): void {
  const fd = fs.openSync(file, 'r+')
  fs.writeSync(fd, text, at)
  fs.closeSync(fd)
}

type Step = keyof typeof STEPS
const usual: Step[] = ['ask', 'answer', 'fails', 'setting', 'rename', 'longTitle', 'root']
// The keys of an object that is written out above.
const unusual = (Object.keys(STEPS) as Step[]).filter(step => !usual.includes(step))

describe('a summary that was carried on', () => {
  it('equals one read anew, whatever was done to the file', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...usual) },
      { weight: 1, arbitrary: fc.constantFrom(...unusual) },
    )
    let grown = 0
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 5 }),
        (slot, rounds) => {
          fs.rmSync(file, { force: true })
          write((slot ? slotText('First') : '') + headerText({ title: 'T' }) + conversationText(2))
          const world: World = { ids: ['e1', 'e2', 'e3', 'e4'], tip: 'e4', next: 1 }
          let known = fresh()
          for (const steps of rounds) {
            // Without a slot nothing is overwritten in place by those who rename.
            const taken = steps.filter(name => slot || (name !== 'rename' && name !== 'longTitle'))
            for (const name of taken) STEPS[name](world)
            known = goOn(known)
            if (known.grown && taken.length > 0) grown++
            expect(known.summary).toEqual(fresh().summary)
          }
        },
      ),
      { numRuns: 300 },
    )
    expect(grown).toBeGreaterThan(100)
  })

  it.each(usual)('reads only what "%s" appends', name => {
    write(slotText('First') + headerText() + conversationText(3))
    const known = fresh()
    STEPS[name]({ ids: ['e1'], tip: 'e6', next: 1 })
    const next = goOn(known)
    expect(next.grown).toBe(true)
    expect(next.summary).toEqual(fresh().summary)
  })

  it('costs the appended bytes and what tells that the rest is as it was', () => {
    write(slotText('First') + headerText() + conversationText(2_000, 400))
    const counted = countingFileSystem(nodeFileSystem)
    const known = fresh()
    const added = messageText('new', 'e4000', 'user', 'One more')
    append(added)
    const next = readSummary({ ...env, fs: counted }, file, known)
    expect(next).toMatchObject({ grown: true, summary: { messageCount: 4_001, tips: 1, status: 'pending' } })
    expect([...counted.work.opened]).toEqual([[file, 1]])
    expect(counted.work.open).toBe(0)
    // Twice the ends of what was read: to compare, and to note the new ones.
    expect(counted.work.bytesRead).toBe(added.length + 2 * (4_096 + 256))
  })

  it('is not believed where another file took the place', () => {
    write(headerText() + conversationText(1))
    const known = fresh()
    const text = fs.readFileSync(file, 'utf8') + messageText('e3', 'e2', 'user', 'More')
    fs.writeFileSync(path.join(env.home, 'other'), text)
    fs.renameSync(path.join(env.home, 'other'), file)
    expect(goOn(known)).toMatchObject({ grown: false, summary: { messageCount: 3 } })
  })

  it('is read anew when the file cannot be read, and is not kept then', () => {
    write(headerText() + conversationText(1))
    const known = fresh()
    fs.rmSync(file)
    const gone = goOn(known)
    expect(gone).toMatchObject({ lasting: false, point: null })
    expect(gone.summary.stub).toContain('it is not there')
  })

  it('lasts only where no time lies ahead', () => {
    write(headerText() + entryText('a', null))
    expect(fresh().lasting).toBe(true)
    append(entryText('b', 'a', { timestamp: '2026-03-01T00:00:00Z' }))
    expect(fresh().lasting).toBe(false)
  })
})
