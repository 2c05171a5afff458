/** One session for each status and for each way a session can end, the drafts among them. */
import { buildSession } from '../session-writer.mjs'
import { bash, read } from '../tool-calls.mjs'
import { addShort } from './short-session.mjs'

const PROJECT = 'grove-api'

function drafts(library) {
  const nightly = 'wake up and check the nightly'
  addShort(
    library,
    PROJECT,
    'nightly',
    { days: 6, kind: 'pending', tags: ['pending', 'untitled', 'draft', 'already-sent'], draft: nightly },
    [{ you: nightly }],
  )
  const s = buildSession({
    seed: 'draft-only',
    cwd: library.projects.get(PROJECT).cwd,
    start: library.ago({ hours: 20 }),
  })
  library.session(PROJECT, 'draft-only', s, {
    kind: 'draft-only',
    tags: ['draft', 'draft-only', 'untitled'],
    draft:
      'Idea: let the server tell the client how long its answers stay fresh,\nso that the client needs no rule of its own.\n\n- what about lists?\n- and after a write',
    draftOnly: true,
  })
  addShort(
    library,
    PROJECT,
    'draft-long',
    {
      title: 'Names for the upload states',
      titleSource: 'user',
      days: 3,
      tags: ['draft'],
      draft:
        '`received`, `written`, `named`: yes. But please check first whether `received` is used anywhere else,\nthe download has something similar, I think.\n',
    },
    [
      { you: 'The upload has three states now. Give them names.' },
      { agent: '`received`, `written`, `named`. Only `named` is told to the client.' },
    ],
  )
}

function endings(library) {
  addShort(
    library,
    PROJECT,
    'aborted',
    { title: 'Delete the generated files', days: 8, kind: 'aborted', tags: ['aborted'] },
    [
      { you: 'Delete all generated files' },
      s =>
        s.step({
          text: 'These would go:',
          calls: [
            bash('git clean -ndX', 'Would remove dist/\nWould remove coverage/\nWould remove .env', {
              seconds: 0.02,
            }),
          ],
        }),
      s =>
        s.assistant([], {
          stop: 'aborted',
          errorMessage: 'Interrupted by user',
          errorId: 67_112_960,
          seconds: 2,
        }),
      s => s.exit('SIGINT', 'signal'),
    ],
  )
  addShort(
    library,
    PROJECT,
    'cut-short',
    { title: 'A long table of status codes', days: 13, kind: 'interrupted', tags: ['interrupted'] },
    [
      { you: 'Make a table of all status codes we send and when' },
      s =>
        s.assistant(
          [
            {
              type: 'text',
              text: '| code | when |\n|---|---|\n| 201 | a file was uploaded |\n| 204 | a file was deleted |\n| 304 | the client has it alre',
            },
          ],
          { stop: 'length' },
        ),
    ],
  )
  addShort(
    library,
    PROJECT,
    'killed',
    {
      title: 'Benchmark the parser',
      days: 14,
      kind: 'interrupted',
      tags: ['interrupted', 'call-without-result'],
    },
    [
      { you: 'How fast is the multipart parser?' },
      s =>
        s.step({
          calls: [
            bash('node bench/multipart.mjs', '', { seconds: 600 }),
            read('bench/multipart.mjs', 'import { bench } from "./bench.mjs"\n'),
          ],
          results: 'none',
        }),
    ],
  )
  addShort(
    library,
    PROJECT,
    'result-last',
    { title: 'Profile the start', days: 14, hours: 3, kind: 'interrupted', tags: ['interrupted'] },
    [
      { you: 'Why does the server take two seconds to start?' },
      { calls: [bash('node --cpu-prof src/server.mjs', 'Wrote CPU.20261106.cpuprofile', { seconds: 4.2 })] },
      s => s.exit('SIGTERM', 'signal'),
    ],
  )
  addShort(
    library,
    PROJECT,
    'no-cost',
    { title: 'Try the local model', days: 17, model: 'local', tags: ['usage-without-cost'] },
    [
      { you: 'Say in one sentence what this project does.' },
      s =>
        s.say('It takes files in and gives them out again.', {
          usage: { input: 8_120, output: 14, cacheRead: 0, cacheWrite: 0, totalTokens: 8_134 },
        }),
      { you: 'And in one word?' },
      { agent: 'Files.' },
    ],
  )
}

/** The last line is a label far from the newest message: omp resumes a dead end. */
function staleTip(library) {
  addShort(
    library,
    PROJECT,
    'stale-tip',
    {
      title: 'Tidy the log messages',
      days: 4,
      hours: 5,
      kind: 'stale-tip',
      tags: ['stale-tip', 'branches'],
    },
    [
      { you: 'Go through the log messages. They should be sentences.' },
      { calls: [bash('grep -rn "log\\." src | wc -l', '41')] },
      s => {
        s.early = s.say('Forty-one messages. I will begin with the errors; those are read at night.')
      },
      { you: 'Good. Errors first, then warnings.' },
      { calls: [bash('npm run lint', '\u001b[32m0 problems\u001b[39m', { seconds: 3.1 })] },
      { agent: 'All nine errors say now what happened, to which file, and what to do.' },
      { you: 'Warnings as well' },
      { agent: 'Fourteen warnings; five were not warnings but notes, and have that level now.' },
      s => {
        s.newestTip = s.leaf
        s.wait(7_200)
        s.from(s.early).label(s.early, 'plan')
        s.exit()
      },
    ],
  )
}

/** Three roots: two conversations began again from nothing in the same file. */
function severalRoots(library) {
  addShort(
    library,
    PROJECT,
    'several-roots',
    { title: 'Which test runner', days: 15, kind: 'roots', tags: ['several-roots', 'branches'] },
    [
      { you: 'Compare node:test and vitest for this project.' },
      {
        agent:
          '`node:test` needs nothing; vitest knows TypeScript and watches. We have no TypeScript in the tests.',
      },
      s => s.branchFrom(null, 'Compared the two by features; node:test is enough.'),
      { you: 'Compare them by speed only' },
      { agent: '`node:test` 1.9 s, vitest 3.4 s, for the same 212 tests.' },
      s => s.from(null),
      { you: 'And what would moving cost?' },
      { agent: 'About two hours: the assertions differ, the mocks do not.' },
    ],
  )
}

export function addStatusSessions(library) {
  drafts(library)
  endings(library)
  staleTip(library)
  severalRoots(library)
}
