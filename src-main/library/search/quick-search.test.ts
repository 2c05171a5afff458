import type { SessionRow } from '@shared/ipc/models/library-models'
import fc from 'fast-check'
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

describe('typing on', () => {
  const words = ['load', 'reload', 'Upload', 'café', 'states', 'a', 'fix']
  const text = fc.array(fc.constantFrom(...words), { maxLength: 4 }).map(list => list.join(' '))
  const rowsOf = (texts: readonly [string, string][]) =>
    texts.map(([title, firstPrompt], at) =>
      row(title, { ref: `s-${at}`, firstPrompt, project: `p-${at % 2}`, lastActivity: at * 1e9 }),
    )
  const step = fc.oneof(
    fc.record({ key: fc.constantFrom('l', 'o', 'a', 'd', ' ', 'u', 'é', 's') }),
    fc.constant({ back: true }),
    fc.record({ project: fc.constantFrom(null, 'p-0', 'p-1') }),
    fc.record({ renamed: text }),
    fc.constant({ warm: true }),
  )

  it('finds at every key what a search from scratch finds, whatever was typed before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 12 }),
        fc.array(step, { maxLength: 20 }),
        (texts, steps) => {
          const search = new QuickSearch()
          let rows = rowsOf(texts)
          const query: { text: string; project: string | null; limit: number } = {
            text: '',
            project: null,
            limit: 3,
          }
          search.take(rows)
          for (const one of steps) {
            if ('key' in one) query.text += one.key
            else if ('back' in one) query.text = query.text.slice(0, -1)
            else if ('project' in one) query.project = one.project
            else if ('warm' in one) search.warm(5)
            else {
              rows = rows.map((row, at) => (at === 0 ? { ...row, title: one.renamed } : row))
              search.take(rows)
            }
            const anew = new QuickSearch()
            anew.take(rows)
            expect(search.search(query, [], NOW)).toEqual(anew.search(query, [], NOW))
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('looks only at what was found before, and at all rows again for another text', () => {
    const search = new QuickSearch()
    search.take(Array.from({ length: 100 }, (_, at) => row(`${at % 10 === 0 ? 'load' : 'other'} ${at}`)))
    const looked = (text: string, project: string | null = null) => {
      search.search({ text, project, limit: 5 }, [], NOW)
      return search.looked
    }
    expect(['l', 'lo', 'loa', 'load', 'load 9', 'loa'].map(text => looked(text))).toEqual([
      100, 10, 10, 10, 10, 100,
    ])
    expect([looked('load', 'p-1'), looked('load')]).toEqual([10, 100])
    search.take([row('load')])
    expect(looked('load')).toBe(1)
  })

  it('is prepared some rows at a time, once for each text', () => {
    const search = new QuickSearch()
    const warmed = () => {
      const looked: number[] = []
      for (let more = true; more; ) {
        more = search.warm(60)
        looked.push(search.looked)
      }
      return looked
    }
    const rows = Array.from({ length: 100 }, (_, at) => row(`load ${at}`))
    search.take(rows)
    expect(warmed()).toEqual([60, 40])
    search.take(rows)
    expect(warmed()).toEqual([0])
    search.take([...rows.map(one => ({ ...one, starred: true })), row('one more')])
    expect(warmed()).toEqual([1])
    search.search({ text: 'load', project: null, limit: 5 }, [], NOW)
    expect(warmed()).toEqual([0])
  })
})
