/** Messages of a coding session, in the sizes in which they come: short texts, calls, short and long tool results. Pure. */

export type Message = { role: string; [key: string]: unknown }

const MODEL = { api: 'anthropic-messages', provider: 'anthropic', model: 'bench' }
const TURNS = 8
const TIME = Date.parse('2026-01-01T00:00:00.000Z')
const TEXT_CHARS = 300
const SHORT_RESULT_CHARS = 400
const LONG_RESULT_CHARS = 4096

/** Some turns of conversation, to be gone through again and again; one message in eight is a tool result of 4 KiB. */
export function conversation(): readonly Message[] {
  return Array.from({ length: TURNS }, (_, turn) => turnOf(turn)).flat()
}

function turnOf(turn: number): Message[] {
  const call = (step: number) => `toolu_${turn}_${step}`
  return [
    user(prose(turn, TEXT_CHARS)),
    assistant(prose(turn + 1, TEXT_CHARS), call(1)),
    toolResult(call(1), prose(turn + 2, SHORT_RESULT_CHARS)),
    assistant(prose(turn + 3, TEXT_CHARS), call(2)),
    toolResult(call(2), prose(turn + 4, LONG_RESULT_CHARS)),
    assistant(prose(turn + 5, TEXT_CHARS), call(3)),
    toolResult(call(3), prose(turn + 6, SHORT_RESULT_CHARS)),
    assistant(prose(turn + 7, TEXT_CHARS), null),
  ]
}

function user(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }], timestamp: TIME }
}

function assistant(text: string, callId: string | null): Message {
  const call =
    callId === null
      ? []
      : [{ type: 'toolCall', id: callId, name: 'bash', arguments: { command: 'npm test -- --run' } }]
  return {
    role: 'assistant',
    content: [{ type: 'text', text }, ...call],
    ...MODEL,
    usage: {
      input: 1200,
      output: 180,
      cacheRead: 24_000,
      cacheWrite: 900,
      totalTokens: 26_280,
      cost: { input: 0.0036, output: 0.0027, cacheRead: 0.0072, cacheWrite: 0.0034, total: 0.0169 },
    },
    stopReason: callId === null ? 'stop' : 'toolUse',
    timestamp: TIME,
  }
}

function toolResult(toolCallId: string, text: string): Message {
  const content = [{ type: 'text', text }]
  return { role: 'toolResult', toolCallId, toolName: 'bash', content, isError: false, timestamp: TIME }
}

const WORDS =
  'the parser keeps one chunk in memory, "quotes" and paths like src/main/index.ts:42 need care\n'.split(' ')

/** Text of `chars` characters that differs with `seed`; with quotes and line ends, as output has them. */
function prose(seed: number, chars: number): string {
  let text = ''
  for (let at = seed; text.length < chars; at += 1 + (seed % 5)) text += `${WORDS[at % WORDS.length]} `
  return text.slice(0, chars)
}
