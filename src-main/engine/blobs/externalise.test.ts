/** Pictures leave a record for the blob store and come back exactly, at every position and at no other. */
import { err, ok, type Result } from '@shared/ipc/result'
import type { JsonObject } from '@shared/session/json'
import { RECORD_DEPTH } from '@shared/session/map-record'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashOfBytes } from '../storage/verified-write'
import { externaliseImages } from './externalise'
import { resolveBlobs } from './resolve-blobs'

/** A blob store in memory, which notes the extensions it is asked for. */
function memoryBlobs() {
  const blobs = new Map<string, Uint8Array>()
  const extensions: unknown[] = []
  return {
    blobs,
    extensions,
    put: (bytes: Uint8Array, { extension }: { extension?: string | null }): Result<string> => {
      const hash = hashOfBytes(bytes)
      blobs.set(hash, bytes)
      extensions.push(extension)
      return ok(hash)
    },
    get: (hash: string): Result<Uint8Array> => {
      const bytes = blobs.get(hash)
      return bytes === undefined ? err('not-found', `Blob ${hash} is missing.`) : ok(bytes)
    },
  }
}

const base64 = (chars: number) => Buffer.alloc((chars / 4) * 3, 7).toString('base64')
const LARGE = base64(1024)
const SMALL = base64(1020)
const URL_TEXT = 'data:image/png;base64,AAAA'
const block = (data: string, more: JsonObject = {}) => ({
  type: 'image',
  data,
  mimeType: 'image/png',
  ...more,
})
const message = (content: unknown): JsonObject => ({ type: 'message', message: { role: 'user', content } })

/** The references in the record that is written, after a look that everything comes back. */
function stored(record: JsonObject): { line: string; references: number; extensions: unknown[] } {
  const before = JSON.stringify(record)
  const store = memoryBlobs()
  const written = externaliseImages(record, store.put)
  if (!written.ok) throw new Error(written.error.message)
  expect(JSON.stringify(record)).toBe(before)
  const line = JSON.stringify(written.value)
  const back = resolveBlobs(JSON.parse(line), store.get)
  expect(back.unresolved).toEqual([])
  // Frames stay references; all else is as it was.
  if (!line.includes('"frames"')) expect(back.record).toEqual(record)
  return { line, references: line.split('blob:sha256:').length - 1, extensions: store.extensions }
}

describe('positions', () => {
  it.each<[string, JsonObject, number]>([
    ['a picture in content', message([{ type: 'text', text: 'see' }, block(LARGE)]), 1],
    ['content that is one picture', message(block(LARGE)), 1],
    ['pictures in nested arrays', message([[block(LARGE)], block(LARGE)]), 2],
    ['a picture that is no block, in content', message([{ data: LARGE, mimeType: 'image/png' }]), 0],
    ['a picture under images', { details: { images: [{ data: LARGE, mimeType: 'IMAGE/PNG' }] } }, 1],
    ['a picture under frames', { preserveData: { snapcompact: { frames: [block(LARGE)] } } }, 1],
    ['data of another type under images', { images: [{ data: LARGE, mimeType: 'text/plain' }] }, 0],
    ['a picture under another key', { attachment: block(LARGE) }, 0],
    ['a small picture', message([block(SMALL)]), 0],
    ['a generated picture', { items: [{ type: 'image_generation_call', result: LARGE }] }, 1],
    ['a small generated picture', { type: 'image_generation_call', result: SMALL }, 0],
    ['a data URL', { items: [{ type: 'input_image', image_url: URL_TEXT }] }, 1],
    ['data URLs in a list', { image_url: [URL_TEXT, 'https://example.org/x.png'] }, 1],
    ['a data URL under another key', { url: URL_TEXT }, 0],
    ['a text that is no picture', { image_url: 'data:text/plain;base64,AAAA' }, 0],
    ['a reference', message([block(`blob:sha256:${'0'.repeat(63)}`)]), 1],
  ])('%s', (_what, record, references) => expect(stored(record).references).toBe(references))

  it('change the text alone, and ask for the extension of the type', () => {
    const { line, extensions } = stored(
      message([block(LARGE, { mimeType: 'image/jpeg', detail: 'high', '__proto__-like': 1 })]),
    )
    const reference = `blob:sha256:${hashOfBytes(Buffer.from(LARGE, 'base64'))}`
    const written = {
      type: 'image',
      data: reference,
      mimeType: 'image/jpeg',
      detail: 'high',
      '__proto__-like': 1,
    }
    expect(JSON.parse(line)).toEqual(message([written]))
    expect(extensions).toEqual(['jpg'])
    expect(stored({ type: 'image_generation_call', result: LARGE }).extensions).toEqual([null])
  })

  it('keep a key that is called __proto__', () => {
    const record: JsonObject = JSON.parse(`{"__proto__":{"content":[${JSON.stringify(block(LARGE))}]}}`)
    expect(stored(record).references).toBe(1)
  })

  it('count the lines of a content beside which something changed', () => {
    const store = memoryBlobs()
    const written = externaliseImages({ content: 'a\nb', lineCount: 9, images: [block(LARGE)] }, store.put)
    expect(written).toMatchObject({ value: { lineCount: 2 } })
    const same = { content: 'a\nb', lineCount: 9 }
    expect(externaliseImages(same, store.put)).toEqual(ok(same))
  })
})

