/** The main sample: three branches, labels, a compaction, pictures, artifacts, subagents. */
import { chart } from '../pictures.mjs'
import { buildSession } from '../session-writer.mjs'
import { bash, edit, glob, grep, read, task, todo, write } from '../tool-calls.mjs'
import { MODELS, usageOf } from '../usage.mjs'
import { scoutSessions } from './flaky-upload-agents.mjs'
import * as code from './flaky-upload-code.mjs'

const FAILED_RUNS = [7, 19, 23, 31, 42, 48, 55, 67, 71, 88, 96]

/** From the report to a test that shows the fault; returns the ids the branches start from. */
function findTheFault(s, library) {
  const picture = library.blobs.image(chart())
  const prompt =
    'The upload test fails one run in ten on CI, find out why. Here is the chart of the last ten nights.'
  s.user([{ type: 'text', text: prompt }, picture])
  s.step({
    think:
      'A test that fails one run in ten is a race, or it depends on what ran before it. First look at the test and at what it waits for.',
    text: 'I will read the test and the code it covers.',
    calls: [
      read('test/upload.test.mjs', code.UPLOAD_TEST, { from: 9, intent: 'read the test' }),
      grep('upload\\(', 'src', {
        'src/server.ts': [[31, '  upload(req, dir, name, target => respond(res, 201, target))']],
      }),
      glob('src/**/*.ts', ['src/client.ts', 'src/download.ts', 'src/server.ts', 'src/upload.ts']),
    ],
  })
  s.say(
    'The test posts 64 KiB and looks for the file as soon as the answer is there:\n\n```js\n' +
      'assert.equal(res.status, 201)\nassert.ok(existsSync(path.join(dir, "report.pdf")))\n```\n\n' +
      'So the question is what `201` promises. I have not changed anything yet.',
  )
  const question = s.user('Where does the upload end?', { seconds: 95 })
  s.step({ text: 'In `src/upload.ts`.', calls: [read('src/upload.ts', code.UPLOAD_TS, { from: 1 })] })
  s.step({
    think:
      'rename is not awaited. `done` fires on "end" of the stream; the rename may be anywhere by then. On a fast disk it nearly always wins.',
    calls: [
      bash('node --test test/upload.test.mjs', code.testRun(code.TEST_NAMES), {
        seconds: 1.84,
        intent: 'run the test once',
      }),
      todo('Find the race', [
        ['Read the test and the handler', 'completed'],
        ['Show the failure here', 'in_progress'],
        ['Mend it, and the download as well', 'pending'],
      ]),
    ],
  })
  s.say(
    'There are three moments that could count as the end:\n\n' +
      '| moment | when | what is true then |\n|---|---|---|\n' +
      '| `req` ends | first | all bytes are received |\n| stream `finish` | later | all bytes are written |\n' +
      '| `rename` resolves | last | the file has its name |\n\n' +
      'The handler answers at the **first** one. The test asks for the **last** one.',
    { think: 'A table makes the three moments clear.' },
  )
  s.user('Could it be the disk of the CI machine?', { seconds: 130 })
  const scout = scoutSessions(s)
  s.step({
    text: 'I will let a scout look through the CI logs while I read on.',
    calls: [
      task([
        {
          id: 'Scout',
          agent: 'scout',
          prompt: scout.prompt,
          output: scout.output,
          usage: usageOf(MODELS.haiku, 9_400, 610),
        },
      ]),
    ],
  })
  s.step({
    calls: [
      bash(
        'df -h /tmp && mount | grep /tmp',
        'Filesystem      Size  Used Avail Use% Mounted on\noverlay          40G   31G  8.6G  79% /\ntmpfs on /tmp type tmpfs (rw,nosuid,nodev)',
        { seconds: 0.05 },
      ),
    ],
  })
  s.say(
    'The disk is not full and `/tmp` is a tmpfs in both places. The slow nights are those with **two jobs on one machine**: the scheduler, not the disk.',
  )
  const summary =
    '## So far\n\nThe test `a file is there after its upload` fails about one run in ten on CI and never here.\n\n' +
    '- `upload()` calls `done` on the end of the stream, `rename` is not awaited.\n' +
    '- The disk is not the cause; failures fall on nights with two jobs on one machine.\n\n' +
    '## Next\n\nA test that shows the race on every run, then the change.'
  s.compaction(summary, {
    shortSummary: 'Upload race: cause narrowed down',
    firstKeptEntryId: question,
    tokensBefore: 84_120,
    tokensAfter: 9_040,
    details: { readFiles: ['src/upload.ts', 'test/upload.test.mjs'], modifiedFiles: [] },
  })
  s.user('Write a test that shows it', { seconds: 240 })
  s.step({
    text: 'A rename that takes its time makes the order visible.',
    calls: [
      write('test/upload-race.test.mjs', code.RACE_TEST, { intent: 'add the failing test' }),
      bash(
        'node --test test/upload-race.test.mjs',
        code.testRun(
          ['done is called only when the file has its final name'],
          ['done is called only when the file has its final name'],
        ),
        { exit: 1, seconds: 0.61 },
      ),
    ],
  })
  return s.say(
    'Here is a test that shows it. It fails on **every** run now, because the rename is slowed by 20 ms.',
  )
}

