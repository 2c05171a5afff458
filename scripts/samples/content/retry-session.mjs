/** "Add retry to the client": two branches, the user's own shell and Python, mentioned files, a developer note. */
import { buildSession } from '../session-writer.mjs'
import { bash, edit, editRejected, grep, otherTool, read, write } from '../tool-calls.mjs'

const CLIENT_TS = `export async function get(url, options = {}) {
  const response = await fetch(url, options)
  if (!response.ok) throw new HttpError(response.status, url)
  return response
}
`

const RETRY_TS = `import { setTimeout as sleep } from 'node:timers/promises'

/** Waits between tries, in ms: full jitter, so that clients do not come back in step. */
export function* delays({ tries = 3, base = 200, cap = 5_000, random = Math.random } = {}) {
  for (let n = 0; n < tries - 1; n++) yield Math.floor(random() * Math.min(cap, base * 2 ** n))
}

export async function withRetry(work, options) {
  for (const ms of delays(options)) {
    try {
      return await work()
    } catch (error) {
      if (!isWorthRetrying(error)) throw error
      await sleep(ms)
    }
  }
  return work()
}
`

const JITTER_PY =
  'import random\nrandom.seed(7)\nprint([int(random.random() * min(5000, 200 * 2**n)) for n in range(6)])'

export function addRetrySession(library) {
  const { cwd } = library.projects.get('grove-api')
  const s = buildSession({
    seed: 'retry',
    cwd,
    start: library.ago({ hours: 6 }),
    model: 'codex',
    thinking: 'medium',
  })
  s.entry('credential_pin', { provider: 'openai-codex', hash: s.random.hex(64) })
  s.message({
    role: 'fileMention',
    files: [
      { path: 'src/client.ts', content: CLIENT_TS, lineCount: 5, byteSize: Buffer.byteLength(CLIENT_TS) },
      { path: 'fixtures/big.bin', content: '', byteSize: 73_400_320, skippedReason: 'tooLarge' },
    ],
  })
  s.user('Give the client a retry with back-off, three tries in all. @src/client.ts')
  s.rename('Add retry to the client', 'user')
  s.step({
    think:
      'Which errors are worth a retry? 429, 502, 503, 504 and network errors. Never after a body was consumed, never for POST without an idempotency key.',
    calls: [
      grep('get\\(', 'src', {
        'src/sync.ts': [
          [12, '  const list = await get(`/v1/files`)'],
          [40, '  await get(next)'],
        ],
        'src/login.ts': [[8, 'const me = await get("/v1/me")']],
      }),
    ],
  })
  s.step({ calls: [write('src/retry.ts', RETRY_TS, { intent: 'the waits and the loop' })] })
  s.message({
    role: 'pythonExecution',
    code: JITTER_PY,
    output: '[64, 60, 520, 115, 1714, 2332]\n',
    exitCode: 0,
    cancelled: false,
    truncated: false,
  })
  const design = s.say(
    'Three tries, waits of up to 200 and 400 ms with full jitter. Retried are `429`, `502`, `503`, `504` and broken connections:\n\n1. `GET`, `HEAD`, `PUT`, `DELETE` always,\n2. `POST` only with an `Idempotency-Key`,\n3. nothing after the first byte of the body was handed on.',
  )
  s.user('Use a library instead?', { seconds: 75 })
  s.step({
    calls: [
      otherTool(
        'mcp__registry__search',
        { query: 'fetch retry' },
        'p-retry 7.1.0 — Retry a promise-returning function\nfetch-retry 6.0.0 — Extend any fetch library with retry',
        { serverName: 'registry', mcpToolName: 'search' },
      ),
    ],
  })
  s.say(
    'Both are fine, but each is larger than the 20 lines here, and neither knows our idempotency keys. I would keep our own.',
  )
  s.label(s.leaf, 'decided against a library')
  s.branchFrom(design, '')
  s.user('Keep it. Now wire it into the client, and honour Retry-After', { seconds: 200 })
  s.step({
    text: 'First try of the edit, against what I remember of the file:',
    calls: [
      editRejected(
        'src/client.ts',
        'Could not find the exact text in src/client.ts. The old text must match exactly.',
      ),
      read('src/client.ts', CLIENT_TS),
    ],
    results: 'reversed',
  })
  s.step({
    calls: [
      edit('src/client.ts', [
        ' 1 export async function get(url, options = {}) {',
        '-2   const response = await fetch(url, options)',
        '-3   if (!response.ok) throw new HttpError(response.status, url)',
        '-4   return response',
        '+2   return withRetry(async () => {',
        '+3     const response = await fetch(url, options)',
        '+4     if (!response.ok) throw new HttpError(response.status, url, response.headers.get("retry-after"))',
        '+5     return response',
        '+6   }, options.retry)',
        ' 7 }',
      ]),
    ],
  })
  s.message({
    role: 'bashExecution',
    command: 'npm test -- client',
    output:
      '\u001b[32m✔\u001b[39m three tries, then the error\n\u001b[32m✔\u001b[39m waits as long as Retry-After says\n\u001b[33m⚠\u001b[39m slow: 1.2 s\n',
    exitCode: 0,
    cancelled: false,
    truncated: false,
  })
  s.message({
    role: 'bashExecution',
    command: 'curl -sI https://status.example.org',
    output: '',
    cancelled: true,
    truncated: false,
    excludeFromContext: true,
  })
  s.message({
    role: 'developer',
    content: [
      {
        type: 'text',
        text: '<system-reminder>\nThe file src/client.ts changed on disk since it was read.\n</system-reminder>',
      },
    ],
    attribution: 'agent',
  })
  s.step({
    calls: [
      bash(
        'git diff --stat',
        ' src/client.ts | 9 +++++++--\n src/retry.ts  | 19 +++++++++++++++++++\n 2 files changed, 26 insertions(+), 2 deletions(-)',
        { seconds: 0.03 },
      ),
    ],
  })
  s.say(
    'The client retries now. `Retry-After` wins over the computed wait, up to 30 s; beyond that the error is handed on at once.',
  )
  s.entry('model_usage', {
    purpose: 'title',
    role: 'tiny',
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: 'claude-haiku-4-5',
    usage: {
      input: 310,
      output: 9,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 319,
      cost: { input: 0.00031, output: 0.000045, cacheRead: 0, cacheWrite: 0, total: 0.000355 },
    },
    stopReason: 'stop',
  })
  return library.session('grove-api', 'retry', s, {
    kind: 'branched',
    tags: ['branches', 'file-mention', 'bash-execution', 'python-execution', 'developer'],
  })
}
