import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildSessionContext, buildTranscript } from './context'
import {
  calls,
  compaction,
  hostilePath,
  OPENAI,
  pathOf,
  RESET,
  result,
  rolesOf,
  said,
  soundMessage,
  soundPath,
} from './context.test-support'
import { contextSettings } from './context-settings'
import { type JsonObject, objectOf, objectsOf } from './json'

const USER = said('user')
const ANSWER = said('assistant')
const modelRoles = (...entries: JsonObject[]) => rolesOf(buildSessionContext(pathOf(...entries)).messages)
const readerRoles = (...entries: JsonObject[]) => rolesOf(buildTranscript(pathOf(...entries), 'full'))
const collapsedRoles = (...entries: JsonObject[]) => rolesOf(buildTranscript(pathOf(...entries), 'collapsed'))

const idsOfCalls = (messages: readonly JsonObject[]) =>
  messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content }) => objectsOf(content))
    .filter(({ type }) => type === 'toolCall')
    .map(({ id }) => id)

describe('any input', () => {
  it('is read without a throw and unchanged, whatever it holds', () => {
    fc.assert(
      fc.property(hostilePath, path => {
        const before = structuredClone(path)
        const lists = [
          buildSessionContext(path).messages,
          buildTranscript(path, 'full'),
          buildTranscript(path, 'collapsed'),
        ]
        for (const list of lists) for (const { role } of list) expect(typeof role).toBe('string')
        expect(path).toEqual(before)
      }),
      { numRuns: 3_000 },
    )
  })

  it('is read as a list of any JSON objects', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), path => {
        expect(buildSessionContext(path).messages).toEqual([])
      }),
    )
  })

  it('may be nested and long', () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 20_000; level++) deep = [deep]
    const path = pathOf(said('user', { content: deep }), { type: 'custom_message', content: deep })
    expect(rolesOf(buildSessionContext(path).messages)).toBe('user custom')
    const long = Array.from({ length: 200_000 }, (_, at) => ({ ...USER, id: `e${at}` }))
    expect(buildSessionContext(long).messages).toHaveLength(200_000)
    expect(buildTranscript(long, 'collapsed')).toHaveLength(200_000)
  })
})

describe('any conversation', () => {
  it('has no call without a result, and no settings but those of its path', () => {
    fc.assert(
      fc.property(soundPath, path => {
        const { messages, ...settings } = buildSessionContext(path)
        const results = messages.filter(({ role }) => role === 'toolResult')
        expect(settings).toEqual(contextSettings(path))
        for (const message of messages) expect(message.retryRecovery).toBeUndefined()
        // A failed turn takes its results along, also those that another turn with the same call counts on.
        const failed = path.some(({ message }) => /aborted|error/.test(String(objectOf(message).stopReason)))
        const answered = results.map(({ toolCallId }) => toolCallId)
        if (!failed) for (const id of idsOfCalls(messages)) expect(answered).toContain(id)
      }),
      { numRuns: 1_000 },
    )
  })

  it('without failures is said again by the messages that are left of it', () => {
    const isSound = ({ stopReason }: JsonObject) => stopReason !== 'aborted' && stopReason !== 'error'
    fc.assert(
      fc.property(fc.array(soundMessage.filter(isSound), { maxLength: 24 }), list => {
        const contextOf = (messages: readonly JsonObject[]) =>
          buildSessionContext(pathOf(...messages.map(message => ({ type: 'message', message })))).messages
        const once = contextOf(list)
        expect(contextOf(once)).toEqual(once)
      }),
      { numRuns: 500 },
    )
  })

  it('has all its messages in the full transcript, in order', () => {
    fc.assert(
      fc.property(soundPath, path => {
        const transcript = buildTranscript(path, 'full').filter(
          ({ role }) => !['custom', 'branchSummary', 'compactionSummary'].includes(role),
        )
        const recorded = path
          .filter(({ type }) => type === 'message')
          .map(({ message }) => objectOf(message).role)
          .filter(role => role !== 'custom')
        expect(transcript.map(({ role }) => role)).toEqual(recorded)
      }),
    )
  })

  it('is in the collapsed transcript what stands last in the full one', () => {
    fc.assert(
      fc.property(soundPath, path => {
        const contents = (mode: 'full' | 'collapsed') =>
          buildTranscript(path, mode)
            .filter(({ role }) => role !== 'compactionSummary' && role !== 'assistant')
            .map(message => JSON.stringify(message))
        const [full, collapsed] = [contents('full'), contents('collapsed')]
        expect(full.slice(full.length - collapsed.length)).toEqual(collapsed)
      }),
    )
  })
})

