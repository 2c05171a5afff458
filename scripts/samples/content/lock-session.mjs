/** "Explain the lock file protocol": a plain conversation with tables, code and a plan mode. */
import { grep, write } from '../tool-calls.mjs'
import { addShort } from './short-session.mjs'

const PROTOCOL = `A writer does this, in this order:

1. create \`.name.lock\` **exclusively** (\`O_EXCL\`); whoever gets \`EEXIST\` waits 2 ms and tries again, for half a second;
2. write \`<pid>:<time>\` into it and read it back: only then it is ours;
3. append to the journal, one buffer, until all bytes are written;
4. unlink the lock file.

\`\`\`ts
const lock = await open(\`.\${name}.lock\`, 'wx', 0o600)
await lock.write(\`\${process.pid}:\${Date.now()}\\n\`)
\`\`\`

> A lock file is a promise between those who ask for it. Nothing stops a program that does not ask.`

const CASES = `| the holder | the lock file | what to do |
|:--|:--|:--|
| is alive | well formed | wait, then give up with its pid |
| is dead | well formed | take it over |
| unknown | empty, younger than 500 ms | wait: it is being written |
| unknown | empty, older | take it over |`

export function addLockSession(library) {
  addShort(
    library,
    'grove-api',
    'locks',
    {
      title: 'Explain the lock file protocol',
      titleSource: 'auto',
      days: 4,
      hours: 2,
      tags: ['markdown', 'mode-change'],
      artifacts: { 'local/locks.md': `# Locks\n\n${PROTOCOL}\n\n${CASES}\n` },
    },
    [
      s => s.entry('mode_change', { mode: 'plan', data: { planPath: 'local://locks.md' } }),
      { you: 'How do two processes share one journal?' },
      {
        calls: [
          grep('\\.lock', 'src', {
            'src/journal.ts': [[88, 'const lock = path.join(dir, lockName(name))']],
          }),
        ],
      },
      { agent: PROTOCOL, think: 'The order is what matters. Say what happens when each step fails.' },
      { you: 'And if the holder dies?' },
      { agent: CASES },
      { you: 'Why half a second?' },
      {
        agent:
          'Because an append takes about 70 µs. Whoever holds the lock 7,000 times longer is not appending any more.\n\nTwo things it does *not* protect against:\n\n- a network file system on which `O_EXCL` is not exclusive,\n- a pid that was given to another process.',
      },
      { you: 'Write that down as a plan' },
      { calls: [write('local://locks.md', `# Locks\n\n${PROTOCOL}\n`)] },
      s => s.entry('mode_change', { mode: 'none' }),
      { agent: 'It is in `local://locks.md`.' },
      s => s.exit(),
    ],
  )
}
