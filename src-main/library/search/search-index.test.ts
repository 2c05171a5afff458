/** The index: what it finds is what reading finds; it follows growth at the price of what grew; whatever happens to it mends itself. */
import fs from 'node:fs'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HEADER, journal, message } from '../../engine/storage/journal.test-support'
import { indexPath, removeIndex } from './index-file'
import { inShort, type SearchWorld, searchWorld } from './search-world.test-support'

let world: SearchWorld
beforeEach(() => {
  world = searchWorld()
})
afterEach(() => world.dispose())

function assistant(id: string, parentId: string | null, content: object[]): object {
  return { ...message(id, parentId), message: { role: 'assistant', content } }
}

const words = ['upload', 'Upload', 'flaky', 'café', 'cafe', '中文', '文', 'foo_bar', 'foo', 'x', '👍', 'err']
const sentence = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 })
  .map(list => list.join(' '))
const record = fc.oneof(
  sentence.map(text => ({ type: 'message', message: { role: 'user', content: text } })),
  fc.tuple(sentence, sentence).map(([text, thinking]) => ({
    type: 'message',
    message: {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking },
        { type: 'text', text },
      ],
    },
  })),
  sentence.map(text => ({
    type: 'message',
    message: { role: 'toolResult', content: [{ type: 'text', text }] },
  })),
  sentence.map(summary => ({ type: 'compaction', summary })),
  sentence.map(label => ({ type: 'label', targetId: 'r0', label })),
  fc.constant({ type: 'custom', customType: 'nothing' }),
)

/** Records with ids that tell them apart, in one chain. */
function chained(records: readonly object[], from = 0): object[] {
  return records.map((one, at) => ({
    ...one,
    id: `r${from + at}`,
    parentId: from + at === 0 ? null : `r${from + at - 1}`,
  }))
}

describe('what the index finds', () => {
  it('is what reading the files finds, when it was built at once and when it grew', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.array(record, { maxLength: 6 }), fc.array(record, { maxLength: 4 })), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.constantFrom(
          'upload',
          'up fla',
          'cafe',
          '文',
          '中文',
          'foo_bar',
          'x',
          '👍 err',
          'fo',
          '"upload flaky"',
        ),
        fc.boolean(),
        async (sessions, query, thinking) => {
          const own = searchWorld()
          try {
            for (const [at, [first]] of sessions.entries()) own.session(`s${at}`, ...chained(first))
            await own.index()
            for (const [at, [first, more]] of sessions.entries())
              own.append(`s${at}`, ...chained(more, first.length))
            const report = await own.index()
            expect(report.indexed).toBe(sessions.length)
            const grown = inShort(await own.search(query, { thinking }))
            removeIndex(own.env)
            const read = inShort(await own.search(query, { thinking }))
            await own.index()
            const built = inShort(await own.search(query, { thinking }))
            expect(grown).toEqual(read)
            expect(built).toEqual(read)
          } finally {
            own.dispose()
          }
        },
      ),
      { numRuns: 25 },
    )
  }, 60_000)

  it('leads to the entry and the text in it', async () => {
    const answer = assistant('b', 'a', [
      { type: 'thinking', thinking: 'hidden zebra' },
      { type: 'text', text: 'A zebra, at last.' },
      { type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'ls zebra' } },
    ])
    world.session('one', message('a', null, 'hello'), answer)
    await world.index()
    const [found] = await world.search('zebra')
    expect(found?.hits).toMatchObject([{ ordinal: 1, entryId: 'b', part: 'content.1', role: 'agent', at: 2 }])
    const all = await world.search('zebra', { allText: true, thinking: true })
    expect(all[0]?.hits.map(({ part, role }) => `${part} ${role}`).sort()).toEqual([
      'args.2 tool',
      'content.0 thinking',
      'content.1 agent',
    ])
  })

  it('holds no pictures', async () => {
    const data = 'QUJD'.repeat(500)
    world.session('one', message('a', null, `see data:image/png;base64,${data} here`))
    await world.index()
    expect(await world.search('QUJDQUJD')).toEqual([])
    expect(await world.search('QUJDQUJD', { mode: 'exact', allText: true })).toEqual([])
    expect(await world.search('here')).toHaveLength(1)
  })

  it.each([
    '" OR "',
    'NEAR(a b)',
    'a* -b',
    'text:x',
    '\0',
    '\ud83d',
    '((((',
    "'; DROP TABLE file",
    '*',
    ' ',
    'x'.repeat(1_000_000),
  ])('takes %# for text, never for a command', async query => {
    world.session('one', message('a', null, 'nothing of it'))
    await world.index()
    expect(await world.search(query.slice(0, 2000))).toEqual([])
    expect(await world.search(query)).toEqual([])
    expect(await world.search(query, { mode: 'exact' })).toEqual([])
  })
})

