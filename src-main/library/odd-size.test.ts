/** Size: lines, pictures, summaries and files far larger than usual, and many of them. What is shown, and what it takes. */
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { layoutGraph } from '@shared/graph/layout'
import { limits } from '@shared/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentWork } from '../engine/environment'
import { HEADER, journal, message } from '../engine/storage/journal.test-support'
import { LibraryScan } from './catalog/library-scan'
import { inShort, unwrap } from './odd-files.test-support'
import { kindsOf, MB, type Piece, type SizeWorld, sizeWorld } from './odd-size.test-support'
import { artifactsView } from './reading/artifacts-view'
import { inlineImage } from './reading/inline-image'
import { sessionDetails } from './reading/session-details'
import { libraryRoots } from './roots'

let world: SizeWorld
beforeEach(() => {
  world = sizeWorld()
})
afterEach(() => world.dispose())

const time = '2026-01-02T03:04:06.000Z'
const entry = (id: string, parentId: string | null, more: object) =>
  ({ id, parentId, timestamp: time, ...more }) as const
const said = (id: string, parentId: string | null, role: string, content: object[], more: object = {}) =>
  journal({ type: 'message', ...entry(id, parentId, {}), message: { role, content, ...more } })
const text = (of: string) => ({ type: 'text', text: of })
const call = (id: string) => ({ type: 'toolCall', id, name: 'bash', arguments: { command: 'ls' } })
const found = async (query: string, changes: Parameters<SizeWorld['search']>[1] = {}) =>
  (await world.search(query, { mode: 'exact', allText: true, thinking: true, ...changes })).map(
    ({ matches }) => matches,
  )

/** A line in two halves around bytes that are written as they are: what is large is made once. */
function around(line: string, bytes: Uint8Array): Piece[] {
  const [before = '', after = ''] = line.split('@')
  return [before, bytes, after]
}

