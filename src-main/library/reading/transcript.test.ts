/** Rows of a path: calls joined with results, forks, labels, gaps, growth; and texts that are fetched whole. */
import type { ShownText, ToolRow, TranscriptRow } from '@shared/ipc/models/transcript-models'
import type { JsonObject } from '@shared/session/json'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BlobStore } from '../../engine/blobs/blob-store'
import { nodeEnvironment } from '../../engine/node-environment'
import { SessionDocument } from '../../engine/session/session-document'
import { HEADER, journal, message } from '../../engine/storage/journal.test-support'
import { MemorySessionStorage } from '../../engine/storage/memory-session-storage'
import { textAt } from './entry-text'
import { PathView, treeShape } from './path-view'
import { PlannedPaths } from './planned-paths'
import { parseDiff, toolOutcome, toolSummary } from './tool-facts'

const NOW = Date.parse('2026-02-01T00:00:00.000Z')
const { fs } = nodeEnvironment()
const images = { blobs: new BlobStore(fs, '/nowhere'), blobRoot: 'b', session: 's' }

const documentOf = (...records: JsonObject[]): SessionDocument => documentFrom(journal(HEADER, ...records))

function documentFrom(text: string): SessionDocument {
  const storage = new MemorySessionStorage('/s.jsonl', Buffer.from(text))
  const document = SessionDocument.open(storage, () => NOW)
  if (!document.ok) throw new Error(document.error.message)
  return document.value
}

function rowsOf(document: SessionDocument, tip: number | null = document.index.leaf): TranscriptRow[] {
  const view = PathView.open(document, treeShape(document), tip, NOW)
  const page = view.ok ? view.value.page(0, 10_000, images, name => `ref-${name}`) : view
  if (!page.ok) throw new Error(page.error.message)
  return page.value.rows
}

const says = (id: string, parentId: string | null, ...content: object[]) => ({
  ...message(id, parentId),
  message: { role: 'assistant', content },
})
const call = (id: string) => ({ type: 'toolCall', id, name: 'bash', arguments: { command: `echo ${id}` } })
const text = (value: string) => ({ type: 'text', text: value })
const result = (id: string, parentId: string | null, toolCallId: string | null, output = id) => ({
  ...message(id, parentId),
  message: { role: 'toolResult', toolCallId, toolName: 'bash', content: [text(output)] },
})
const tools = (rows: TranscriptRow[]) => rows.filter((row): row is ToolRow => row.kind === 'tool')
const outputs = (rows: TranscriptRow[]) => tools(rows).map(row => `${row.state} ${row.output?.text ?? '-'}`)

it('holds however many entries without a row lie before the next one', { timeout: 60_000 }, () => {
  const silent = Array.from({ length: 200_000 }, (_, at) =>
    journal({ type: 'custom', customType: 'x', id: `c${at}`, parentId: at === 0 ? null : `c${at - 1}` }),
  )
  const document = documentFrom([journal(HEADER), ...silent, journal(message('end', 'c199999'))].join(''))
  expect(rowsOf(document)).toHaveLength(1)
})

describe('a tool call', () => {
  it('is joined with its result, before or after it', () => {
    expect(outputs(rowsOf(documentOf(says('a', null, call('x')), result('r', 'a', 'x'))))).toEqual(['ok r'])
    expect(outputs(rowsOf(documentOf(result('r', null, 'x'), says('a', 'r', call('x')))))).toEqual(['ok r'])
  })

  it('shows the last of two results and counts the other', () => {
    const rows = rowsOf(documentOf(says('a', null, call('x')), result('r', 'a', 'x'), result('s', 'r', 'x')))
    expect(tools(rows)).toMatchObject([{ output: { text: 's' }, extraResults: 1, resultOrdinal: 2 }])
  })

  it('says when there is no result, and a result when there is no call', () => {
    expect(outputs(rowsOf(documentOf(says('a', null, call('x')))))).toEqual(['none -'])
    const orphan = rowsOf(
      documentOf(message('p', null), result('r', 'p', 'nobody'), says('a', 'r', text('on'))),
    )
    expect(orphan.map(({ kind }) => kind)).toEqual(['prompt', 'tool', 'agent'])
    expect(outputs(orphan)).toEqual(['call-missing r'])
    expect(outputs(rowsOf(documentOf(result('r', null, null), result('s', 'r', null))))).toEqual([
      'call-missing r',
      'call-missing s',
    ])
  })

  it('is never paired across branches', () => {
    const document = documentOf(
      message('p', null),
      says('a', 'p', call('x')),
      result('r', 'a', 'x', 'first'),
      says('b', 'p', call('x')),
      result('s', 'b', 'x', 'second'),
    )
    expect(outputs(rowsOf(document, 2))).toEqual(['ok first'])
    expect(outputs(rowsOf(document, 4))).toEqual(['ok second'])
    const apart = documentOf(message('p', null), says('a', 'p', call('x')), result('r', 'p', 'x'))
    expect(outputs(rowsOf(apart, 1))).toEqual(['none -'])
    expect(outputs(rowsOf(apart, 2))).toEqual(['call-missing r'])
  })
})