describe('the work', () => {
  it('of a library as it was opens no file and reads nothing', async () => {
    for (let at = 0; at < 20; at++) world.session(`s${at}`, message('a', null, `text ${at}`))
    expect((await world.index()).opened).toBe(20)
    const targets = world.targets()
    world.counted.reset()
    const again = await world.index()
    expect(again).toEqual({ indexed: 20, all: 20, opened: 0 })
    expect(targets).toHaveLength(20)
  })

  it('of an append is what was appended, and the end before it', async () => {
    const records = Array.from({ length: 3000 }, (_, at) =>
      message(`r${at}`, at === 0 ? null : `r${at - 1}`, 'some text '.repeat(20)),
    )
    const file = world.session('big', ...records)
    await world.index()
    world.append('big', message('new', 'r2999', 'okapi'))
    const size = fs.statSync(file).size
    const listed = world.targets()
    world.counted.reset()
    world.targets()
    const heads = world.counted.work.bytesRead
    world.counted.reset()
    await world.index()
    expect(listed).toHaveLength(1)
    // The head for the list, the end that must be unchanged twice over, and the new line twice: found, then read.
    expect(world.counted.work.bytesRead - heads).toBeLessThan(16_384)
    expect(size).toBeGreaterThan(500_000)
    expect(inShort(await world.search('okapi'))).toMatchObject([
      { matches: 1, hits: ['3000 prompt user: okapi'] },
    ])
  })
})

describe('reading the files', () => {
  const PIECE = 512 * 1024
  const long = 'some text '.repeat(120_000)

  it('opens each once, reads none twice that the bytes rule out, and keeps no descriptor', async () => {
    const files = [0, 1, 2].map(at => world.session(`s${at}`, message('a', null, `text ${at}`)))
    const bytes = files.reduce((sum, file) => sum + fs.statSync(file).size, 0)
    const targets = world.targets()
    world.counted.reset()
    expect(await world.searchIn(targets, 'needle', { mode: 'exact' })).toEqual([])
    expect(world.counted.work.opened).toEqual(new Map(files.map(file => [file, 1])))
    expect(world.counted.work.bytesRead).toBe(bytes)
    expect(world.counted.work.open).toBe(0)
  })

  it('finds what lies across two pieces of a file', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `s${at}`)
    for (const [at, name] of names.entries())
      world.session(name, message('a', null, `${long.slice(0, PIECE - at * 12)} the quick needle`))
    const found = await world.search('the quick needle', { mode: 'exact' })
    expect(found.map(({ hits }) => hits.length)).toEqual(names.map(() => 1))
  })

  it('passes over a long file in pieces', async () => {
    world.session('long', message('a', null, long), message('b', 'a', long))
    const targets = world.targets()
    world.counted.reset()
    expect(await world.searchIn(targets, 'needle', { mode: 'exact' })).toEqual([])
    expect(world.counted.work.largestRead).toBeLessThanOrEqual(PIECE)
  })
})

describe('an archived session', () => {
  it('is not opened where the index holds all of it and finds nothing in it', async () => {
    const text = journal(HEADER, message('a', null, 'packed needle'))
    const ended = world.archive('ended', text)
    const unended = world.archive('unended', text + JSON.stringify(message('b', 'a', 'the last line')))
    await world.index()
    const targets = world.targets()
    world.counted.reset()
    expect(await world.searchIn(targets, 'nothing of it')).toEqual([])
    // What follows the last line feed is not in the index: it is read for each question.
    expect([...world.counted.work.opened.keys()]).toEqual([unended])
    world.counted.reset()
    expect(inShort(await world.searchIn(targets, 'packed'))).toHaveLength(2)
    expect(world.counted.work.opened.get(ended)).toBe(1)
    expect(inShort(await world.searchIn(targets, 'last line'))).toMatchObject([
      { hits: ['1 prompt user: the last line'] },
    ])
  })
})