describe('large lines', () => {
  it('one of 64 MB is a row that is cut, and is held once while it is read', async () => {
    const output = Buffer.alloc(64 * MB, 'some words in a row. ')
    output.write('needle-at-the-end', output.length - 20)
    const file = world.write('one', [
      journal(HEADER, message('u', null, 'Print all of it.')),
      said('a', 'u', 'assistant', [call('c')]),
      ...around(said('r', 'a', 'toolResult', [text('@')], { toolCallId: 'c', toolName: 'bash' }), output),
      said('e', 'r', 'assistant', [text('Done.')], { stopReason: 'stop' }),
    ])
    const size = fs.statSync(file).size
    const summary = await world.counted(() => world.summary(file))
    expect(summary.value).toMatchObject({ messageCount: 4, damagedLines: 0, bytes: size, status: 'complete' })
    // Once the line, and once more to find its end.
    expect(summary.bytesRead).toBeLessThan(2.1 * size)
    expect(summary.held).toBeLessThan(3 * size)
    const opened = await world.counted(() => world.open(file))
    expect(opened.value).toMatchObject({ entries: 4, tipCount: 1, complete: false })
    expect(opened.held).toBeLessThan(1.5 * size)
    const newest = await world.counted(() => world.newest(file))
    expect(newest.value.rows.map(({ kind }) => kind)).toEqual(['agent'])
    // To know which rows the end has, whose call stands above.
    expect(newest.bytesRead).toBeLessThan(2.1 * size)
    const rows = await world.counted(() => world.rows(file))
    expect(rows.value.map(({ kind }) => kind)).toEqual(['prompt', 'tool', 'agent'])
    expect(rows.value[1]).toMatchObject({ state: 'ok', output: { cut: true, chars: 64 * MB } })
    expect(JSON.stringify(rows.value).length).toBeLessThan(2 * limits.previewChars)
    expect(rows.bytesRead).toBeLessThan(1.1 * size)
    expect(unwrap(world.reader.text(file, 2, 'output'))).toMatchObject({ cut: true })
    expect(await found('needle-at-the-end')).toEqual([1])
    expect(await found('needle-that-is-not-there')).toEqual([])
  })

  it('one over the limit is not held at all: it is told, looked at raw, and all else is shown', async () => {
    const hole = 3_000 * MB
    const file = world.write('sparse', [
      journal(HEADER, message('u', null, 'Before the hole.'), message('a', 'u', 'An answer.', 'assistant')),
      { hole },
      '\n',
      journal(message('v', 'a', 'Behind the hole.'), message('b', 'v', 'Still here.', 'assistant')),
    ])
    expect(fs.statSync(file).blocks * 512).toBeLessThan(MB)
    const opened = await world.counted(() => world.open(file))
    expect(opened.value).toMatchObject({ entries: 4, problems: ['1 line could not be read: 4.'] })
    expect(opened.value.summary).toMatchObject({
      messageCount: 4,
      damagedLines: 1,
      firstPrompt: 'Before the hole.',
    })
    expect(opened.largestRead).toBeLessThanOrEqual(limits.chunkBytes)
    expect(opened.held).toBeLessThan(32 * MB)
    // Its end is looked for up to the limit; then it is read on.
    expect(opened.bytesRead).toBeLessThan(hole + 1.1 * limits.lineBytes)
    expect(world.newest(file).rows.map(inShort)).toEqual([
      'prompt: Before the hole.',
      'agent: An answer.',
      'prompt: Behind the hole.',
      'agent: Still here.',
    ])
    const document = await world.complete(file)
    expect(document.damaged.map(({ line, reason, bytes }) => [line, reason, bytes])).toEqual([
      [4, 'too large (3000 MB)', hole],
    ])
    const raw = await world.counted(() => world.rawLine(file, 4))
    expect(raw.value).toEqual({ text: '\\x00'.repeat(limits.rawLineBytes), bytes: hole, cut: true })
    expect(raw.bytesRead).toBe(limits.rawLineBytes)
  })

  it('one over the limit that has no end yet stops neither search nor index', async () => {
    const file = world.write('unfinished', [
      journal(HEADER, message('u', null, 'Before the hole.')),
      { hole: limits.lineBytes + 40 * MB },
    ])
    const other = world.session('other', message('u', null, 'Another session with a hole.'))
    const summary = await world.counted(() => world.summary(file))
    expect(summary.value).toMatchObject({ entryCount: 1, damagedLines: 1, stub: null })
    expect(summary.held).toBeLessThan(32 * MB)
    const indexed = await world.counted(() => world.index())
    expect(indexed.value).toMatchObject({ indexed: 2, all: 2 })
    expect(indexed.held).toBeLessThan(64 * MB)
    const searched = await world.counted(() => world.search('hole', { mode: 'exact' }))
    expect(searched.value.map(one => one.file)).toEqual([other, file])
    expect(searched.held).toBeLessThan(64 * MB)
  })
})

