import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ANTHROPIC,
  calls,
  compaction,
  hostilePath,
  OPENAI,
  pathOf,
  RESET,
  ROLLOVER,
  result,
  said,
} from './context.test-support'
import { collapsedChoice, modelChoice, wholeChoice } from './context-choice'
import type { JsonObject } from './json'

const USER = said('user')
const ANSWER = said('assistant')
const model = (...entries: JsonObject[]) => modelChoice(pathOf(...entries)).positions
const collapsed = (...entries: JsonObject[]) => collapsedChoice(pathOf(...entries)).positions
const whole = (...entries: JsonObject[]) => wholeChoice(pathOf(...entries)).positions
const custom = (customType: string, attribution?: string) => ({
  type: 'custom_message',
  customType,
  content: 'x',
  attribution,
})

describe('every choice', () => {
  it('names each place of any path at most once', () => {
    fc.assert(
      fc.property(hostilePath, path => {
        for (const choose of [modelChoice, collapsedChoice, wholeChoice]) {
          const { positions } = choose(path)
          expect(new Set(positions).size).toBe(positions.length)
          for (const at of positions) expect(path[at]).toBeDefined()
        }
      }),
    )
  })

  it('is the whole path when nothing was put away', () => {
    for (const choose of [model, collapsed, whole]) expect(choose(USER, ANSWER, USER)).toEqual([0, 1, 2])
  })
})

describe('reset', () => {
  it('puts away what came before it, compactions too, for a model and a collapsed transcript', () => {
    const entries = [USER, compaction('e0'), USER, RESET, USER]
    expect(model(...entries)).toEqual([4])
    expect(collapsed(...entries)).toEqual([4])
    expect(whole(...entries)).toEqual([0, 1, 2, 3, 4])
  })

  it('gives way to a later compaction, which may keep what came before it', () => {
    const entries = [USER, RESET, USER, compaction('e0'), USER]
    expect(model(...entries)).toEqual([3, 0, 1, 2, 4])
    expect(collapsed(...entries)).toEqual([0, 1, 2, 3, 4])
  })
})

describe('compaction', () => {
  it('comes first, then what it kept, then the rest; the last one applies', () => {
    const entries = [USER, compaction('e0'), USER, ANSWER, compaction('e2'), ANSWER]
    expect(model(...entries)).toEqual([4, 2, 3, 5])
    expect(modelChoice(pathOf(...entries))).toMatchObject({ compaction: 4, retained: 2 })
  })

  it('leaves an earlier one out of what it kept', () => {
    expect(model(USER, ANSWER, compaction('e1'), USER, compaction('e1'))).toEqual([4, 1, 3])
  })

  it('keeps nothing when what it kept is not before it', () => {
    for (const id of ['gone', 'e2', 'e3', '', null, 7])
      expect(model(USER, ANSWER, compaction(id), USER)).toEqual([2, 3])
  })

  it('by OpenAI holds what it kept, except for what follows its history', () => {
    const kept = (more: JsonObject) =>
      model(USER, ANSWER, USER, compaction('e0', { preserveData: OPENAI, ...more }), ANSWER)
    expect(kept({})).toEqual([3, 4])
    expect(kept({ providerReplayThroughEntryId: 'e1' })).toEqual([3, 2, 4])
    for (const id of ['e2', 'e3', 'e4', 'gone', 7])
      expect(kept({ providerReplayThroughEntryId: id })).toEqual([3, 4])
  })

  it('by OpenAI counts only with a provider and a history of objects', () => {
    const spoiled = [
      { provider: '', replacementHistory: [] },
      { provider: 'openai', replacementHistory: [1] },
      { provider: 'openai' },
      'x',
    ]
    for (const openaiRemoteCompaction of spoiled) {
      const record = compaction('e0', { preserveData: { openaiRemoteCompaction } })
      expect(model(USER, record)).toEqual([1, 0])
    }
  })

  it('by Anthropic keeps its part, or what follows its history when it names no part', () => {
    const kept = (id: string) =>
      model(
        USER,
        ANSWER,
        USER,
        compaction(id, { preserveData: ANTHROPIC, providerReplayThroughEntryId: 'e1' }),
      )
    expect(kept('e1')).toEqual([3, 1, 2])
    expect(kept('')).toEqual([3, 2])
    expect(kept('gone')).toEqual([3])
  })

  it('shows readers what it kept from the next turn on, or all of it when no turn begins', () => {
    expect(collapsed(USER, calls('a'), result('a'), USER, ANSWER, compaction('e1'), USER)).toEqual([
      3, 4, 5, 6,
    ])
    expect(collapsed(USER, calls('a'), result('a'), compaction('e1'), USER)).toEqual([1, 2, 3, 4])
    for (const start of [said('bashExecution'), custom('x'), { type: 'branch_summary', summary: '' }])
      expect(collapsed(USER, ANSWER, start, ANSWER, compaction('e1'))).toEqual([2, 3, 4])
  })

  it('that was made again at once counts once', () => {
    const snap = compaction('e0', { method: 'snapcompact' })
    expect(whole(USER, snap, snap, USER)).toEqual([0, 2, 3])
    expect(whole(USER, snap, { ...snap, tokensBefore: 11 })).toEqual([0, 1, 2])
    expect(whole(USER, snap, { ...snap, parentId: 'e0' })).toEqual([0, 1, 2])
    expect(whole(USER, snap, ANSWER, snap)).toEqual([0, 1, 2, 3])
    expect(whole(USER, compaction('e0'), compaction('e0'))).toEqual([0, 1, 2])
  })
})

describe('rollover', () => {
  const rollover = (id: string) => compaction(id, ROLLOVER)

  it('carries the newest request along, when it was not kept', () => {
    expect(model(USER, ANSWER, USER, ANSWER, rollover('e3'))).toEqual([4, 2, 3])
    expect(model(USER, ANSWER, USER, ANSWER, rollover('e2'))).toEqual([4, 2, 3])
    expect(collapsed(USER, ANSWER, USER, ANSWER, rollover('e3'))).toEqual([3, 4])
  })

  it('carries a request that took the form of a custom message', () => {
    for (const customType of ['skill-prompt', 'collab-prompt'])
      expect(model(USER, custom(customType, 'user'), ANSWER, rollover('e2'))).toEqual([3, 1, 2])
    for (const other of [custom('skill-prompt', 'agent'), custom('skill-prompt'), custom('x', 'user')])
      expect(model(USER, other, ANSWER, rollover('e2'))).toEqual([3, 0, 2])
  })

  it('carries nothing from before a reset, nor when what was kept is nowhere', () => {
    expect(model(USER, RESET, ANSWER, ANSWER, rollover('e3'))).toEqual([4, 3])
    expect(model(USER, ANSWER, rollover('gone'))).toEqual([2])
    expect(model(USER, ANSWER, rollover('e2'))).toEqual([2, 0])
  })
})
