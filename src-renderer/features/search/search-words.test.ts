import type { SessionHits } from '@shared/ipc/models/search-models'
import { expect, test } from 'vitest'
import { EMPTY_ASK } from '../../stores/search-ask'
import { coverageText, foundText, searchedText } from './search-words'

const hits = (matches: number, atLeast = false): SessionHits => ({
  session: `s${matches}`,
  title: { text: '', ranges: [] },
  project: 'p',
  projectName: 'p',
  lastActivity: null,
  branches: 1,
  matches,
  atLeast,
  hits: [],
})
const state = { total: 2, atLeast: false, more: false, touched: null }

test('matches and sessions are counted, and said to be at least so many where not all were looked at', () => {
  expect(foundText({ ...state, sessions: [hits(3), hits(1)] })).toBe('4 matches in 2 sessions')
  expect(foundText({ ...state, sessions: [hits(3), hits(1, true)] })).toBe('At least 4 matches in 2 sessions')
  expect(foundText({ ...state, total: 1, sessions: [hits(1)] })).toBe('1 match in 1 session')
  expect(foundText({ ...state, total: 80, more: true, sessions: [hits(3), hits(1)] })).toBe(
    '80 sessions, the first 2 shown',
  )
  expect(foundText({ ...state, sessions: [] })).toBe('')
})

test('the index is spoken of only while it does not cover everything', () => {
  const coverage = { indexed: 1204, all: 10_000, running: true, problem: null }
  expect(coverageText(coverage)).toBe('1,204 of 10,000 sessions indexed; the rest is being read.')
  expect(coverageText({ ...coverage, running: false })).toMatch(/the others are read when one searches/)
  expect(coverageText({ ...coverage, indexed: 10_000 })).toBeNull()
  expect(coverageText({ ...coverage, problem: 'The disk is full.' })).toMatch(
    /^The disk is full\. Files are read/,
  )
  expect(coverageText(null)).toBeNull()
})

test('a search that found nothing says what it looked at', () => {
  expect(searchedText(EMPTY_ASK)).toBe(
    'Searched prompts, answers, summaries, labels and titles of all branches for all of these words.',
  )
  expect(searchedText({ ...EMPTY_ASK, allText: true, mode: 'exact' })).toMatch(
    /tool output and artifacts of all branches for exactly this text/,
  )
})