describe('pictures', () => {
  it('8 lines of 10 MB in base64 are decoded when one is shown, held one at a time, and never searched', async () => {
    const picture = randomBytes(7.5 * MB)
    const data = Buffer.from(picture.toString('base64'))
    const lines = Array.from({ length: 8 }, (_, at) => {
      const image = { type: 'image', data: '@', mimeType: 'image/png' }
      return around(said(`p${at}`, at === 0 ? null : `p${at - 1}`, 'user', [text(`No ${at}`), image]), data)
    })
    const file = world.write('pictures', [journal(HEADER), ...lines.flat()])
    const size = fs.statSync(file).size
    const summary = await world.counted(() => world.summary(file))
    expect(summary.value).toMatchObject({ messageCount: 8, firstPrompt: 'No 0', damagedLines: 0 })
    expect(summary.held).toBeLessThan(60 * MB)
    const opened = await world.counted(() => world.open(file))
    // Once, and of the pictures only the first and the last.
    expect(opened.bytesRead).toBeLessThan(size + 50 * MB)
    const newest = await world.counted(() => world.newest(file))
    expect(newest.value.rows, 'each is a page of its own').toHaveLength(1)
    expect(newest.bytesRead).toBeLessThan(10.1 * MB)
    const rows = await world.counted(() => world.rows(file))
    expect(rows.value).toHaveLength(8)
    expect(rows.value[7]).toEqual(newest.value.rows[0])
    expect(rows.value[7]).toMatchObject({
      text: { text: 'No 7' },
      images: [{ url: 'grove-data://inline/s/7/0', bytes: 7.5 * MB, problem: null }],
    })
    expect(JSON.stringify(rows.value).length).toBeLessThan(20_000)
    expect(rows.bytesRead).toBeLessThan(1.01 * size)
    expect(rows.held).toBeLessThan(60 * MB)
    const document = unwrap(world.reader.document(file))
    const shown = await world.counted(() => unwrap(inlineImage(document, 5, 0)))
    expect(Buffer.compare(shown.value, picture)).toBe(0)
    expect(shown.bytesRead).toBeLessThan(10.1 * MB)
    const inside = String(data.subarray(5 * MB, 5 * MB + 24))
    const searched = await world.counted(() => found(inside))
    expect(searched.value).toEqual([])
    expect(searched.held).toBeLessThan(80 * MB)
    const indexed = await world.counted(() => world.index())
    expect([indexed.value.indexed, indexed.held < 80 * MB]).toEqual([1, true])
    expect(await world.search('7')).toMatchObject([{ matches: 1 }])
    expect(await world.search(inside.slice(0, 8))).toEqual([])
  })

  it('the same one twice is one in the store and one in the grid, and stands at both places', async () => {
    const picture = Buffer.from('89504e470d0a1a0a', 'hex')
    const hash = createHash('sha256').update(picture).digest('hex')
    world.env.put(`.omp/agent/blobs/${hash}`, picture)
    const image = (data: string) => ({ type: 'image', data, mimeType: 'image/png' })
    const inline = picture.toString('base64')
    const file = world.write('twice', [
      journal(HEADER),
      said('a', null, 'user', [text('One'), image(`blob:sha256:${hash}`), image(inline)]),
      said('b', 'a', 'user', [text('Two'), image(`blob:sha256:${hash}`), image(inline)]),
    ])
    await world.open(file)
    const stored = `grove-data://blob/b/${hash}`
    expect(
      world.newest(file).rows.map(row => (row.kind === 'prompt' ? row.images.map(({ url }) => url) : [])),
    ).toEqual([
      [stored, 'grove-data://inline/s/0/1'],
      [stored, 'grove-data://inline/s/1/1'],
    ])
    const document = await world.complete(file)
    expect(sessionDetails(world.env, document, world.blobs).blobs).toEqual({ referenced: 1, missing: 0 })
    expect(unwrap(artifactsView(world.env, document, world.blobs, 'b')).blobs).toMatchObject([
      { hash, url: stored, bytes: picture.length, missing: false, ordinal: 0, uses: 2 },
    ])
  })
})

it('20 compactions of 5 MB are dividers with the start of each, and one of them is held at a time', async () => {
  const summary = Buffer.alloc(5 * MB, 'What was done before, in many words. ')
  const lines = Array.from({ length: 20 }, (_, at) => {
    const more = { shortSummary: `Part ${at}`, summary: `@ and marker${at}x`, tokensBefore: 9 }
    const head = entry(`c${at}`, at === 0 ? 'u' : `c${at - 1}`, { firstKeptEntryId: 'u', ...more })
    return around(journal({ type: 'compaction', ...head }), summary)
  })
  const file = world.write('compacted', [
    journal(HEADER, message('u', null, 'Go on and on.')),
    ...lines.flat(),
  ])
  const size = fs.statSync(file).size
  const read = await world.counted(() => world.summary(file))
  expect(read.value).toMatchObject({ entryCount: 21, messageCount: 1, firstPrompt: 'Go on and on.' })
  expect(read.held).toBeLessThan(60 * MB)
  await world.open(file)
  expect((await world.counted(() => world.newest(file))).bytesRead).toBeLessThan(8 * MB)
  const rows = await world.counted(() => world.rows(file))
  expect(kindsOf(rows.value)).toEqual({ prompt: 1, divider: 20 })
  expect(rows.value[20]).toMatchObject({ what: 'compaction', body: { cut: true } })
  expect(rows.bytesRead).toBeLessThan(1.01 * size)
  expect(rows.held).toBeLessThan(60 * MB)
  expect(await found('marker13x')).toEqual([1])
})

