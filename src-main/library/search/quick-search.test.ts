import type { SessionRow } from '@shared/ipc/models/library-models'
import { describe, expect, it } from 'vitest'
import { sessionRowOf } from '../catalog/session-row'
import { summary } from '../catalog/summary.test-support'
import { QuickSearch } from './quick-search'

const NOW = Date.parse('2026-02-01T00:00:00Z')

function row(title: string, changes: Partial<SessionRow> = {}): SessionRow {
  const names = {
    ref: `s-${title}`,
    project: 'p-1',
    folder: { projectName: 'app', shortCwd: '~/app' },
    starred: false,
    readOnly: false,
    use: null,
  }
  return {
    ...sessionRowOf(summary('/w/x.jsonl'), names),
    title,
    firstPrompt: '',
    projectName: 'app',
    shortCwd: '~/app',
    ...changes,
  }
}

function titles(rows: SessionRow[], text: string, project: string | null = null): string[] {
  const search = new QuickSearch()
  search.take(rows)
  return search.search({ text, project, limit: 50 }, [], NOW).hits.map(({ row }) => row.title)
}

describe('quick search', () => {
  it('asks for all words, wherever they stand', () => {
    const rows = [row('Fix the upload'), row('Upload states', { firstPrompt: 'name them' }), row('Other')]
    expect(titles(rows, 'upload fix')).toEqual(['Fix the upload'])
    expect(titles(rows, 'UPL names')).toEqual([])
    expect(titles(rows, 'name load')).toEqual(['Upload states'])
  })

  it('puts the start of a title first, then the start of a word, then what is within one', () => {
    const rows = [row('a reload'), row('a load'), row('load it'), row('x', { firstPrompt: 'load' })]
    expect(titles(rows, 'load')).toEqual(['load it', 'a load', 'a reload', 'x'])
  })

  it('puts what was active last first among equals, and everything with no text', () => {
    const rows = [row('load a', { lastActivity: NOW - 9e9 }), row('load b', { lastActivity: NOW })]
    expect(titles(rows, 'load')).toEqual(['load b', 'load a'])
    expect(titles(rows, '')).toEqual(['load b', 'load a'])
  })

  it('keeps to a project, and sees rows that changed', () => {
    const search = new QuickSearch()
    search.take([row('one'), row('two', { project: 'p-2' })])
    expect(search.search({ text: '', project: 'p-2', limit: 5 }, [], NOW).hits).toHaveLength(1)
    search.take([{ ...row('one'), title: 'renamed' }])
    expect(search.search({ text: 'renam', project: null, limit: 5 }, [], NOW)).toMatchObject({
      total: 1,
      hits: [{ titleRanges: [[0, 5]] }],
    })
    expect(search.search({ text: 'one', project: null, limit: 5 }, [], NOW).total).toBe(0)
  })

  it('marks what was found, joined letters and accents too', () => {
    const search = new QuickSearch()
    search.take([row('Café ﬁne', { firstPrompt: '中文字' })])
    const [hit] = search.search({ text: 'cafe fi 文', project: null, limit: 5 }, [], NOW).hits
    expect(hit).toMatchObject({
      titleRanges: [
        [0, 4],
        [5, 6],
      ],
      promptRanges: [[1, 2]],
    })
  })
})
