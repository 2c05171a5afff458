/** Records as lines: what is left out, what is whole, and what is refused without an overflow. */
import { err, ok, type Result } from '@shared/ipc/result'
import type { JsonObject } from '@shared/session/json'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashOfBytes } from '../storage/verified-write'
import { prepareRecord } from './prepare-record'

const noStore = { put: () => err('internal', 'Nothing was to be stored.') }
const store = { put: (bytes: Uint8Array): Result<string> => ok(hashOfBytes(bytes)) }

/** What the line for a record says, after a look that it is one line and that the record is as it was. */
function said(record: JsonObject, into: Parameters<typeof prepareRecord>[1] = noStore): unknown {
  const before = structuredClone(record)
  const prepared = prepareRecord(record, into)
  if (!prepared.ok) throw new Error(prepared.error.message)
  expect(record).toEqual(before)
  const text = Buffer.from(prepared.value.line).toString('utf8')
  expect(text.indexOf('\n')).toBe(text.length - 1)
  const line: unknown = JSON.parse(text)
  expect(JSON.parse(JSON.stringify(prepared.value.record))).toEqual(line)
  return line
}

const entry = (more: JsonObject): JsonObject => ({ type: 'message', id: 'a', parentId: null, ...more })
const assistant = (content: unknown, items: unknown): JsonObject =>
  entry({
    message: { role: 'assistant', content, providerPayload: { type: 'openaiResponsesHistory', items } },
  })

describe('a line', () => {
  it('is the JSON of the record, keys in their order', () => {
    const record = entry({ message: { role: 'user', content: 'two\nlines, a \u2028 and 日本' }, 10: 1 })
    const prepared = prepareRecord(record, noStore)
    expect(prepared.ok && Buffer.from(prepared.value.line).toString()).toBe(`${JSON.stringify(record)}\n`)
    expect(prepared.ok && prepared.value.record).toBe(record)
  })

  it('says any JSON there is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), record => {
        expect(said(record)).toEqual(JSON.parse(JSON.stringify(record)))
      }),
    )
  })

  it('escapes half a character and writes a BigInt as text', () => {
    const prepared = prepareRecord({ half: 'a\ud800', big: 2n ** 70n, inside: [{ big: -1n }] }, noStore)
    expect(prepared.ok && Buffer.from(prepared.value.line).toString()).toBe(
      '{"half":"a\\ud800","big":"1180591620717411303424","inside":[{"big":"-1"}]}\n',
    )
    expect(prepared.ok && prepared.value.record).toMatchObject({ big: '1180591620717411303424' })
  })

  it('holds texts of any length whole, where omp would cut them', () => {
    const output = 'x'.repeat(600_000)
    expect(said(entry({ message: { role: 'toolResult', content: output } }))).toMatchObject({
      message: { content: output },
    })
  })

  it('refers to its pictures', () => {
    const data = Buffer.alloc(900, 1).toString('base64')
    const record = entry({
      message: { role: 'user', content: [{ type: 'image', data, mimeType: 'image/png' }] },
    })
    const reference = `blob:sha256:${hashOfBytes(Buffer.from(data, 'base64'))}`
    expect(said(record, store)).toMatchObject({ message: { content: [{ data: reference }] } })
    expect(prepareRecord(record, { put: () => err('no-space', 'full') })).toMatchObject({
      error: { code: 'no-space' },
    })
  })
})