describe('buildSessionContext', () => {
  it('is empty for an empty path', () => {
    expect(buildSessionContext([])).toEqual({ ...contextSettings([]), messages: [] })
  })

  it('hands on the very messages of the records', () => {
    const path = pathOf(USER, ANSWER)
    const { messages } = buildSessionContext(path)
    expect(messages[0]).toBe(path[0]?.message)
    expect(messages[1]).toBe(path[1]?.message)
  })

  it('leaves out failures that were got over, what failed before any output, and what has passed', () => {
    expect(modelRoles(USER, said('assistant', { retryRecovery: { attempt: 1 } }), ANSWER)).toBe(
      'user assistant',
    )
    const note = { type: 'custom_message', customType: 'interrupted-thinking', content: 'x' }
    expect(modelRoles(USER, said('assistant', { stopReason: 'error', content: [] }), note)).toBe(
      'user custom',
    )
    expect(modelRoles(USER, said('assistant', { stopReason: 'error' }), note)).toBe('user assistant custom')
    for (const customType of ['prewalk-plan', 'vibe-mode-context'])
      expect(modelRoles({ type: 'custom_message', customType, content: 'x' })).toBe('')
  })

  it('keeps what is marked for leaving out at the request', () => {
    expect(modelRoles(said('bashExecution', { excludeFromContext: true }))).toBe('bashExecution')
  })

  it('drops a call whose result lies before a compaction, and keeps a result whose call does', () => {
    expect(modelRoles(USER, calls('a'), result('a'), compaction('e2'), USER)).toBe(
      'compactionSummary toolResult user',
    )
    const [, , answer] = buildSessionContext(pathOf(result('a'), compaction('e1'), USER, calls('a'))).messages
    expect(answer?.content).toEqual([{ type: 'text', text: 'x' }])
  })

  it('puts notes before all else', () => {
    const notes = {
      type: 'custom',
      customType: 'experimental_context_notes',
      data: { version: 1, text: 'x' },
    }
    expect(modelRoles(USER, notes, compaction('e0'), ANSWER)).toBe('custom compactionSummary user assistant')
    expect(readerRoles(USER, notes, ANSWER)).toBe('user assistant')
  })
})

describe('buildTranscript', () => {
  it('shows failed, empty and passing turns, and counts the calls that a turn lost', () => {
    const failed = said('assistant', { stopReason: 'aborted' })
    const passing = { type: 'custom_message', customType: 'prewalk-plan', content: 'x' }
    const entries = [USER, failed, said('assistant', { stopReason: 'error', content: [] }), passing]
    expect(readerRoles(...entries)).toBe('user assistant assistant custom')
    expect(collapsedRoles(...entries)).toBe('user assistant assistant custom')
    const [turn] = buildTranscript(pathOf(calls('a', 'b')), 'full')
    expect(turn).toMatchObject({ content: [{ type: 'text' }], strippedToolCalls: 2 })
  })

  it('is whole when full, and has what is in force when collapsed', () => {
    const entries = [USER, ANSWER, compaction('e0'), USER, RESET, ANSWER]
    expect(readerRoles(...entries)).toBe('user assistant compactionSummary user assistant')
    expect(collapsedRoles(...entries)).toBe('assistant')
  })

  it('shows the summary in force only, and the place of the others', () => {
    const path = pathOf(USER, compaction('e0', { summary: 'first' }), USER, compaction('e2'))
    const summaries = buildTranscript(path, 'full').filter(({ role }) => role === 'compactionSummary')
    expect(summaries).toHaveLength(2)
    expect(summaries[0]?.summary).not.toBe('first')
    expect(summaries[1]?.summary).toBe('summary')
  })

  it('shows what a provider keeps for itself, and the summary where it was made', () => {
    const entries = [USER, ANSWER, USER, compaction('e1', { preserveData: OPENAI }), ANSWER]
    expect(collapsedRoles(...entries)).toBe('user compactionSummary assistant')
    expect(modelRoles(...entries)).toBe('compactionSummary assistant')
  })
})
