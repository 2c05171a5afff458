import { expect, it } from 'vitest'
import { packSummary, unpackSummary } from './packed-summary'
import { summary } from './summary.test-support'

it('gives back every field of a summary, whatever stands in it', () => {
  const plain = summary('/s/a.jsonl')
  // Each field with a value that no other has.
  const all = {
    ...plain,
    realFile: '/real/a.jsonl',
    title: 'A "title"\t\n\ud800',
    titleSource: 'user' as const,
    parentSession: 'p',
    parentRealFile: '/p',
    previousFiles: ['/before'],
    rootIds: ['r1', 'r2'],
    model: 'm/n',
    cost: 0.25,
    created: 11,
    lastActivity: 12,
    lastActivityRaw: 'tomorrow',
    stub: 'why',
    hasDraft: true,
    counted: false,
    ...{ bytes: 21, artifactBytes: 22, entryCount: 23, messageCount: 24, withoutCost: 25, tips: 26 },
    ...{ artifactCount: 27, subagentCount: 28, damagedLines: 29, modified: 30.5, version: 31 },
  }
  for (const one of [plain, all, { ...plain, cost: null, version: null, cwd: null }])
    expect(unpackSummary(one.file, packSummary(one))).toEqual(one)
  expect(packSummary(all), 'a line of the cache').not.toMatch(/[\t\n]/)
})
