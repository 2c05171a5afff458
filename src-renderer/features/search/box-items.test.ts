import type { QuickHit, SearchHit, SessionHits } from '@shared/ipc/models/search-models'
import { expect, test } from 'vitest'
import type { Commands } from '../../commands/context'
import type { SearchBoxState } from '../../stores/search-box-store'
import { boxGroups, wordRanges } from './box-items'

const commands: Commands = {
  run: () => {},
  enabled: id => id !== 'session.rename',
  title: id => (id === 'session.fork' ? 'Fork…' : id),
  keys: () => null,
  press: () => false,
}
const hit = (role: SearchHit['role'], at: number): SearchHit => ({
  ...{ ordinal: 1, entryId: null, artifact: null, role, time: null, part: 'content', at },
  snippet: { text: 'a race', ranges: [[2, 6]] },
})
const found: SessionHits = {
  ...{ session: 's', title: { text: 's', ranges: [] }, project: 'p', projectName: 'p', lastActivity: null },
  ...{ branches: 1, matches: 3, atLeast: false, hits: [hit('title', 0), hit('user', 2), hit('agent', 5)] },
}
// Only what the list needs of a row.
const quick = {
  row: { ref: 's' },
  titleRanges: [],
  projectRanges: [],
  promptRanges: [],
} as unknown as QuickHit
const state = (part: Partial<SearchBoxState>): SearchBoxState => ({
  sessionsOnly: false,
  text: '',
  quick: { state: 'ready', value: { hits: [quick], total: 1, projects: [] } },
  messages: { state: 'idle' },
  recent: ['race'],
  begin: () => {},
  setText: () => {},
  remember: () => {},
  end: () => {},
  ...part,
})
const titles = (part: Partial<SearchBoxState>) => boxGroups(state(part), commands).map(({ title }) => title)

test('with nothing typed there are recent searches and sessions', () => {
  expect(titles({})).toEqual(['Recent searches', 'Recent sessions'])
  expect(titles({ recent: [] })).toEqual(['Recent sessions'])
})

test('sessions come first, then messages with their count, then commands, then the view', () => {
  const messages = { state: 'ready' as const, sessions: [found], total: 1, atLeast: false }
  const groups = boxGroups(state({ text: 'fork', messages }), commands)
  expect(groups.map(({ title }) => title)).toEqual([
    'Sessions',
    'Messages, 3 in 1 session',
    'Commands',
    'More',
  ])
  expect(groups[1]?.items).toHaveLength(2)
})

test('after > there are commands that can be used, and nothing else', () => {
  const groups = boxGroups(state({ text: '>' }), commands)
  const ids = groups.flatMap(({ items }) =>
    items.map(item => (item.kind === 'command' ? item.id : item.kind)),
  )
  expect(ids).toContain('session.fork')
  expect(ids).not.toContain('session.rename')
  expect(ids).not.toContain('search.box')
  expect(titles({ text: '>no command is called this' })).toEqual([])
})

test('for sessions only there is nothing else', () => {
  expect(titles({ sessionsOnly: true, text: 'fork' })).toEqual(['Sessions'])
})

test('all words have to stand in a title', () => {
  expect(wordRanges('Copy session id', 'id copy')).toEqual([
    [0, 4],
    [13, 15],
  ])
  expect(wordRanges('Copy session id', 'copy path')).toBeNull()
})