describe('a file', () => {
  it('that was rewritten is read anew, and what was in it is forgotten', async () => {
    world.session('one', message('a', null, 'before'), message('b', 'a', 'kept'))
    await world.index()
    world.session('one', message('a', null, 'after'))
    await world.index()
    expect(await world.search('before')).toEqual([])
    expect(await world.search('kept')).toEqual([])
    expect(await world.search('after')).toHaveLength(1)
  })

  it('that is gone is forgotten', async () => {
    const file = world.session('one', message('a', null, 'words'))
    world.session('two', message('a', null, 'others'))
    await world.index()
    fs.rmSync(file)
    expect(await world.index()).toMatchObject({ indexed: 1, all: 1 })
    world.session('one', message('a', null, 'new'))
    expect(await world.search('words')).toEqual([])
  })

  it('finds its own entries when others grow by turns with it, and when one of them is gone', async () => {
    const many = (name: string, from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) =>
        message(
          `${name}${from + at}`,
          from + at === 0 ? null : `${name}${from + at - 1}`,
          `${name} ${from + at}`,
        ),
      )
    for (const name of ['ant', 'bee']) world.session(name, ...many(name, 0, 40))
    for (const [from, to] of [
      [40, 50],
      [50, 120],
    ] as const) {
      await world.index()
      for (const name of ['ant', 'bee']) world.append(name, ...many(name, from, to))
    }
    await world.index()
    const found = async (name: string) =>
      inShort(await world.search(name)).map(one => [one.name, one.matches])
    expect([await found('ant'), await found('bee')]).toEqual([[['ant', 120]], [['bee', 120]]])
    fs.rmSync(world.fileOf('bee'))
    await world.index()
    world.session('cow', ...many('cow', 0, 70))
    await world.index()
    expect([await found('ant'), await found('bee'), await found('cow')]).toEqual([
      [['ant', 120]],
      [],
      [['cow', 70]],
    ])
    expect(inShort(await world.search('ant 119'))).toMatchObject([{ hits: ['119 prompt user: ant 119'] }])
  })

  it('that grew by what stood in it before keeps its places', async () => {
    const lines = [message('a', null, 'first'), message('b', 'a', 'second')]
    world.session('one', ...lines)
    await world.index()
    world.append('one', ...lines, message('c', 'b', 'third'))
    await world.index()
    expect(inShort(await world.search('third'))).toMatchObject([{ hits: ['2 prompt user: third'] }])
  })

  it('that ends within a line is found to its end', async () => {
    const file = world.session('one', message('a', null, 'first'))
    fs.appendFileSync(file, JSON.stringify(message('b', 'a', 'unended')))
    await world.index()
    expect(inShort(await world.search('unended'))).toMatchObject([{ hits: ['1 prompt user: unended'] }])
    fs.appendFileSync(file, '\n')
    await world.index()
    expect(inShort(await world.search('unended'))).toMatchObject([{ hits: ['1 prompt user: unended'] }])
  })

  it('that is odd costs only itself', async () => {
    world.session('good', message('a', null, 'needle'))
    const odd = [
      'null\n',
      '',
      '\0\0\0',
      '{"type":"message"',
      '[1]\n{"type":',
      '\ufeff{}\n',
      `${JSON.stringify(HEADER)}\n{"a":`,
    ]
    for (const [at, text] of odd.entries()) world.env.put(`.omp/agent/sessions/-w/odd${at}.jsonl`, text)
    fs.mkdirSync(world.fileOf('folder'))
    expect(await world.index()).toMatchObject({ all: odd.length + 1 })
    for (const query of ['needle', 'a'])
      for (const mode of ['words', 'exact', 'regex'] as const)
        expect((await world.search(query, { mode, allText: true })).length).toBeLessThan(3)
    expect(await world.search('needle')).toHaveLength(1)
  })
})

describe('an index', () => {
  const damage: [string, () => void][] = [
    ['is no database', () => fs.writeFileSync(indexPath(world.env), 'x'.repeat(9000))],
    ['is empty', () => fs.writeFileSync(indexPath(world.env), '')],
    ['is cut', () => fs.truncateSync(indexPath(world.env), 4096)],
    ['has holes', () => scribble(indexPath(world.env))],
  ]
  it.each(damage)('that %s is made anew, and searching goes on meanwhile', async (_, harm) => {
    for (let at = 0; at < 30; at++)
      world.session(`s${at}`, message('a', null, `needle ${at} ${'filling '.repeat(50)}`))
    await world.index()
    for (const suffix of ['-wal', '-shm']) fs.rmSync(indexPath(world.env) + suffix, { force: true })
    harm()
    expect(await world.search('needle')).toHaveLength(30)
    expect((await world.index()).indexed).toBe(30)
    expect(await world.search('needle')).toHaveLength(30)
  })
})

function scribble(file: string): void {
  const bytes = fs.readFileSync(file)
  for (let at = 4096; at < bytes.length; at += 64) bytes[at] = 0xa5
  fs.writeFileSync(file, bytes)
}

it('reads a journal from any line on with the places that reading from the start gives', async () => {
  world.session('one')
  const file = world.fileOf('one')
  fs.writeFileSync(file, journal(HEADER))
  for (let at = 0; at < 12; at++) {
    world.append(
      'one',
      message(`m${at}`, at === 0 ? null : `m${at - 1}`, `word${at} common`),
      ...(at % 3 === 0 ? ['not json'] : []),
    )
    await world.index()
  }
  const places = (await world.search('common'))[0]?.hits.map(({ ordinal }) => ordinal)
  expect(places).toEqual(Array.from({ length: 12 }, (_, at) => at))
})
