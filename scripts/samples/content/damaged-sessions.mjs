/** Sessions with damage that happens to real files; the project is `infra`. */
import { bash } from '../tool-calls.mjs'
import { shortSession } from './short-session.mjs'

function damaged(library, key, title, days, turns) {
  const { cwd } = library.projects.get('infra')
  return shortSession({ seed: `damaged/${key}`, cwd, start: library.ago({ days }), title }, turns)
}

const TURNS = [
  { you: 'The runner restarts every night at three. Why?' },
  {
    calls: [
      bash(
        'journalctl -u runner --since yesterday | tail -2',
        'systemd[1]: runner.service: A process was killed by the OOM killer.\nsystemd[1]: runner.service: Scheduled restart job.',
      ),
    ],
  },
]

export function addDamagedSessions(library) {
  const broken = damaged(library, 'broken-middle', 'The runner restarts at night', 12, TURNS)
  broken.raw('{"type":"message","id":"5e1f00aa","parentId":"', { reason: 'invalid-json' })
  broken.say('The backup runs at three and takes all the memory. Give it a limit of 512 MB.')
  library.session('infra', 'broken-middle', broken, { kind: 'damaged', tags: ['damaged'] })

  const cut = damaged(library, 'torn-tail', 'Rotate the certificates', 11, [
    { you: 'Rotate the certificates before they expire.' },
    { agent: 'They expire on 4 December. I will rotate them now and reload the proxy.' },
  ])
  cut.raw('{"type":"message","id":"77aa01bc","parentId":"1c2d', { end: '' })
  library.session('infra', 'torn-tail', cut, {
    kind: 'damaged',
    tags: ['damaged', 'torn-tail'],
    facts: { pendingTail: true },
  })

  const nul = damaged(library, 'null-line', 'Disk of the build host', 10, [
    { you: 'How full is the disk of the build host?' },
    s => s.raw('null', { reason: 'not-an-object' }),
    { agent: 'At 91 %. Two thirds of it are old images.' },
  ])
  library.session('infra', 'null-line', nul, { kind: 'damaged', tags: ['damaged'] })
}