describe('forks and labels', () => {
  it('stand once, at the entry or at the row that stands for it', () => {
    const label = { type: 'label', id: 'l', parentId: 'c', targetId: 'p', label: 'start' }
    const document = documentOf(
      message('p', null),
      says('a', 'p', text('one')),
      message('b', 'p'),
      says('c', 'b', text('x'), call('y')),
      label,
    )
    const rows = rowsOf(document)
    expect(rows.map(({ labels }) => labels)).toEqual([['start'], [], [], []])
    expect(rows.map(({ fork }) => fork)).toEqual([
      null,
      { index: 2, count: 2, previousTip: 1, nextTip: null },
      null,
      null,
    ])
  })

  it('are found on a result, whose row begins with another entry', () => {
    const document = documentOf(
      says('a', null, text('look'), call('x')),
      message('other', 'a'),
      result('r', 'a', 'x'),
      {
        type: 'label',
        id: 'l',
        parentId: 'r',
        targetId: 'r',
        label: 'here',
      },
    )
    const rows = rowsOf(document)
    expect(rows[1]).toMatchObject({ kind: 'tool', labels: ['here'], fork: { index: 2, count: 2 } })
  })

  it('of entries without a row at the end belong to the last row', () => {
    const document = documentOf(message('p', null), message('q', 'p'), {
      type: 'custom',
      id: 'c',
      parentId: 'p',
      customType: 'x',
    })
    expect(rowsOf(document, 2)).toMatchObject([{ ordinal: 0, fork: { index: 2, count: 2, previousTip: 1 } }])
  })
})

it('a path whose parent is missing begins with a gap, said once', () => {
  const rows = rowsOf(
    documentOf(message('p', 'gone'), { type: 'label', id: 'l', parentId: 'p', targetId: 'p', label: 'x' }),
  )
  expect(rows.map(({ kind, labels }) => [kind, ...labels])).toEqual([['divider'], ['prompt', 'x']])
  const document = documentOf(message('p', 'gone'))
  const view = PathView.open(document, treeShape(document), 0, NOW)
  expect(view.ok && view.value.rowOf(0)).toBe(1)
})

it('each image of an answer stands at its own block', () => {
  const image = (data: string) => ({ type: 'image', data, mimeType: 'image/png' })
  const rows = rowsOf(documentOf(says('a', null, image('AAAA'), text('and'), image('BBBB'))))
  expect(rows.map(row => (row.kind === 'agent' ? row.images.map(({ url }) => url) : []))).toEqual([
    ['grove-data://inline/s/0/0'],
    [],
    ['grove-data://inline/s/0/1'],
  ])
})