describe('left out', () => {
  const item = (more: JsonObject) => ({ type: 'reasoning', ...more })
  const thinking = (signature: unknown) => ({
    type: 'thinking',
    thinking: 't',
    thinkingSignature: typeof signature === 'string' ? signature : JSON.stringify(signature),
  })
  const bare = { type: 'thinking', thinking: 't' }

  it.each<[string, JsonObject, unknown, unknown]>([
    [
      'with the same encrypted content',
      item({ encrypted_content: 'e', id: '1' }),
      item({ encrypted_content: 'e' }),
      bare,
    ],
    ['with the same id', item({ id: '1', encrypted_content: 'e' }), item({ id: '1' }), bare],
    [
      'with other encrypted content',
      item({ id: '1', encrypted_content: 'f' }),
      item({ id: '1', encrypted_content: 'e' }),
      null,
    ],
    ['with neither', item({}), item({}), null],
    ['that is no reasoning', { type: 'message', id: '1' }, item({ id: '1' }), null],
    ['and a signature that is no JSON', item({ id: '1' }), 'opaque', null],
  ])('a signature that the payload repeats: item %s', (_what, carried, signature, expected) => {
    const block = thinking(signature)
    expect(said(assistant([block, 'odd', null], [carried]))).toEqual(
      assistant([expected ?? block, 'odd', null], [carried]),
    )
  })

  it('no signature without such a payload', () => {
    const block = thinking(item({ id: '1' }))
    const record = entry({
      message: { role: 'assistant', content: [block], providerPayload: { items: [item({ id: '1' })] } },
    })
    expect(said(record)).toEqual(record)
    expect(said(assistant('text', [item({ id: '1' })]))).toEqual(assistant('text', [item({ id: '1' })]))
  })

  const result = (details: JsonObject) => entry({ message: { role: 'toolResult', details } })
  const copied = {
    serverName: 's',
    mcpToolName: 't',
    structuredContent: { a: 1 },
    meta: { truncation: { artifactId: '3' } },
  }

  it('structured content of which an artifact holds the text, and no other', () => {
    const { structuredContent: _content, ...rest } = copied
    expect(said(result(copied))).toEqual(result(rest))
    for (const change of [
      { serverName: undefined },
      { mcpToolName: '' },
      { meta: { truncation: { artifactId: '' } } },
      { meta: {} },
    ]) {
      expect(said(result({ ...copied, ...change }))).toMatchObject({
        message: { details: { structuredContent: { a: 1 } } },
      })
    }
  })

  it('raw events, at any depth, and the lines of a changed object are counted', () => {
    const record = entry({
      message: {
        role: 'toolResult',
        details: { runs: [{ content: 'a\nb\n', lineCount: 7, jsonlEvents: [1] }] },
      },
    })
    expect(said(record)).toEqual(
      entry({ message: { role: 'toolResult', details: { runs: [{ content: 'a\nb\n', lineCount: 3 }] } } }),
    )
    const file = entry({ message: { role: 'fileMention', files: [{ content: 'a\nb\n', lineCount: 7 }] } })
    expect(said(file)).toEqual(file)
  })

  it('the label of a queued message, of such an entry alone', () => {
    const details = { __queueChipText: 'later', kept: 1 }
    expect(said({ type: 'custom_message', details })).toEqual({
      type: 'custom_message',
      details: { kept: 1 },
    })
    expect(said({ type: 'custom', details })).toEqual({ type: 'custom', details })
  })

  it('nothing in a sealed block', () => {
    const block = { type: 'toolCall', thoughtSignature: 's', arguments: { jsonlEvents: [1] } }
    const record = entry({ message: { role: 'assistant', content: [block] } })
    expect(said(record)).toEqual(record)
  })
})

describe('refused', () => {
  const nested = (levels: number, seal: JsonObject = {}): JsonObject => {
    let deep: JsonObject = {}
    for (let level = 0; level < levels; level++) deep = { deep }
    return entry({ message: { ...seal, deep } })
  }

  it.each([2_000, 10_000, 100_000])('a record of %d levels', levels => {
    expect(prepareRecord(nested(levels), noStore)).toMatchObject({ error: { code: 'invalid-argument' } })
    let list: unknown = []
    for (let level = 0; level < levels; level++) list = [list]
    expect(prepareRecord({ list }, noStore)).toMatchObject({ error: { code: 'invalid-argument' } })
  })

  it('a sealed block of more levels than JSON can be made of', () => {
    const sealed = nested(1_000_000, { type: 'anthropicCompaction' })
    expect(prepareRecord(sealed, noStore)).toMatchObject({ error: { code: 'invalid-argument' } })
  })

  it('a circle, and a value that throws or is no object', () => {
    const circle: JsonObject = {}
    circle.self = circle
    const throws = {
      toJSON: () => {
        throw new Error('no')
      },
    }
    for (const record of [circle, { throws }, { toJSON: () => undefined }, { toJSON: () => 1 }])
      expect(prepareRecord(record, noStore)).toMatchObject({ error: { code: 'invalid-argument' } })
  })

  it('a line that is longer than one that is read', () => {
    const record = { text: 'ä'.repeat(20) }
    // 51 bytes and the line feed.
    expect(prepareRecord(record, noStore, 51)).toMatchObject({ error: { code: 'too-large' } })
    expect(prepareRecord(record, noStore, 52)).toMatchObject({ value: { line: { length: 52 } } })
    // As the runtime answers for a text beyond its longest string; making one takes seconds.
    const longer = {
      toJSON: () => {
        throw new RangeError('Invalid string length')
      },
    }
    expect(prepareRecord({ longer }, noStore)).toMatchObject({ error: { code: 'too-large' } })
  })
})
