/** "Migrate the config loader": twelve branches, four subagents, and a last call that failed. */
import { buildSession } from '../session-writer.mjs'
import { bash, edit, grep, read, task } from '../tool-calls.mjs'

/** One attempt for each branch: what was asked, what came out. */
const ATTEMPTS = [
  ['Read YAML and JSON with one loader', 'Works, but error positions are lost for YAML.'],
  ['Keep two loaders, share the schema', 'Two code paths again; the schema is shared at least.'],
  ['Convert all files to JSON5 first', 'Comments survive, key order does not.'],
  ['Generate types from the schema', 'Types are right; the build takes 4 s longer.'],
  ['Generate the schema from the types', 'Faster, but defaults cannot be expressed.'],
  ['Fail on unknown keys', 'Eleven of thirty configs in the field would not start.'],
  ['Warn about unknown keys', 'Every config starts; three warnings in ours.'],
  ['Read the old file and write the new one beside it', 'Nobody looks at the new file; they drift apart.'],
  ['Migrate in memory only', 'The file stays as it is; each start migrates again, in under a millisecond.'],
  ['Migrate on the first write', 'The one that surprises least. Keeps a copy of the old file.'],
  ['Migrate with a command', '`grove-api config migrate` shows a diff and asks.'],
  ['Both: in memory at start, on disk by command', 'No surprise, no drift.'],
]

const AGENTS = ['FieldConfigs', 'SchemaReader', 'DocsWriter', 'Reviewer']

function agent(parent, name, i) {
  const s = buildSession({
    seed: `config/${name}`,
    cwd: parent.cwd,
    start: parent.start + 900_000 + i * 61_000,
    model: 'haiku',
    thinking: 'low',
  })
  s.entry('session_init', {
    systemPrompt: `You are ${name}.`,
    task: `Check the configs from the field, part ${i + 1} of ${AGENTS.length}.`,
    tools: ['read', 'grep'],
    agent: 'task',
    spawns: '',
  })
  s.user(`Check the configs from the field, part ${i + 1} of ${AGENTS.length}.`, { seconds: 1 })
  s.step({
    calls: [
      grep('timeoutMs', `configs/part-${i + 1}`, {
        [`configs/part-${i + 1}/site.yaml`]: [[3 + i, `timeoutMs: ${(i + 1) * 500}`]],
      }),
    ],
  })
  s.say(`${7 + i} configs read, ${i} of them use \`timeoutMs\`, which is \`timeout\` now.`)
  return { name, writer: s, output: `# ${name}\n\n${7 + i} configs read.\n` }
}

export function addConfigSession(library) {
  const { cwd } = library.projects.get('grove-api')
  const s = buildSession({
    seed: 'config',
    cwd,
    start: library.ago({ days: 1, hours: 8 }),
    title: 'Migrate the config loader',
    titleSource: 'auto',
    model: 'opus',
  })
  s.user('Move the config loader to the new schema. Old files must still be read.')
  s.step({
    calls: [
      read('src/config.ts', 'export function load(file) {\n  return parse(readFileSync(file, "utf8"))\n}\n'),
      grep('config\\.', 'src', {
        'src/server.ts': [
          [9, 'listen(config.port)'],
          [10, 'limit(config.timeoutMs)'],
        ],
      }),
    ],
  })
  const agents = AGENTS.map((name, i) => agent(s, name, i))
  s.step({
    text: 'Four agents look at the configs from the field.',
    calls: [
      task(
        AGENTS.map(id => ({
          id,
          agent: 'task',
          prompt: 'Check the configs from the field.',
          output: 'Done, see the report.',
        })),
      ),
    ],
  })
  const plan = s.say(
    'There are twelve ways that make sense. I would try each in a few lines, and then decide with the results side by side.',
  )
  const prompts = []
  const outcomes = []
  for (const [i, [ask, outcome]] of ATTEMPTS.entries()) {
    // The last four hang off the prompt of the third attempt, the others off the plan.
    s.from(i >= 8 ? prompts[2] : plan)
    prompts.push(s.user(`${ask}.`, { seconds: 300 + i * 20 }))
    s.step({
      calls: [
        edit('src/config.ts', [
          ` 1 export function load(file) {`,
          `-2   return parse(readFileSync(file, "utf8"))`,
          `+2   return migrate(parse(readFileSync(file, "utf8")), { way: ${i + 1} })`,
        ]),
      ],
    })
    const failed = i % 5 === 2
    s.step({
      calls: [
        bash(
          'npm test -- config',
          failed
            ? '\u001b[31m✖\u001b[39m reads a file of version 1'
            : '\u001b[32m✔\u001b[39m reads files of versions 1 to 3',
          { exit: failed ? 1 : 0, seconds: 1.1 + i / 10 },
        ),
      ],
    })
    outcomes.push(s.say(outcome))
    if (i === 9) s.label(outcomes[i], 'keep this one')
  }
  s.user('Take the last one and write the release note', { seconds: 500 })
  s.assistant([], {
    stop: 'error',
    errorStatus: 529,
    errorMessage: '529 overloaded_error: Overloaded',
    retryRecovery: {
      kind: 'auto-retry',
      status: 'superseded',
      attempt: 1,
      recovery: 'plain',
      note: 'error; retried',
    },
  })
  s.assistant([], {
    stop: 'error',
    errorStatus: 529,
    errorMessage: 'Retry budget exhausted after 10 retries: 529 overloaded_error: Overloaded',
  })
  return library.session('grove-api', 'config', s, {
    kind: 'branched',
    tags: ['branches', 'many-branches', 'error', 'subagents'],
    subagents: agents,
  })
}