describe('texts', () => {
  const texts = (row: TranscriptRow): [number, ShownText][] =>
    Object.entries(row).flatMap(([key, value]): [number, ShownText][] => {
      // A text as shown is told by the address it carries.
      const shown =
        typeof value === 'object' && value !== null && 'part' in value ? (value as ShownText) : null
      if (shown === null) return []
      return [
        [key === 'output' && row.kind === 'tool' ? (row.resultOrdinal ?? row.ordinal) : row.ordinal, shown],
      ]
    })

  it('that are cut are the start of what is fetched by their address', () => {
    const long = 'x'.repeat(20_000)
    const document = documentOf(
      message('p', null, `<env>${long}</env>${long}`),
      says(
        'a',
        'p',
        { type: 'thinking', thinking: long },
        text(long),
        { type: 'hologram', data: long },
        { ...call('x'), arguments: { command: long } },
      ),
      result('r', 'a', 'x', long),
      { type: 'session_init', id: 'i', parentId: 'r', task: long, systemPrompt: 'never part of it' },
      { type: 'compaction', id: 'c', parentId: 'i', summary: long },
      { type: 'custom_message', id: 'm', parentId: 'c', customType: 'note', content: long },
      { type: 'unheard_of', id: 'u', parentId: 'm', long },
    )
    let cut = 0
    for (const row of rowsOf(document)) {
      for (const [ordinal, shown] of texts(row)) {
        const record = document.entry(ordinal)
        const whole = record.ok ? textAt(record.value, shown.part) : null
        expect(whole?.startsWith(shown.text), `${row.kind} ${shown.part}`).toBe(true)
        expect(whole).toHaveLength(shown.chars)
        cut += shown.cut ? 1 : 0
      }
    }
    expect(cut).toBe(11)
  })
})

describe('planned paths', () => {
  it('that grow equal paths planned anew, whatever is appended', () => {
    const kinds = fc.constantFrom('prompt', 'call', 'result', 'label', 'branch')
    fc.assert(
      fc.property(
        fc.array(kinds, { minLength: 2, maxLength: 14 }),
        fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }),
        (list, looks) => {
          const records = list.map((kind, at): JsonObject => {
            const parent = at === 0 ? null : `e${kind === 'branch' ? Math.floor(at / 2) : at - 1}`
            if (kind === 'call') return says(`e${at}`, parent, text('t'), call(`c${at % 3}`))
            if (kind === 'result') return result(`e${at}`, parent, `c${at % 3}`)
            if (kind === 'label')
              return { type: 'label', id: `e${at}`, parentId: parent, targetId: 'e0', label: `l${at}` }
            return message(`e${at}`, parent)
          })
          const storage = new MemorySessionStorage('/s.jsonl', Buffer.from(journal(HEADER)))
          const opened = SessionDocument.open(storage, () => NOW)
          if (!opened.ok) throw new Error(opened.error.message)
          const planned = new PlannedPaths()
          for (const [at, record] of records.entries()) {
            storage.appendFromOutside(Buffer.from(journal(record)))
            opened.value.refresh()
            if (looks[at] === false && at < records.length - 1) continue
            const view = planned.view(opened.value, opened.value.index.leaf, NOW)
            const page = view.ok ? view.value.page(0, 1_000, images, () => null) : view
            if (!page.ok) throw new Error(page.error.message)
            const fresh = rowsOf(documentOf(...records.slice(0, at + 1)))
            expect(page.value.rows).toEqual(fresh)
            if (!view.ok || fresh.length === 0) continue
            // Every entry of the path has a row, and stands at it or before it.
            for (const ordinal of opened.value.index.path(opened.value.index.leaf))
              expect(view.value.rowOf(ordinal)).not.toBeNull()
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('tool facts', () => {
  it('say the command, the path, the pattern', () => {
    expect(toolSummary({ command: 'npm test\n-- x' })).toBe('npm test -- x')
    expect(toolSummary({ path: 'src', pattern: 'x' })).toBe('x in src')
    expect(toolSummary({ input: '[src/a.ts#1F3C]\n+1' })).toBe('src/a.ts')
    expect(toolSummary({ n: 1 })).toBe('')
  })

  it('tell the exit code of commands, and not of what another tool read', () => {
    const outcome = (toolName: string) =>
      toolOutcome({ toolName, content: [text('x\n\nCommand exited with code 3')] })
    expect(outcome('bash')).toMatchObject({ state: 'error', exitCode: 3 })
    expect(outcome('read')).toMatchObject({ state: 'ok', exitCode: null })
  })

  it('count the lines of a diff without its headers', () => {
    const signs = parseDiff('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same\n').map(({ sign }) => sign)
    expect(signs.join('')).toBe('~~~-+ ')
    expect(parseDiff('-12|old\n+12|new')).toEqual([
      { sign: '-', number: 12, text: 'old' },
      { sign: '+', number: 12, text: 'new' },
    ])
  })
})
