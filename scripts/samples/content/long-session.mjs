/** "Port the tests to node:test": 2,000 entries, so that long lists have something to do. */
import { buildSession } from '../session-writer.mjs'
import { bash, edit, grep, read } from '../tool-calls.mjs'

export const LONG_SESSION_ENTRIES = 2_000

const AREAS = [
  'upload',
  'download',
  'client',
  'retry',
  'cache',
  'config',
  'journal',
  'locks',
  'blobs',
  'routes',
  'auth',
  'limits',
]
const ASPECTS = [
  'empty input',
  'a slow disk',
  'two writers',
  'a closed connection',
  'a long name',
  'no permission',
  'a full disk',
  'the same file twice',
  'an old version',
  'a time in the future',
]
const FINDINGS = [
  'The old helper waited for a timer; the new one waits for the event itself.',
  'One assertion compared a string with a number and had always passed.',
  'It left a temporary folder behind; `t.after` removes it now.',
  'The mock was wider than what it stood for. It is gone; the real thing takes 3 ms.',
  'Nothing to change but the imports.',
  'This one was skipped since March, for a fault that was mended in April. It runs again.',
]

function portOne(s, n) {
  const area = AREAS[n % AREAS.length]
  const aspect = ASPECTS[Math.floor(n / AREAS.length) % ASPECTS.length]
  const file = `test/${area}/${aspect.replaceAll(' ', '-')}.test.mjs`
  s.user(n % 9 === 4 ? `Careful with ${area}: ${aspect} was flaky once.` : `Next: ${area}, ${aspect}.`, {
    seconds: 25 + (n % 7) * 11,
  })
  s.step({
    ...(n % 4 === 0
      ? { think: `What does the test of ${area} assume about ${aspect}? Read it before moving anything.` }
      : {}),
    calls: [
      read(
        file,
        `import { expect, it } from 'vitest'\n\nit('${area}: ${aspect}', async () => {\n  expect(await run('${aspect}')).toBe(true)\n})\n`,
      ),
    ],
  })
  if (n % 3 === 0)
    s.step({
      calls: [
        grep(`run\\('${aspect}`, 'test', { [file]: [[4, `  expect(await run('${aspect}')).toBe(true)`]] }),
      ],
    })
  s.step({
    calls: [
      edit(file, [
        "-1 import { expect, it } from 'vitest'",
        "+1 import assert from 'node:assert/strict'",
        "+2 import { test } from 'node:test'",
        ' 3 ',
        `-4   expect(await run('${aspect}')).toBe(true)`,
        `+4   assert.equal(await run('${aspect}'), true)`,
      ]),
    ],
  })
  const failed = n % 8 === 5
  s.step({
    calls: [
      bash(
        `node --test ${file}`,
        failed ? `\u001b[31m✖\u001b[39m ${area}: ${aspect}` : `\u001b[32m✔\u001b[39m ${area}: ${aspect}`,
        { exit: failed ? 1 : 0, seconds: 0.2 + (n % 10) / 10 },
      ),
    ],
  })
  s.say(
    failed
      ? `Fails for ${aspect}, as it should have before: the old runner swallowed the rejection. Noted in \`PORTING.md\`.`
      : FINDINGS[n % FINDINGS.length],
  )
}

export function addLongSession(library) {
  const { cwd } = library.projects.get('grove-api')
  const s = buildSession({
    seed: 'long',
    cwd,
    start: library.ago({ days: 3 }),
    title: 'Port the tests to node:test',
    titleSource: 'user',
  })
  s.user('Port all tests from vitest to node:test, one file at a time. Tell me what you find on the way.')
  s.say(
    'There are 120 files in twelve areas. I will take them area by area and run each file before the next.',
  )
  const marks = []
  for (let n = 0; s.entries().length < LONG_SESSION_ENTRIES - 24; n++) {
    const before = s.leaf
    portOne(s, n)
    if (n % 40 === 20) marks.push(s.leaf)
    if (n % 60 === 45)
      s.compaction(`## Ported so far\n\n${n + 1} files. The last one: ${AREAS[n % AREAS.length]}.`, {
        shortSummary: `${n + 1} files ported`,
        firstKeptEntryId: before,
        tokensAfter: 11_000,
      })
  }
  for (const [i, id] of marks.entries()) s.label(id, `checkpoint ${i + 1}`)
  while (s.entries().length < LONG_SESSION_ENTRIES - 1) s.custom('goal-progress', { ported: 120, of: 120 })
  s.say(
    'All files are ported. The whole run takes 1.9 s instead of 3.4 s, and nine tests that could not fail can fail now.',
  )
  return library.session('grove-api', 'long', s, { kind: 'long', tags: ['long', 'compaction', 'labels'] })
}
