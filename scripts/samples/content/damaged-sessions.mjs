/** Sessions with the damage that real files have; the project is `infra`. */
import { JournalWriter } from '../journal-writer.mjs'
import { bash } from '../tool-calls.mjs'
import { addShort } from './short-session.mjs'

const damaged = (library, key, options, turns) =>
  addShort(
    library,
    'infra',
    key,
    { kind: 'damaged', ...options, tags: ['damaged', ...(options.tags ?? [])] },
    turns,
  )

/** Text of an entry that would be a child of the writer's leaf. */
function entryText(s, text) {
  const copy = new JournalWriter({ seed: `${s.id}/${text}`, start: s.clock + 8_000 })
  copy.from(s.leaf).entry('message', { message: { role: 'user', content: text, timestamp: copy.clock } })
  return copy.entries()[0]
}

function brokenLines(library) {
  damaged(library, 'broken-middle', { title: 'The runner restarts at night', days: 12 }, [
    { you: 'The runner restarts every night at three. Why?' },
    {
      calls: [
        bash(
          'journalctl -u runner --since yesterday | tail -2',
          'systemd[1]: runner.service: A process was killed by the OOM killer.\nsystemd[1]: runner.service: Scheduled restart job.',
        ),
      ],
    },
    s => s.raw('{"type":"message","id":"5e1f00aa","parentId":"', { reason: 'invalid-json' }),
    { agent: 'The backup runs at three and takes all the memory. Give it a limit of 512 MB.' },
  ])
  damaged(library, 'glued', { title: 'Two records on one line', days: 11, hours: 12, tags: ['glued'] }, [
    { you: 'Which of the two DNS servers answers first?' },
    s => {
      const first = entryText(s, 'Ask each ten times.')
      s.from(first.id)
      const second = entryText(s, 'And tell me the median.')
      s.raw(JSON.stringify(first) + JSON.stringify(second), { entries: [first, second] })
      s.from(second.id)
    },
    { agent: 'The first one: 11 ms against 14 ms, the median of ten.' },
  ])
  damaged(library, 'null-line', { title: 'Disk of the build host', days: 10 }, [
    { you: 'How full is the disk of the build host?' },
    s => s.raw('null', { reason: 'not-an-object' }),
    { agent: 'At 91 %. Two thirds of it are old images.' },
  ])
}

function tails(library) {
  damaged(
    library,
    'torn-tail',
    { title: 'Rotate the certificates', days: 11, tags: ['torn-tail'], facts: { pendingTail: true } },
    [
      { you: 'Rotate the certificates before they expire.' },
      { agent: 'They expire on 4 December. I will rotate them now and reload the proxy.' },
      s => s.raw('{"type":"message","id":"77aa01bc","parentId":"1c2d', { end: '' }),
    ],
  )
  damaged(
    library,
    'no-final-lf',
    { title: 'Which hosts are on Debian 11', days: 11, hours: 6, tags: ['no-final-lf'] },
    [
      { you: 'Which hosts are still on Debian 11?' },
      { agent: 'Two: `build-3` and `mail`.' },
      s => s.endWith(''),
    ],
  )
  damaged(library, 'nul-tail', { title: 'The power cut', days: 9, hours: 8, tags: ['nul-tail'] }, [
    { you: 'What did the power cut on Tuesday break?' },
    { agent: 'One journal lost its end: a block of zero bytes stands there now.' },
    s => s.raw(Buffer.alloc(512), { reason: 'nul-bytes', end: '' }),
  ])
}

function withoutHead(library) {
  damaged(
    library,
    'no-header',
    {
      title: 'No header',
      days: 9,
      headerLine: null,
      tags: ['no-header'],
      problems: [{ kind: 'header-missing' }],
      facts: { cwd: null, created: null, version: null },
    },
    [{ you: 'Does anything still write to the old bucket?' }, { agent: 'Nothing since 3 October.' }],
  )
  const { directory } = library.projects.get('infra')
  const name = '2026-11-12T04-11-09-220Z_01a1cda4-6ae4-7c11-9b0e-5f3d5a1c7e20.jsonl'
  library.rawFile(`${library.sessionsDir}/${directory}/${name}`, '', {
    key: 'zero-byte',
    project: 'infra',
    at: library.ago({ days: 8 }),
    kind: 'damaged',
    tags: ['damaged', 'zero-byte'],
    problems: [{ kind: 'empty' }],
  })
}

export function addDamagedSessions(library) {
  brokenLines(library)
  tails(library)
  withoutHead(library)
}