describe('what must come back exactly', () => {
  it.each([
    ['line breaks', `${LARGE.slice(0, 76)}\n${LARGE.slice(76)}`],
    ['a blank at the end', `${LARGE} `],
    ['no padding', Buffer.alloc(1000, 7).toString('base64').replace(/=+$/, '')],
    ['the alphabet of URLs', Buffer.alloc(999, 255).toString('base64url')],
    ['bits that no byte needs', `${Buffer.alloc(1000, 7).toString('base64').slice(0, -3)}x==`],
    ['no base64 at all', '*'.repeat(2000)],
  ])('stays in the record with %s', (_what, data) => {
    const record = message([block(data)])
    expect(stored(record).references).toBe(0)
    expect(stored({ type: 'image_generation_call', result: data }).references).toBe(0)
  })

  it('stays in the record when a data URL holds half a character', () => {
    const record = { image_url: `${URL_TEXT}\ud800` }
    expect(externaliseImages(record, memoryBlobs().put)).toEqual(ok(record))
  })

  it('whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 760, maxLength: 1600 }), bytes => {
        const data = Buffer.from(bytes).toString('base64')
        expect(stored(message([block(data)])).references).toBe(data.length >= 1024 ? 1 : 0)
      }),
    )
  })

  it('stays whole in sealed blocks', () => {
    for (const sealed of [
      { type: 'thinking', thinkingSignature: 's' },
      { type: 'text', textSignature: 's' },
      { type: 'toolCall', thoughtSignature: 's' },
      { type: 'redactedThinking', data: 's' },
      { type: 'reasoning', encrypted_content: 's' },
      { type: 'anthropicServerTool', block: { type: 'server_tool_use', name: 'web_search', id: 'x' } },
      {
        type: 'anthropicServerTool',
        block: { type: 'web_search_tool_result', tool_use_id: 'x', content: [] },
      },
      { type: 'anthropicCompaction' },
    ]) {
      const record = message([{ ...sealed, images: [block(LARGE)] }])
      expect(externaliseImages(record, memoryBlobs().put)).toEqual(ok(record))
    }
    for (const open of [
      { type: 'thinking', thinkingSignature: '' },
      { type: 'anthropicServerTool', block: { type: 'server_tool_use', name: 'other', id: 'x' } },
      { type: 'anthropicServerTool', block: { type: 'web_search_tool_result', tool_use_id: 'x' } },
    ])
      expect(stored(message([{ ...open, images: [block(LARGE)] }])).references).toBe(1)
    const slot = { anthropicCompaction: { content: 'summary', images: [block(LARGE)] } }
    expect(stored(slot).references).toBe(0)
  })
})

describe('failures', () => {
  it('are answered when a picture cannot be stored, and nothing more is asked', () => {
    let asked = 0
    const put = () => {
      asked++
      return err('no-space', 'The disk is full.')
    }
    expect(externaliseImages(message([block(LARGE), block(LARGE)]), put)).toMatchObject({
      error: { code: 'no-space' },
    })
    expect(asked).toBe(1)
  })

  it('are told of a blob, once each, and leave the reference', () => {
    const hashes = ['a', 'b', 'c', 'd'].map(digit => digit.repeat(64))
    const [missing = '', torn = '', locked = ''] = hashes
    const get = (hash: string): Result<Uint8Array> => {
      if (hash === missing) return err('not-found', 'missing')
      if (hash === torn) return err('damaged', 'torn')
      return err(hash === locked ? 'permission' : 'internal', 'unreadable')
    }
    const record = message([...hashes, missing].map(hash => block(`blob:sha256:${hash}`)))
    const resolved = resolveBlobs(record, get)
    expect(resolved.record).toEqual(record)
    expect(resolved.unresolved.map(({ hash, reason }) => [hash[0], reason])).toEqual([
      ['a', 'missing'],
      ['b', 'torn'],
      ['c', 'unreadable'],
      ['d', 'unreadable'],
    ])
  })

  it('never come of frames: those are not asked for', () => {
    const record = { preserveData: { frames: [block(`blob:sha256:${'a'.repeat(64)}`)] } }
    expect(resolveBlobs(record, () => err('internal', 'asked'))).toEqual({ record, unresolved: [] })
  })

  it('never come of depth', () => {
    let deep: JsonObject = message([block(LARGE)])
    for (let level = 0; level < 20_000; level++) deep = { deep }
    const store = memoryBlobs()
    expect(externaliseImages(deep, store.put)).toEqual({ ok: true, value: deep })
    expect(store.blobs.size).toBe(0)
    let near: JsonObject = message([block(LARGE)])
    for (let level = 0; level < RECORD_DEPTH - 4; level++) near = { near }
    expect(externaliseImages(near, store.put).ok).toBe(true)
    expect(store.blobs.size).toBe(1)
  })
})
