import type { SearchHit, SessionHits } from '@shared/ipc/models/search-models'
import { expect, test } from 'vitest'
import { resultItems } from './result-items'

const hit = (ordinal: number): SearchHit => ({
  ordinal,
  entryId: null,
  artifact: null,
  role: 'agent',
  time: null,
  part: 'content.0',
  at: 0,
  snippet: { text: 'text', ranges: [[0, 4]] },
})
const found = (session: string, matches: number, hits: SearchHit[]): SessionHits => ({
  session,
  title: { text: session, ranges: [] },
  project: 'p',
  projectName: 'p',
  lastActivity: null,
  branches: 1,
  matches,
  atLeast: false,
  hits,
})
const nothing = { opened: new Set<string>(), more: false, touched: null }

test('each session is a line with its hits below, and a line for those that are not shown', () => {
  const items = resultItems({
    ...nothing,
    sessions: [found('a', 5, [hit(1), hit(2)]), found('b', 1, [hit(9)])],
  })
  expect(items.map(item => (item.kind === 'rest' ? `rest ${item.hidden}` : item.kind))).toEqual([
    'session',
    'hit',
    'hit',
    'rest 3',
    'session',
    'hit',
  ])
  expect(new Set(items.map(item => item.key)).size).toBe(items.length)
})

test('what is still not shown of a session that was opened is at a limit', () => {
  const items = resultItems({ ...nothing, opened: new Set(['a']), sessions: [found('a', 5, [hit(1)])] })
  expect(items.at(-1)).toMatchObject({ kind: 'rest', hidden: 4, most: true })
})

test('more sessions are offered last', () => {
  const items = resultItems({ ...nothing, more: true, sessions: [found('a', 1, [hit(1)])] })
  expect(items.at(-1)?.kind).toBe('more')
})
