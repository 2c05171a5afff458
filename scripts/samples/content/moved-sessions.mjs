/** Sessions of projects whose folder is gone, renamed, on another volume, or on another system. */
import { bash, edit, grep, read } from '../tool-calls.mjs'
import { addShort } from './short-session.mjs'

function oldApp(library) {
  addShort(library, 'old-app', 'old-login', { title: 'Move the login to the new form', days: 40 }, [
    { you: 'The login page still uses the old form component. Move it to the new one.' },
    {
      calls: [grep('OldForm', 'src', { 'src/login.jsx': [[4, "import { OldForm } from './old-form.jsx'"]] })],
    },
    {
      calls: [
        edit('src/login.jsx', [
          "-4 import { OldForm } from './old-form.jsx'",
          "+4 import { Form } from './form.jsx'",
        ]),
      ],
    },
    { agent: 'Done. `OldForm` has no other users; you can delete it.' },
    s => s.exit(),
  ])
  addShort(
    library,
    'old-app',
    'old-build',
    {
      title: 'Why is the bundle 4 MB',
      titleSource: 'user',
      days: 38,
      artifacts: { '0.bash.log': 'moment.js 290 kB\nlodash.js 70 kB\nicons.js 3.1 MB\n' },
    },
    [
      { you: 'Why is the bundle 4 MB?' },
      {
        calls: [
          bash('npx esbuild --analyze src/main.jsx', 'icons.js   3.1 MB  77.0%\nmoment.js  290 kB   7.0%', {
            seconds: 2.2,
          }),
        ],
      },
      { agent: 'Three quarters of it are icons: `icons.js` imports the whole set for five of them.' },
      { you: 'And the rest?' },
      { agent: 'Moment with all its locales, and the app itself: 310 kB.' },
    ],
  )
  addShort(
    library,
    'old-app',
    'old-goodbye',
    {
      title: 'Archive this project',
      days: 35,
      draft: 'Before you archive it: is the domain still in use? Check the DNS',
    },
    [
      { you: 'Write a last note into the README: archived, see shop-desktop.' },
      { calls: [edit('README.md', ['+1 > Archived in October. The work goes on in shop-desktop.'])] },
      { agent: 'The note is the first line of the README now.' },
    ],
  )
}

function uploadService(library) {
  const first = addShort(
    library,
    'upload-service',
    'queue',
    {
      title: 'A queue between upload and scan',
      days: 9,
      tags: ['renamed'],
      artifacts: {
        '0.bash.log': 'queue: 0 waiting\nscan: idle\n',
        'local/queue.md': '# Queue\n\nOne writer, many readers.\n',
      },
    },
    [
      { you: 'Uploads wait for the virus scan. Put a queue between them.' },
      { calls: [read('src/worker.ts', 'export const queue = []\n')] },
      {
        calls: [
          edit('src/worker.ts', [
            '-1 export const queue = []',
            '+1 export const queue = new Queue({ limit: 64 })',
          ]),
        ],
      },
      { agent: 'Uploads answer at once now; the scan takes its work from a queue of at most 64.' },
      { you: 'What happens when it is full?' },
      {
        agent:
          'The upload waits for a place, at most ten seconds, then answers `503` with `Retry-After: 10`.',
      },
    ],
  )
  addShort(
    library,
    'upload-service',
    'metrics',
    { title: 'Count what the queue does', days: 7, tags: ['renamed'] },
    [
      { you: 'Add metrics: how long, how many, how many refused.' },
      {
        calls: [bash('npm test -- queue', '\u001b[32m✔\u001b[39m counts what it refuses', { seconds: 0.9 })],
      },
      { agent: 'Three counters and one histogram, under `/metrics`.' },
    ],
  )
  const draft =
    'Now that it is called upload-worker: rename the metrics as well, but keep the old names for a while'
  addShort(
    library,
    'upload-service',
    'name',
    {
      title: 'A better name for the service',
      titleSource: 'user',
      days: 6,
      tags: ['renamed', 'draft'],
      draft,
    },
    [
      {
        you: 'It does not serve anything any more, it only works through the queue. What should it be called?',
      },
      { agent: '`upload-worker`. It says what it does, and the metrics already call it a worker.' },
    ],
  )
  // The new place already has a file of that name: a clash when the old sessions are moved there.
  addShort(
    library,
    'upload-worker',
    'clash',
    {
      title: 'The same file name in the new place',
      days: 9,
      id: first.id,
      fileName: first.fileName,
      kind: 'clash',
      tags: ['name-clash'],
    },
    [
      { you: 'Start again here: what is in this folder?' },
      { agent: 'A worker with a queue, one source file, no tests yet.' },
    ],
  )
}

function acme(library) {
  addShort(
    library,
    'acme/web',
    'landing',
    { title: 'Landing page in one file', days: 20, tags: ['renamed'] },
    [
      { you: 'Make the landing page work without JavaScript.' },
      { calls: [bash('wc -c index.html', '3120 index.html')] },
      { agent: 'One file of 3 KB; the menu is a `<details>` element.' },
    ],
  )
  addShort(
    library,
    'acme/api',
    'invoices',
    {
      title: 'Invoices round to the cent',
      days: 19,
      tags: ['renamed'],
      artifacts: { '0.bash.log': 'ok  example.org/acme/api/invoice 0.021s\n' },
    },
    [
      { you: 'An invoice of three items at 33.33 is one cent off.' },
      { calls: [bash('go test ./invoice', 'ok  example.org/acme/api/invoice 0.021s', { seconds: 1.4 })] },
      { agent: 'The sum is rounded once now, at the end, not once per line.' },
    ],
  )
  addShort(library, 'acme/docs', 'guide', { title: '', days: 18, tags: ['renamed', 'untitled'] }, [
    { you: 'Shorten the guide to one page' },
    { agent: 'From 2,100 words to 480. Nothing that a reader does in the first week was dropped.' },
  ])
}

function elsewhere(library) {
  addShort(
    library,
    'scratch',
    'usb',
    { title: 'Recover the photos from the card', days: 25, tags: ['unreachable'] },
    [
      { you: 'Is anything left on this card?' },
      {
        calls: [
          bash('file -s /dev/sdb1', '/dev/sdb1: DOS/MBR boot sector, code offset 0x58', { seconds: 0.2 }),
        ],
      },
      { agent: 'The file system is intact; 214 pictures can be read.' },
    ],
  )
  addShort(
    library,
    'shop-desktop',
    'windows',
    { title: 'Installer for Windows', days: 16, tags: ['other-system'] },
    [
      { you: 'The installer asks for admin rights. It should not.' },
      {
        calls: [bash('findstr /n "requestedExecutionLevel" installer.nsi', '12:RequestExecutionLevel admin')],
      },
      { agent: 'It installs into `%LOCALAPPDATA%` now and asks for nothing.' },
    ],
  )
}

export function addMovedSessions(library) {
  oldApp(library)
  uploadService(library)
  acme(library)
  elsewhere(library)
}
