import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { call, soundMessage } from './context.test-support'
import type { ContextMessage } from './context-messages'
import { withoutDanglingCalls, withoutFailedTurns } from './context-repairs'
import { type JsonObject, objectsOf } from './json'

const messages = fc.array(soundMessage, { maxLength: 24 })
const callsOf = (message: JsonObject) => objectsOf(message.content).filter(({ type }) => type === 'toolCall')
const isFailed = ({ role, stopReason }: JsonObject) =>
  role === 'assistant' && (stopReason === 'aborted' || stopReason === 'error')
const resultsOf = (list: readonly JsonObject[]) =>
  list.filter(({ role }) => role === 'toolResult').map(({ toolCallId }) => toolCallId)
const dropEmpty = { keepEmpty: false }

/** The rule turn by turn, from the last: each drop changes the list that the next look sees. */
function failedTurnsByRule(given: readonly ContextMessage[]): ContextMessage[] {
  const list = [...given]
  for (let at = list.length - 1; at >= 0; at--) {
    const message = list[at]
    if (message === undefined || !isFailed(message) || list[at + 1]?.customType === 'interrupted-thinking')
      continue
    const ids = callsOf(message).map(({ id }) => id)
    const after = list.slice(at + 1)
    const kept = after.filter(other => other.role !== 'toolResult' || !ids.includes(other.toolCallId))
    list.splice(at, list.length, ...kept)
  }
  return list
}

/** The list, with each look at a message's role counted. */
function counted(list: readonly ContextMessage[]) {
  const looks = { count: 0 }
  const watched = list.map(message => ({
    ...message,
    get role() {
      looks.count++
      return message.role
    },
  }))
  return { watched, looks }
}

describe('withoutDanglingCalls', () => {
  it('leaves only calls that a result answers, and everything where all are answered', () => {
    fc.assert(
      fc.property(messages, list => {
        const repaired = withoutDanglingCalls(list, dropEmpty)
        const answered = resultsOf(list)
        for (const { id } of repaired.flatMap(callsOf)) expect(answered).toContain(id)
        const whole = list.every(message => callsOf(message).every(({ id }) => answered.includes(id)))
        if (whole) expect(repaired).toEqual(list)
      }),
    )
  })

  it('does the same once and twice, and changes nothing that it is given', () => {
    fc.assert(
      fc.property(messages, fc.boolean(), (list, keepEmpty) => {
        const before = structuredClone(list)
        const once = withoutDanglingCalls(list, { keepEmpty })
        expect(withoutDanglingCalls(once, { keepEmpty })).toEqual(once)
        expect(list).toEqual(before)
        if (keepEmpty) expect(once).toHaveLength(list.length)
      }),
    )
  })

  it('takes from a changed turn what only its original form may carry', () => {
    const content = [
      { type: 'redactedThinking', data: 'x' },
      { type: 'thinking', thinking: 'Hm.', thinkingSignature: 's', itemId: 'i' },
      { type: 'text', text: 'Let me see.', textSignature: 's' },
      call('a'),
      call('b'),
    ]
    const result = { role: 'toolResult', toolCallId: 'b' }
    const [changed] = withoutDanglingCalls([{ role: 'assistant', content, model: 'x' }, result], dropEmpty)
    expect(changed).toEqual({
      role: 'assistant',
      model: 'x',
      content: [
        { type: 'thinking', thinking: 'Hm.', itemId: 'i' },
        { type: 'text', text: 'Let me see.', textSignature: 's' },
        call('b'),
      ],
    })
  })

  it('drops a turn of which nothing is left, or keeps it and counts what it lost', () => {
    const turn = {
      role: 'assistant',
      content: [{ type: 'redactedThinking', data: 'x' }, call('a'), call('b')],
    }
    expect(withoutDanglingCalls([turn], dropEmpty)).toEqual([])
    expect(withoutDanglingCalls([turn], { keepEmpty: true })).toEqual([
      { role: 'assistant', content: [], strippedToolCalls: 2 },
    ])
  })

  it('looks at calls of assistants only', () => {
    const user = { role: 'user', content: [call('a')] }
    expect(withoutDanglingCalls([user], dropEmpty)).toEqual([user])
  })
})

describe('withoutFailedTurns', () => {
  it('equals the rule applied turn by turn from the end', () => {
    fc.assert(
      fc.property(messages, list => {
        expect(withoutFailedTurns(list)).toEqual(failedTurnsByRule(list))
      }),
      { numRuns: 2_000 },
    )
  })

  it('does the same once and twice', () => {
    fc.assert(
      fc.property(messages, list => {
        const once = withoutFailedTurns(list)
        expect(withoutFailedTurns(once)).toEqual(once)
      }),
    )
  })

  it('looks at each message a bounded number of times, however failures and results interleave', () => {
    const block = (at: number): ContextMessage[] => [
      { role: 'assistant', content: [call(`c${at}`)], stopReason: 'aborted' },
      { role: 'toolResult', toolCallId: `c${at}` },
    ]
    const list = Array.from({ length: 20_000 }, (_, at) => block(at)).flat()
    const { watched, looks } = counted(list)
    expect(withoutFailedTurns(watched)).toEqual([])
    expect(looks.count).toBeLessThan(list.length * 6)
  })
})
