/** Parts of a session as text: what an entry, a turn and a path become, in Markdown and plain. */
import type { CopySpan } from '@shared/ipc/models/manage-models'
import type { JsonObject } from '@shared/session/json'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BlobStore } from '../../engine/blobs/blob-store'
import { silentWork } from '../../engine/environment'
import { nodeEnvironment } from '../../engine/node-environment'
import { SessionDocument } from '../../engine/session/session-document'
import { HEADER, journal, message } from '../../engine/storage/journal.test-support'
import { MemorySessionStorage } from '../../engine/storage/memory-session-storage'
import { copyPath } from './copy-path'
import { PathView, treeShape } from './path-view'

const NOW = Date.parse('2026-02-01T00:00:00.000Z')
const images = { blobs: new BlobStore(nodeEnvironment().fs, '/nowhere'), blobRoot: 'b', session: 's' }

function open(...records: JsonObject[]) {
  return openText(journal(HEADER, ...records))
}

function openText(text: string) {
  const storage = new MemorySessionStorage('/s.jsonl', Buffer.from(text))
  const document = SessionDocument.open(storage, () => NOW)
  if (!document.ok) throw new Error(document.error.message)
  const view = PathView.open(document.value, treeShape(document.value), document.value.index.leaf, NOW)
  if (!view.ok) throw new Error(view.error.message)
  return async (span: CopySpan, as: 'markdown' | 'text' = 'markdown', maxChars = 1_000_000) => {
    const copied = await copyPath(document.value, view.value, { span, as, maxChars }, images, silentWork)
    if (!copied.ok) throw new Error(copied.error.message)
    return copied.value
  }
}

const TIME = '2026-01-02T10:41:07.000Z'
const at = (id: string, parentId: string | null, said: object) => ({
  ...message(id, parentId),
  timestamp: TIME,
  message: said,
})
const prompt = (id: string, parentId: string | null, content: unknown) =>
  at(id, parentId, { role: 'user', content })
const agent = (id: string, parentId: string | null, ...content: object[]) =>
  at(id, parentId, { role: 'assistant', model: 'm-1', content })
const text = (value: string) => ({ type: 'text', text: value })
const bash = (id: string, command: string) => ({
  type: 'toolCall',
  id,
  name: 'bash',
  arguments: { command },
})
const result = (id: string, parentId: string | null, toolCallId: string, output: string, more: object = {}) =>
  at(id, parentId, { role: 'toolResult', toolCallId, toolName: 'bash', content: [text(output)], ...more })

const WHOLE: CopySpan = { kind: 'path' }

describe('a path as Markdown', () => {
  it('has a heading for each speaker, calls with command and output, and no thinking', async () => {
    const copy = open(
      prompt('a', null, 'Why does it *fail*?'),
      agent('b', 'a', { type: 'thinking', thinking: 'Hm.' }, text('Let me look.'), bash('x', 'npm test\nls')),
      result('c', 'b', 'x', 'FAIL\nexited with 1', { isError: true }),
      agent('d', 'c', text('It is the clock.')),
      prompt('e', 'd', 'Thanks.'),
    )
    expect((await copy(WHOLE)).text).toBe(
      [
        '## You, 2026-01-02 10:41 UTC',
        'Why does it *fail*?',
        '## Agent (m-1), 2026-01-02 10:41 UTC',
        'Let me look.',
        '**bash** (exit 1)',
        '```sh\nnpm test\nls\n```',
        '```\nFAIL\nexited with 1\n```',
        'It is the clock.',
        '## You, 2026-01-02 10:41 UTC',
        'Thanks.\n',
      ].join('\n\n'),
    )
  })

  it('shows an edit as a diff, the whole of it, and not what the tool said about it', async () => {
    const diff = Array.from({ length: 900 }, (_, n) => `+${n} line ${n}`).join('\n')
    const copy = open(
      agent('a', null, {
        type: 'toolCall',
        id: 'x',
        name: 'edit',
        arguments: { path: 'src/a.ts', text: 'long' },
      }),
      result('b', 'a', 'x', 'Edited.', { details: { diff } }),
    )
    const copied = (await copy(WHOLE)).text
    expect(copied).toContain('**edit** `src/a.ts` (900 lines added)\n\n```diff\n+line 0\n')
    expect(copied).toContain('+line 899\n```')
    expect(copied).not.toContain('Edited.')
  })

  it('puts long texts in whole, not as a row shows them', async () => {
    const long = 'word '.repeat(10_000).trim()
    const copied = await open(prompt('a', null, long))(WHOLE)
    expect(copied.text).toContain(long)
    expect(copied.cut).toBe(false)
  })

  it('has rules at compactions, and remarks for models, labels, pictures and what is unknown', async () => {
    const entry = (id: string, parentId: string, type: string, more: object) => ({
      type,
      id,
      parentId,
      timestamp: TIME,
      ...more,
    })
    const copy = open(
      prompt('a', null, [
        text('See:'),
        { type: 'image', mimeType: 'image/png', data: 'AAAABBBB' },
        { type: 'image', mimeType: 'image/png', data: `blob:sha256:${'0'.repeat(64)}` },
      ]),
      entry('b', 'a', 'compaction', { summary: 'We **looked**.', tokensBefore: 9000 }),
      entry('c', 'b', 'model_change', { model: 'p/m_2' }),
      entry('d', 'c', 'branch_summary', { summary: 'Left it.' }),
      entry('e', 'd', 'from_the_future', { what: '```' }),
      { ...entry('f', 'e', 'label', {}), targetId: 'a', label: 'start *here*' },
      at('g', 'e', { role: 'bashExecution', command: 'ls', output: 'a.ts', exitCode: 0 }),
    )
    const { text: copied } = await copy(WHOLE)
    expect(copied).toContain('*Label: start \\*here\\**')
    expect(copied).toContain('*Picture: image/png, 6 bytes*')
    expect(copied).toMatch(/\*Picture: image\/png, blob 0{12}… is missing\*/)
    expect(copied).toContain('---\n\n*Compacted, 9k tokens before*\n\nWe **looked**.\n\n---')
    expect(copied).toContain('*Model p/m\\_2*')
    expect(copied).toContain('---\n\n*Summary of the branch that was left*\n\nLeft it.\n\n---')
    expect(copied).toContain('*Unknown entry type from\\_the\\_future*\n\n````json\n{')
    expect(copied).toContain('**You ran** (exit 0)\n\n```sh\nls\n```\n\n```\na.ts\n```')
  })

  it('begins with the title and ends with how many lines could not be read', async () => {
    const header = { ...HEADER, title: 'A # title' }
    const torn = `${journal(header, prompt('a', null, 'One.'))}{"type":"message","id":\n${journal(prompt('b', 'a', 'Two.'))}`
    const { text: copied } = await openText(torn)(WHOLE)
    expect(copied.startsWith('# A \\# title\n\n## You')).toBe(true)
    expect(copied.endsWith('*1 line of the file could not be read and are not here.*\n')).toBe(true)
  })
})