it('300 messages among 250,000 other entries are all that is shown, also where the last 500 are none', async () => {
  const every = 833
  let last: string | null = null
  let lines = journal(HEADER)
  for (let at = 0; at < 250_300; at++) {
    const id = `e${at.toString(36)}`
    const isMessage = at % every === 0 && at / every < 300
    lines += isMessage
      ? said(id, last, at % 2 === 0 ? 'user' : 'assistant', [text(`Message ${at / every}`)])
      : journal({ type: 'custom', customType: 'x', data: { at }, ...entry(id, last, {}) })
    last = id
  }
  const file = world.write('customs', [lines])
  const size = fs.statSync(file).size
  lines = ''
  const summary = await world.counted(() => world.summary(file))
  expect(summary.value).toMatchObject({ entryCount: 250_300, messageCount: 300, firstPrompt: 'Message 0' })
  // Once, and a little of both ends to know it again.
  expect(summary.bytesRead).toBeLessThan(size + 10_000)
  const opened = await world.counted(() => world.open(file))
  expect(opened.value).toMatchObject({ entries: 250_300, openTip: 250_299, tipCount: 1 })
  expect(opened.bytesRead).toBeLessThan(size + 100_000)
  const newest = await world.counted(() => world.newest(file))
  expect(newest.value.rows.at(-1)).toMatchObject({ ordinal: 299 * every, text: { text: 'Message 299' } })
  expect(newest.value.rows).toHaveLength(60)
  expect(newest.bytesRead).toBeLessThan(100_000)
  const whole = await world.counted(() => world.page(file, 0))
  expect(whole.value).toMatchObject({ total: 300, from: 0 })
  expect(whole.bytesRead).toBeLessThan(200_000)
  // In the graph, what is hidden is one edge between two that are not.
  const { parents, kinds, count } = unwrap(world.reader.tree(file))
  const input = { parents, kinds, labelled: new Uint8Array(count), active: opened.value.openTip }
  const options = { order: 'newest', unfoldAll: true, unfolded: new Set<number>() } as const
  expect(layoutGraph(input, { ...options, mode: 'default' }).count).toBe(300)
})

it('results whose calls lie far above are told at their calls, and what was said last is shown first', async () => {
  const calls = Array.from({ length: 400 }, (_, at) => call(`t${at}`))
  const between = Array.from({ length: 900 }, (_, at) =>
    journal(message(`m${at}`, at === 0 ? 'a' : `m${at - 1}`, `Prompt ${at} ${'x'.repeat(10_000)}`)),
  )
  const results = calls.map(({ id }, at) => {
    const parent = at === 0 ? 'm899' : `r${at - 1}`
    return said(`r${at}`, parent, 'toolResult', [text('y'.repeat(8_000))], { toolCallId: id })
  })
  const file = world.write('tail', [
    journal(HEADER, message('u', null, 'Begin.')),
    said('a', 'u', 'assistant', calls),
    ...between,
    ...results,
  ])
  const size = fs.statSync(file).size
  await world.open(file)
  const newest = await world.counted(() => world.newest(file))
  expect(kindsOf(newest.value.rows)).toEqual({ prompt: 60 })
  expect(newest.value.rows.at(-1)?.entryId).toBe('m899')
  expect(newest.bytesRead).toBeLessThan(2 * size)
  const whole = await world.page(file, 0, 500)
  expect(whole.total).toBe(1 + 400 + 900)
  expect(kindsOf(whole.rows)).toEqual({ prompt: 100, tool: 400 })
  expect(whole.rows.every(row => row.kind !== 'tool' || row.state === 'ok')).toBe(true)
})

