import type { JsonObject } from '@shared/session/json'
import { describe, expect, it } from 'vitest'
import { memoryByteSource } from '../storage/byte-source'
import { HEADER, journal, message, scanOf } from '../storage/journal.test-support'
import { MemorySessionStorage } from '../storage/memory-session-storage'
import { withoutCosts } from './fork-costs'
import { type ForkSpec, forkedJournal } from './fork-journal'
import { SessionDocument } from './session-document'

const NOW = Date.parse('2026-02-01T00:00:00.000Z')

function fork(text: string | Uint8Array, changes: Partial<ForkSpec> = {}): string {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  const document = SessionDocument.open(new MemorySessionStorage('/s/x.jsonl', bytes), () => NOW)
  if (!document.ok) throw new Error(document.error.message)
  let ids = 0
  const spec: ForkSpec = {
    id: 'new',
    now: NOW,
    cwd: '/w/fork',
    zeroCosts: false,
    abortDangling: false,
    freshId: isTaken => {
      for (;;) {
        const id = `f${ids++}`
        if (!isTaken(id)) return id
      }
    },
    ...changes,
  }
  return Buffer.concat([...forkedJournal(document.value, memoryByteSource(bytes), spec)]).toString('utf8')
}

const body = (text: string) => text.split('\n').slice(2).join('\n')

const usage = (cost: number) => ({
  input: 5,
  output: 6,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 11,
  premiumRequests: 2,
  credits: { cost: 1 },
  cost: { input: cost, output: 0, cacheRead: 0, cacheWrite: 0, total: cost },
})
const assistant = (id: string, parentId: string | null, content: object[] = []): JsonObject => ({
  type: 'message',
  id,
  parentId,
  timestamp: HEADER.timestamp,
  message: { role: 'assistant', content, provider: 'p', model: 'm', usage: usage(0.5) },
})
const call = (id: string) => ({ type: 'toolCall', id, name: 'bash', arguments: {} })
const result = (id: string, parentId: string, callId: string, toolName = 'bash'): JsonObject => ({
  type: 'message',
  id,
  parentId,
  timestamp: HEADER.timestamp,
  message: { role: 'toolResult', toolCallId: callId, toolName, content: [], details: { usage: usage(0.25) } },
})

describe('the journal of a fork', () => {
  it('has a header with the keys and the order of omp, and the body as it is', () => {
    const rest = `${journal(message('a', null), '{"damaged', message('b', 'nowhere'), 'null')}{"type":"message","id":"c","parentId":"b"}`
    const slot = { type: 'title', v: 1, title: 'T', source: 'auto', updatedAt: HEADER.timestamp, pad: '' }
    const header = { ...HEADER, additionalDirectories: ['/w/fork', '/w/lib'], parentSession: 'older' }
    const forked = fork(`${journal(slot, header)}${rest}`)
    expect(forked.split('\n')[1]).toBe(
      JSON.stringify({
        type: 'session',
        version: 3,
        id: 'new',
        title: 'T',
        titleSource: 'auto',
        timestamp: '2026-02-01T00:00:00.000Z',
        cwd: '/w/fork',
        additionalDirectories: ['/w/lib'],
        parentSession: 'sid',
        providerPromptCacheKey: 'sid',
      }),
    )
    expect(forked.split('\n')[0]).toHaveLength(255)
    expect(body(forked)).toBe(`${rest}\n`)
    const inherited = fork(journal({ ...HEADER, providerPromptCacheKey: 'key' }, message('a', null)))
    expect(JSON.parse(inherited.split('\n')[1] ?? '')).toMatchObject({
      parentSession: 'sid',
      providerPromptCacheKey: 'key',
    })
  })

  it('keeps bytes that are no text, and reads as the source does', () => {
    const bytes = Buffer.concat([
      Buffer.from(journal(HEADER, message('a', null))),
      Buffer.from([0xff, 0xfe, 10]),
    ])
    const document = SessionDocument.open(new MemorySessionStorage('/s/x.jsonl', bytes), () => NOW)
    if (!document.ok) throw new Error(document.error.message)
    const spec = {
      id: 'new',
      now: NOW,
      cwd: '/',
      zeroCosts: true,
      abortDangling: true,
      freshId: () => 'f',
    }
    const forked = Buffer.concat([...forkedJournal(document.value, memoryByteSource(bytes), spec)])
    expect(forked.subarray(-3)).toEqual(Buffer.from([0xff, 0xfe, 10]))
    const entries = (text: Uint8Array) => scanOf(text).records
    expect(entries(forked)).toEqual(entries(bytes))
  })

  it('is refused without a readable header and above version 3', () => {
    expect(() => fork(journal(message('a', null)))).toThrow(/header/)
    expect(() => fork(journal({ ...HEADER, version: 4 }))).toThrow(/version 4/)
  })
})

