import type { DraftItem } from '@shared/ipc/models/manage-models'
import { expect, test } from 'vitest'
import { canDiscard, draftSize, filterDrafts } from './draft-facts'

const item = (change: Partial<DraftItem>): DraftItem => ({
  ref: 'd',
  session: 's',
  title: 'Fix the upload',
  projectName: 'grove-api',
  shortCwd: '~/code/grove-api',
  preview: 'Please also retry',
  chars: 17,
  lines: 1,
  bytes: 17,
  modified: 1,
  alreadySent: false,
  problem: null,
  readOnly: false,
  location: '/x',
  ...change,
})

test('drafts are filtered by every word, in text, title or project', () => {
  const items = [item({ ref: 'a' }), item({ ref: 'b', preview: 'Write docs', title: 'Docs' })]
  const refs = (filter: string) => filterDrafts(items, filter).map(({ ref }) => ref)
  expect(refs('')).toEqual(['a', 'b'])
  expect(refs('RETRY grove')).toEqual(['a'])
  expect(refs('docs')).toEqual(['b'])
  expect(refs('docs retry')).toEqual([])
})

test('a draft can be discarded unless its session is gone, read-only or unreadable', () => {
  expect(canDiscard(item({}))).toBe(true)
  expect(canDiscard(item({ session: null }))).toBe(false)
  expect(canDiscard(item({ readOnly: true }))).toBe(false)
  expect(canDiscard(item({ problem: 'not UTF-8' }))).toBe(false)
  expect(draftSize(item({ lines: 1200, chars: 1 }))).toBe('1,200 lines, 1 character')
})
