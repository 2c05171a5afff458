/** Messages as omp records them, and calls that append them: what an omp that talks to a model would do. */
import { chart, rings, sunset } from '../samples/pictures.mjs'

const usage = (input, output, cost) => ({
  input,
  output,
  cacheRead: 7,
  cacheWrite: 3,
  totalTokens: input + output + 10,
  cost: { input: cost / 2, output: cost / 2, cacheRead: 0, cacheWrite: 0, total: cost },
})

const MODEL = { api: 'anthropic-messages', provider: 'anthropic', model: 'mock' }

export const user = content => ({ role: 'user', content, timestamp: Date.now() })

export const assistant = (content, { stopReason = 'stop', tokens = [11, 5], cost = 0.25 } = {}) => ({
  role: 'assistant',
  content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  ...MODEL,
  usage: usage(...tokens, cost),
  stopReason,
  timestamp: Date.now(),
})

export const toolCall = (id, name, args) => ({ type: 'toolCall', id, name, arguments: args })

export const toolResult = (toolCallId, toolName, content, more = {}) => ({
  role: 'toolResult',
  toolCallId,
  toolName,
  content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  isError: false,
  timestamp: Date.now(),
  ...more,
})

export const modelUsage = { purpose: 'title', ...MODEL, usage: usage(2, 1, 0.125), stopReason: 'stop' }

/** Pictures large enough for omp to keep them as blobs. */
export const PICTURES = { sunset: sunset(), chart: chart(), rings: rings() }

export const image = picture => ({ type: 'image', data: picture.toString('base64'), mimeType: 'image/png' })

export const text = value => ({ type: 'text', text: value })

/** A call that appends a message; `as` names the entry for later calls. */
export const append = (message, as) => ({ call: 'appendMessage', args: [message], as })

/** A short conversation. */
export const turn = (question, answer) => [append(user(question)), append(assistant(answer))]
