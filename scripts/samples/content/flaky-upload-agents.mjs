/** The scout of "Fix the flaky upload test", with a helper of its own, and the advisor's transcript. */
import { buildSession } from '../session-writer.mjs'
import { bash, grep, read } from '../tool-calls.mjs'

const PROMPT =
  'Look through the logs of the last ten nights. On which nights did the upload test fail, and what else ran on the machine?'
const OUTPUT =
  'The test failed on six of ten nights. On all six a second job (`docs`) ran on the same machine; on the other four none did.'

function agentSession(seed, cwd, start, { agent, task, tools, model = 'haiku' }) {
  const s = buildSession({ seed, cwd, start, model, thinking: 'low' })
  s.entry('session_init', {
    systemPrompt: `You are ${agent}, a subagent. Answer the task and nothing else.`,
    task,
    tools,
    agent,
    modelRole: 'smol',
    resolvedModel: `${s.model.provider}/${s.model.id}`,
    readOnly: true,
    spawns: agent === 'scout' ? 'helper' : '',
  })
  s.user(`Complete assignment thoroughly:\n\n${task}`, { seconds: 1 })
  return s
}

function scout(parent) {
  const s = agentSession('flaky-upload/Scout', parent.cwd, parent.start + 600_000, {
    agent: 'scout',
    task: PROMPT,
    tools: ['read', 'grep', 'glob', 'bash'],
  })
  s.step({
    calls: [
      bash(
        'ls ci-logs',
        'night-01.log  night-02.log  night-03.log  night-04.log  night-05.log\nnight-06.log  night-07.log  night-08.log  night-09.log  night-10.log',
      ),
    ],
  })
  s.step({
    calls: [
      grep('FAIL|job docs', 'ci-logs', {
        'ci-logs/night-01.log': [
          [212, 'FAIL a file is there after its upload'],
          [214, 'job docs: still running'],
        ],
        'ci-logs/night-03.log': [[198, 'FAIL a file is there after its upload']],
      }),
    ],
  })
  s.say(OUTPUT)
  return s
}

function helper(parent) {
  const s = agentSession('flaky-upload/Scout.Helper', parent.cwd, parent.start + 640_000, {
    agent: 'helper',
    task: 'Read night-03.log and tell whether the docs job ran.',
    tools: ['read'],
  })
  s.step({
    calls: [
      read(
        'ci-logs/night-03.log',
        '21:02 job docs: start\n21:04 job test: start\n21:05 FAIL a file is there after its upload\n',
        { from: 196 },
      ),
    ],
  })
  s.say('Yes: `docs` started two minutes before `test` on that night.')
  return s
}

function advisor(parent) {
  const s = agentSession('flaky-upload/advisor', parent.cwd, parent.start + 700_000, {
    agent: 'advisor',
    task: 'Watch the conversation and speak up when something is overlooked.',
    tools: [],
    model: 'opus',
  })
  s.say(
    'Raising the number of tries would make the test pass without making the promise true. Wait for the rename instead.',
  )
  return s
}

/** What the parent says about its scout, and the subagent files themselves. */
export function scoutSessions(parent) {
  return {
    prompt: PROMPT,
    output: OUTPUT,
    subagents: () => [
      {
        name: 'Scout',
        writer: scout(parent),
        output: `# Nights with failures\n\n${OUTPUT}\n\n| night | failed | second job |\n|---|---|---|\n| 1 | yes | docs |\n| 2 | no | |\n| 3 | yes | docs |\n`,
        json: { failed: [1, 3, 4, 6, 8, 9], secondJob: 'docs' },
        children: [{ name: 'Helper', writer: helper(parent), output: 'The docs job ran.\n' }],
      },
      { name: '__advisor', writer: advisor(parent), advisor: true },
    ],
  }
}
