/** Token counts and prices as omp records them with each assistant message. */

/** Models of the samples: how omp names them, and dollars for a million tokens. */
export const MODELS = {
  sonnet: {
    provider: 'anthropic',
    id: 'claude-sonnet-5',
    api: 'anthropic-messages',
    price: [3, 15, 0.3, 3.75],
  },
  opus: {
    provider: 'anthropic',
    id: 'claude-opus-4-5',
    api: 'anthropic-messages',
    price: [5, 25, 0.5, 6.25],
  },
  haiku: {
    provider: 'anthropic',
    id: 'claude-haiku-4-5',
    api: 'anthropic-messages',
    price: [1, 5, 0.1, 1.25],
  },
  codex: { provider: 'openai-codex', id: 'gpt-5.4', api: 'openai-codex-responses', price: [2, 12, 0.2, 0] },
  gemini: { provider: 'google', id: 'gemini-3-pro', api: 'google-generative-ai', price: [2, 12, 0.2, 0] },
  local: { provider: 'ollama', id: 'qwen3.5:9b', api: 'ollama', price: [0, 0, 0, 0] },
}

const dollars = (tokens, perMillion) => Math.round(tokens * perMillion) / 1e6

/** A usage record with cost: `context` tokens in the prompt, most of them cached, and `output` new ones. */
export function usageOf(model, context, output) {
  const cacheRead = Math.floor(context * 0.92)
  const cacheWrite = model.price[3] === 0 ? 0 : Math.floor((context - cacheRead) * 0.6)
  const input = context - cacheRead - cacheWrite
  const cost = {
    input: dollars(input, model.price[0]),
    output: dollars(output, model.price[1]),
    cacheRead: dollars(cacheRead, model.price[2]),
    cacheWrite: dollars(cacheWrite, model.price[3]),
  }
  const total = Math.round((cost.input + cost.output + cost.cacheRead + cost.cacheWrite) * 1e6) / 1e6
  return { input, output, cacheRead, cacheWrite, totalTokens: context + output, cost: { ...cost, total } }
}

/** The usage of a call that never reached the model. */
export function noUsage() {
  const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  return { ...zero, totalTokens: 0, cost: { ...zero, total: 0 } }
}