/** The first attempt: a real server, no success. */
function tryRealServer(s) {
  s.wait(180)
  s.user('Try it with a real server')
  const counts = ['0 of 100 failed', '0 of 300 failed', '1 of 1000 failed']
  for (const [i, count] of counts.entries()) {
    s.step({
      text: i === 0 ? 'Starting the server and posting in a loop.' : 'Once more, with more runs.',
      calls: [
        bash(
          `node scripts/hammer.mjs --runs ${[100, 300, 1000][i]}`,
          `server on http://127.0.0.1:40${i}1\n${count}`,
          { exit: i === 2 ? 1 : 0, seconds: 12 + i * 31 },
        ),
      ],
    })
  }
  s.modelChange('opus')
  s.say('With a real server it failed once in a thousand runs, which is too seldom to work with.')
  s.user('Then slow the machine down')
  s.step({
    calls: [
      bash(
        'stress-ng --cpu 8 --timeout 20s & node scripts/hammer.mjs --runs 200',
        'stress-ng: not found\n0 of 200 failed',
        { exit: 127, seconds: 3.1 },
      ),
    ],
  })
  s.say('Gave up: cannot reproduce it with a real server here. The slowed rename is the better tool.')
  s.modelChange('sonnet')
}

/** The second attempt: more tries instead of a cure. */
function raiseTries(s) {
  s.step({
    text: 'The quickest way: let the test look again.',
    calls: [
      edit('test/upload.test.mjs', [
        ' 13   assert.equal(res.status, 201)',
        '-14   assert.ok(existsSync(file))',
        '+14   await eventually(() => existsSync(file), { tries: 5 })',
      ]),
    ],
  })
  s.step({
    calls: [
      bash(
        'for i in $(seq 100); do npm test -- upload || echo FAIL $i; done',
        code.hundredRuns([]).slice(-400),
        { seconds: 51 },
      ),
    ],
  })
  s.say('Passes here with five tries. But it hides the fault: a client that trusts `201` still loses.')
}

