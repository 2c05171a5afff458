import { expect, test } from 'vitest'
import { indexText, watchingText } from './status-bar'

const view = { roots: 1, watched: 1, failed: 0, pollMs: 30_000, notes: [] }

test('says how many roots are watched, and how often one looks where none can be', () => {
  expect(watchingText(view)).toBe('Watching 1 root')
  expect(watchingText({ ...view, roots: 3, watched: 3 })).toBe('Watching 3 roots')
  expect(watchingText({ ...view, roots: 3, watched: 2, failed: 1, pollMs: 5_000 })).toBe(
    'Watching 2 of 3 roots',
  )
  expect(watchingText({ ...view, watched: 0 }), 'gone').toBe('Watching 0 of 1 root')
  expect(watchingText({ ...view, roots: 2, watched: 0, failed: 2, pollMs: 5_000 })).toBe(
    'Looking at 2 roots every 5 s',
  )
  expect(watchingText({ ...view, roots: 0, watched: 0 })).toBe('No sessions folder to watch yet')
})

test('says how far the search index is, and when there is none', () => {
  const coverage = { indexed: 1_204, all: 10_000, running: true, problem: null }
  expect(indexText(coverage)).toBe('Indexing 1,204 of 10,000')
  expect(indexText({ ...coverage, running: false })).toBe('Indexed 1,204 of 10,000')
  expect(indexText({ ...coverage, indexed: 10_000 })).toBe('Index up to date')
  expect(indexText({ ...coverage, problem: 'The disk is full.' })).toBe('No search index')
})
