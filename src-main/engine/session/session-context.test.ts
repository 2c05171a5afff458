import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { JsonObject } from '@shared/session/json'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeEnvironment } from '../node-environment'
import { FileSessionStorage } from '../storage/file-session-storage'
import { HEADER, journal, message } from '../storage/journal.test-support'
import { sessionContext, sessionTranscript } from './session-context'
import { SessionDocument } from './session-document'

let folder: string
let file: string

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-context-'))
  file = path.join(folder, 'session.jsonl')
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

function opened(...records: (object | string)[]): SessionDocument {
  fs.writeFileSync(file, journal(...records))
  const env = nodeEnvironment()
  const document = SessionDocument.open(new FileSessionStorage(env, file), env.now)
  if (!document.ok) throw new Error(document.error.message)
  return document.value
}

const TREE = [
  HEADER,
  message('a', null),
  message('b', 'a', 'b', 'assistant'),
  message('c', 'b'),
  message('d', 'a'),
  { type: 'mode_change', id: 'e', parentId: 'd', mode: 'plan' },
]

/** Texts of the messages of a context or transcript. */
function textsOf(messages: readonly JsonObject[]): string {
  return messages.map(({ content }) => JSON.stringify(content)).join(' ')
}

function contextAt(document: SessionDocument, leaf?: string | null) {
  const context = sessionContext(document, leaf)
  if (!context.ok) throw new Error(context.error.message)
  return context.value
}

describe('sessionContext', () => {
  it('follows the path to the leaf that is asked for', () => {
    const document = opened(...TREE)
    expect(contextAt(document, 'c').messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(contextAt(document, 'c').mode).toBe('none')
    expect(contextAt(document, 'a').messages).toHaveLength(1)
  })

  it("means omp's leaf by no id and by one that is not there", () => {
    const document = opened(...TREE)
    expect(contextAt(document)).toMatchObject({ mode: 'plan', messages: { length: 2 } })
    expect(contextAt(document, 'gone')).toEqual(contextAt(document))
    expect(contextAt(document, '')).toEqual(contextAt(document))
  })

  it('is empty before the first entry, and of a session without entries', () => {
    expect(contextAt(opened(...TREE), null)).toMatchObject({ messages: [], mode: 'none', models: {} })
    expect(contextAt(opened(HEADER))).toMatchObject({ messages: [], thinkingLevel: 'off' })
  })

  it('reads old versions as version 3', () => {
    const { type, ...rest } = message('x', null)
    const old = { type, timestamp: rest.timestamp, message: { role: 'hookMessage', content: 'x' } }
    const compaction = { type: 'compaction', summary: 's', firstKeptEntryIndex: 2, tokensBefore: 1 }
    const document = opened({ ...HEADER, version: 1 }, old, old, compaction)
    expect(contextAt(document).messages.map(({ role }) => role)).toEqual(['compactionSummary', 'custom'])
  })

  it('leaves pictures as references, and a cycle after one turn', () => {
    const data = `blob:sha256:${'0'.repeat(64)}`
    const image = { role: 'user', content: [{ type: 'image', data, mimeType: 'image/png' }] }
    const document = opened(
      HEADER,
      { ...message('a', 'b'), message: image },
      { ...message('b', 'a'), message: image },
    )
    const { messages } = contextAt(document)
    expect(messages).toHaveLength(2)
    expect(textsOf(messages)).toContain(data)
  })

  it('is an error, not a mixture, when another file lies in the place of the session', () => {
    const document = opened(...TREE)
    fs.writeFileSync(path.join(folder, 'other'), 'x'.repeat(5_000))
    fs.renameSync(path.join(folder, 'other'), file)
    expect(sessionContext(document, undefined)).toMatchObject({
      ok: false,
      error: { code: 'changed-on-disk' },
    })
    expect(sessionTranscript(document, 'c', 'full')).toMatchObject({ ok: false })
  })
})

describe('sessionTranscript', () => {
  it('is what was said on the path, in both modes', () => {
    const document = opened(
      HEADER,
      message('a', null),
      { type: 'reset_boundary', id: 'b', parentId: 'a' },
      message('c', 'b'),
    )
    const texts = (mode: 'full' | 'collapsed') => {
      const transcript = sessionTranscript(document, undefined, mode)
      return transcript.ok ? textsOf(transcript.value) : transcript.error.message
    }
    expect(texts('full')).toBe('[{"type":"text","text":"a"}] [{"type":"text","text":"c"}]')
    expect(texts('collapsed')).toBe('[{"type":"text","text":"c"}]')
    expect(sessionTranscript(document, null, 'full')).toEqual({ ok: true, value: [] })
  })
})