it('megabytes of broken lines are counted, the first thousand listed, and each can be looked at', async () => {
  const torn = '{"type":"message","id":"5e1f00aa","parentId":"5e1f00a9","timestamp":"2026-01-02T03:04:0\n'
  const count = Math.round((4 * MB) / torn.length)
  // One line in more pieces than a call takes arguments, each behind a whole record.
  const glued = Array.from({ length: 150_000 }, (_, at) =>
    journal({ type: 'custom', ...entry(`g${at}`, at === 0 ? 'a' : `g${at - 1}`, {}) }).replace('\n', 'x'),
  )
  const file = world.write('broken', [
    journal(HEADER, message('u', null, 'Before.'), message('a', 'u', 'An answer.', 'assistant')),
    Buffer.alloc(count * torn.length, torn),
    `${glued.join('')}\n`,
    journal(message('v', 'g149999', 'Behind all that.')),
  ])
  const size = fs.statSync(file).size
  const summary = await world.counted(() => world.summary(file))
  expect(summary.value).toMatchObject({ damagedLines: count + 1, messageCount: 3, entryCount: 150_003 })
  expect(summary.bytesRead).toBeLessThan(2.1 * size)
  const opened = await world.open(file)
  expect(opened.problems.join()).toContain(`${count + 1} lines could not be read`)
  expect(JSON.stringify(opened).length).toBeLessThan(10_000)
  expect(world.newest(file).rows.map(inShort)).toEqual([
    'prompt: Before.',
    'agent: An answer.',
    'prompt: Behind all that.',
  ])
  const document = await world.complete(file)
  const { damaged } = sessionDetails(world.env, document, world.blobs)
  expect([damaged.length, damaged[0]?.reason]).toEqual([limits.damagedShown, 'broken JSON'])
  expect(world.rawLine(file, count).text).toBe(torn.trimEnd())
  expect(world.rawLine(file, 4 + count)).toMatchObject({
    cut: true,
    bytes: glued.join('').length - (glued[0]?.length ?? 0) + 1,
  })
  expect(await found('Behind all')).toEqual([1])
})

it('thousands of sessions with artifact directories are read by their ends, one open at a time, until it is stopped', async () => {
  const sessions = 1_500
  const filler = { type: 'custom', customType: 'x', data: 'x'.repeat(20_000) }
  const said = { role: 'assistant', content: [text('An answer.')], model: 'm', stopReason: 'stop' }
  const answer = { type: 'message', ...entry('a', 'f', {}), message: said }
  for (let at = 0; at < sessions; at++) {
    const records = [message('u', null, `Prompt ${at}`), { ...filler, ...entry('f', 'u', {}) }]
    world.session(`s${at}`, ...records, answer)
    world.env.put(path.relative(world.env.home, `${world.fileOf(`s${at}`).slice(0, -6)}/0.bash.log`), 'out')
  }
  const roots = libraryRoots(world.env, [], null)
  const scan = new LibraryScan(world.env)
  const name = scan.recall(roots)
  const stopping = { breathe: () => Promise.reject(new Error('Cancelled.')), progress: () => undefined }
  const look = await world.counted(() => scan.look(roots, name, silentWork))
  expect(look).toMatchObject({ opened: 0, bytesRead: 0, open: 0 })
  const stopped = await world.counted(() =>
    scan.rows(name, false, stopping).then(
      () => 'went on',
      () => 'stopped',
    ),
  )
  // It can be stopped after each sixteen of them.
  expect(stopped).toMatchObject({ value: 'stopped', opened: 16, open: 0 })
  const first = await world.counted(async () => {
    for (let rows = 0; ; ) {
      const got = unwrap(await scan.rows(name, false, silentWork))
      rows += got.rows.length
      if (!got.more) return { rows, uncounted: got.uncounted }
    }
  })
  expect(first).toMatchObject({ value: { rows: sessions, uncounted: sessions }, open: 0 })
  expect(first.bytesRead).toBeLessThanOrEqual(sessions * (limits.quickHeadBytes + limits.quickTailBytes))
  expect(first.held).toBeLessThan(60 * MB)
})