describe('inherited costs', () => {
  it('are nothing where they count, and nothing else changes', () => {
    const other = { type: 'custom', customType: 'x', data: { usage: usage(9) }, id: 'o', parentId: 'r' }
    const modelUsage = { type: 'model_usage', id: 'u', parentId: 'o', purpose: 'p', usage: usage(3) }
    const text = journal(
      HEADER,
      assistant('a', null, [call('1')]),
      result('r', 'a', '1', 'task'),
      other,
      modelUsage,
      result('s', 'u', '2', 'bash'),
      '{"usage":"damaged',
    )
    const lines = body(fork(text, { zeroCosts: true })).split('\n')
    const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }
    const { premiumRequests: _, credits: __, ...tokens } = { ...usage(0), cost: free }
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      ...assistant('a', null),
      message: { role: 'assistant', content: [call('1')], provider: 'p', model: 'm', usage: tokens },
    })
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ message: { details: { usage: tokens } } })
    expect(lines[2]).toBe(JSON.stringify(other))
    expect(JSON.parse(lines[3] ?? '')).toEqual({ ...modelUsage, usage: tokens })
    expect(lines[4]).toBe(JSON.stringify(result('s', 'u', '2', 'bash')))
    expect(lines[5]).toBe('{"usage":"damaged')
    expect(scanOf(fork(text, { zeroCosts: true })).scan.index.count).toBe(scanOf(text).scan.index.count)
  })

  it('are taken away however the bytes are cut, also on a line with something else', () => {
    const line = JSON.stringify(assistant('a', null, [{ type: 'text', text: 'é\u2028' }]))
    const text = Buffer.from(`${line}\n${line}{"type":"mess\nlast`)
    const whole = Buffer.concat([...withoutCosts([text])]).toString('utf8')
    expect(whole.match(/"total":0\}/g)).toHaveLength(2)
    expect(whole.endsWith('{"type":"mess\nlast')).toBe(true)
    for (const size of [1, 7, 64]) {
      const parts: Uint8Array[] = []
      for (let at = 0; at < text.length; at += size) parts.push(text.subarray(at, at + size))
      expect(Buffer.concat([...withoutCosts(parts)]).toString('utf8')).toBe(whole)
    }
  })
})

describe('calls that wait at the end of the active path', () => {
  it('get results that say aborted, chained behind the leaf', () => {
    const text = journal(
      HEADER,
      assistant('old', null, [call('never')]),
      assistant('side', 'old', [call('elsewhere')]),
      assistant('a', 'old', [call('1'), call('2'), call('3')]),
      result('r', 'a', '2'),
      { type: 'custom', customType: 'x', id: 'f0', parentId: 'r' },
    )
    const added = body(fork(text, { abortDangling: true }))
      .split('\n')
      .slice(5, -1)
      // A line of our own is an object.
      .map(line => JSON.parse(line) as JsonObject)
    expect(added).toMatchObject([
      { type: 'message', id: 'f1', parentId: 'f0', message: { role: 'toolResult', toolCallId: '1' } },
      {
        type: 'message',
        id: 'f2',
        parentId: 'f1',
        message: { toolCallId: '3', toolName: 'bash', isError: true },
      },
    ])
    expect(added[0]).toMatchObject({
      timestamp: '2026-02-01T00:00:00.000Z',
      message: {
        timestamp: NOW,
        details: { __synthetic: true, source: 'assistant_stop_aborted', executed: false },
      },
    })
  })

  it('are left alone when there are none, and unless it is wanted', () => {
    const done = journal(HEADER, assistant('a', null, [call('1')]), result('r', 'a', '1'))
    expect(fork(done, { abortDangling: true })).toBe(fork(done))
    const waiting = journal(HEADER, assistant('a', null, [call('1')]))
    expect(body(fork(waiting))).toBe(journal(assistant('a', null, [call('1')])))
    expect(fork(journal(HEADER), { abortDangling: true })).toBe(fork(journal(HEADER)))
  })
})