/** The cure, the same for the download, the changelog. */
function mendIt(s, { still, shown }) {
  const log = code.hundredRuns(FAILED_RUNS)
  const spilled = {
    id: 0,
    lines: 212,
    bytes: Buffer.byteLength(log),
    notice: 'Showing lines 1-40 and 190-212 of 212; 149 middle lines elided',
  }
  s.step({
    think:
      'Five tries would only hide it. The failure is a race between the answer and the rename. Prove it with the slowed clock first: a hundred runs, count the failures, then change one thing.',
    text: 'The failure is a race: the test asserts on the file as soon as the request ends, but the worker renames it a tick later. I will run it a hundred times with the clock slowed to be sure.',
    calls: [
      bash('for i in $(seq 100); do npm test -- upload || echo FAIL $i; done', log, {
        exit: 1,
        seconds: 48,
        intent: 'a hundred runs',
        artifact: spilled,
      }),
    ],
    seconds: 14,
  })
  s.label(still, 'before the rewrite')
  s.label(shown, 'wip')
  s.step({
    text: 'Eleven of a hundred. Now the change.',
    calls: [edit('src/upload.ts', code.FIX_ROWS, { intent: 'wait for the rename' })],
  })
  const again = code.hundredRuns([])
  s.step({
    calls: [
      bash('for i in $(seq 100); do npm test -- upload || echo FAIL $i; done', again, {
        seconds: 44,
        artifact: { id: 1, lines: 102, bytes: Buffer.byteLength(again), notice: 'Showing lines 1-60 of 102' },
      }),
    ],
  })
  s.say(
    'The rename now finishes before `done` is called. A hundred runs with the slowed clock pass; the same hundred failed eleven times before the change.',
  )
  s.user('Now do the same for download', { seconds: 210 })
  s.step({
    calls: [
      read(
        'src/download.ts',
        'export async function download(url, target) {\n  const partial = target + ".part"\n  const out = createWriteStream(partial)\n  (await fetch(url)).body.pipe(out)\n  await rename(partial, target)\n}\n',
        { from: 18 },
      ),
      edit('src/download.ts', code.DOWNLOAD_ROWS),
    ],
  })
  const green = s.step({
    calls: [
      bash(
        'npm test',
        code.testRun([
          ...code.TEST_NAMES,
          'done is called only when the file has its final name',
          'a download has all its bytes',
        ]),
        { seconds: 2.9 },
      ),
    ],
  })
  s.say(
    '`download` had the mirror image of it: the file got its name while bytes were still on their way. `pipeline` waits for all of them.\n\n```ts\nawait pipeline(response.body, createWriteStream(partial))\nawait rename(partial, target)\n```',
  )
  s.label(green, 'all green')
  s.label(shown)
  s.user('Write the changelog', { seconds: 160 })
  s.step({ calls: [edit('CHANGELOG.md', code.CHANGELOG_ROWS)] })
  s.say(
    'Added an entry under **Fixed**: an upload is done only when the file has its final name; the same for downloads.',
  )
  return { log, again }
}

/** Add the session to the library; returns what was built. */
export function addFlakyUpload(library) {
  const cwd = library.projects.get('grove-api').cwd
  const start = library.ago({ hours: 2, minutes: 55 })
  const s = buildSession({ seed: 'flaky-upload', cwd, start })
  const shown = findTheFault(s, library)
  s.rename('Fix the flaky upload test', 'auto', 'first-turn')
  const fork = s.leaf
  tryRealServer(s)
  s.branchFrom(
    fork,
    'Tried a real server: one failure in a thousand runs, too seldom to work with. The slowed rename shows it at once.',
  )
  const still = s.user(
    'The upload test still fails one run in ten on CI. It never fails here. Find out why before you change anything.',
    { seconds: 900 },
  )
  raiseTries(s)
  s.from(still)
  const logs = mendIt(s, { still, shown })
  const agents = scoutSessions(s)
  return library.session('grove-api', 'flaky-upload', s, {
    kind: 'branched',
    tags: ['branches', 'labels', 'compaction', 'images', 'artifacts', 'subagents', 'starred'],
    starred: true,
    artifacts: {
      '0.bash.log': logs.log,
      '1.bash.log': logs.again,
      'local/plan.md':
        '# Plan\n\n- [x] Read the test and the handler\n- [x] Show the failure here\n- [x] Mend it, and the download as well\n',
      'local/runs.json': `${JSON.stringify({ runs: 100, failed: FAILED_RUNS, slowedByMs: 20 }, null, 2)}\n`,
      'Scout.patch':
        '--- a/.github/workflows/test.yml\n+++ b/.github/workflows/test.yml\n@@ -12,1 +12,1 @@\n-    concurrency: 2\n+    concurrency: 1\n',
    },
    subagents: agents.subagents(),
  })
}