describe('a span', () => {
  const copy = open(
    prompt('a', null, 'First.'),
    agent('b', 'a', { type: 'thinking', thinking: 'Hm.\n\nHm.' }, text('One.'), bash('x', 'ls')),
    result('c', 'b', 'x', 'out'),
    { type: 'label', id: 'l', parentId: 'c', timestamp: TIME, targetId: 'a', label: 'start' },
    prompt('d', 'l', 'Second.'),
    agent('e', 'd', text('Two.')),
  )

  it('of a turn is the prompt with all that answers it, wherever in it one asks', async () => {
    const first = (await copy({ kind: 'turn', ordinal: 0 })).text
    expect(first).toContain('First.')
    expect(first).toContain('```\nout\n```\n')
    expect(first).not.toContain('Second.')
    for (const ordinal of [1, 2]) expect((await copy({ kind: 'turn', ordinal })).text).toBe(first)
    const second = (await copy({ kind: 'turn', ordinal: 5 })).text
    expect(second).toContain('Second.')
    expect(second).toContain('Two.')
    expect(second).not.toContain('One.')
  })

  it('of an entry has all of its blocks, its thinking as a quotation', async () => {
    const { text: copied } = await copy({ kind: 'entry', ordinal: 1 })
    expect(copied).toBe(
      [
        '## Agent (m-1), 2026-01-02 10:41 UTC',
        '> *Thinking*\n>\n> Hm.\n>\n> Hm.',
        'One.',
        '**bash** `ls`',
        '```\nout\n```\n',
      ].join('\n\n'),
    )
  })

  it('of a result is its call, of a label its line', async () => {
    expect((await copy({ kind: 'entry', ordinal: 2 })).text).toContain('**bash** `ls`\n\n```\nout\n```')
    expect((await copy({ kind: 'entry', ordinal: 3 })).text).toBe('*Label: start*\n')
  })

  it('of a block is that block alone', async () => {
    expect((await copy({ kind: 'block', key: '1.1.agent' })).text).toBe('One.\n')
    expect((await copy({ kind: 'block', key: '1.2.tool' }, 'text')).text).toBe('bash ls\n\nout\n')
    await expect(copy({ kind: 'block', key: '9.9.agent' })).rejects.toThrow('changed meanwhile')
  })

  it('as text has no marks', async () => {
    expect((await copy({ kind: 'turn', ordinal: 0 }, 'text')).text).toBe(
      [
        'You, 2026-01-02 10:41 UTC',
        '[Label: start]',
        'First.',
        'Agent (m-1), 2026-01-02 10:41 UTC',
        'One.',
        'bash ls',
        'out\n',
      ].join('\n\n'),
    )
  })
})

describe('hostile text', () => {
  it('loses its terminal escapes', async () => {
    const output =
      '\u001b[31mred\u001b[0m \u001b]8;;https://x\u0007link\u001b]8;;\u0007\u001b]0;torn\nnext\r\n\u0000\u009b1mend\u0007'
    const copy = open(agent('a', null, bash('x', 'ls')), result('b', 'a', 'x', output))
    expect((await copy(WHOLE, 'text')).text).toContain('\n\nred link0;torn\nnext\nend\n')
  })

  it('is cut where there is too much of it, inside its fence', async () => {
    const copy = open(
      agent('a', null, bash('x', 'ls')),
      result('b', 'a', 'x', 'é'.repeat(50_000)),
      prompt('c', 'b', 'Never.'),
    )
    const copied = await copy(WHOLE, 'markdown', 1000)
    expect(copied.cut).toBe(true)
    expect(copied.text.length).toBeLessThan(1500)
    expect(copied.text).toMatch(/é\n```\n\n\*Cut here: longer than 1,000 characters\.\*\n$/)
    expect(copied.text).not.toContain('Never.')
  })

  it('never makes the whole more than three times as long as the texts that are taken', async () => {
    const line = fc.constantFrom('', '`', '```', '\n', 'a', '\u001b[1m', '<b', '😀', '\ud800')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(line, { maxLength: 60 }), { maxLength: 12 }), async texts => {
        const records = texts.map((parts, n) => prompt(`p${n}`, n === 0 ? null : `p${n - 1}`, parts.join('')))
        const copied = await open(...records)(WHOLE, 'markdown', 200)
        expect(copied.text.length).toBeLessThanOrEqual(3 * 200 + 200)
      }),
      { numRuns: 60 },
    )
  })
})
