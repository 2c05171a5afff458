/** One session that holds every kind of entry omp writes, and one kind that no reader knows. */
import { buildSession } from '../session-writer.mjs'
import { bash, otherTool } from '../tool-calls.mjs'

export function addEntryKindsSession(library) {
  const { cwd } = library.projects.get('infra')
  const s = buildSession({
    seed: 'entry-kinds',
    cwd,
    start: library.ago({ days: 2, hours: 4 }),
    header: { additionalDirectories: ['/srv/shared/terraform'] },
  })
  s.entry('service_tier_change', { serviceTier: { openai: 'priority', anthropic: 'auto' } })
  s.entry('credential_pin', { provider: 'anthropic', hash: s.random.hex(64) })
  const first = s.user('The nightly backup takes four hours. Find out where the time goes.')
  s.rename('Where the backup spends its time', 'auto', 'first-turn')
  s.entry('mode_change', { mode: 'plan', data: { planPath: 'local://backup.md' } })
  s.step({
    think: 'Measure before guessing.',
    calls: [
      bash('restic backup --dry-run -v 2>&1 | tail -3', 'processed 1284001 files, 310.2 GiB in 3:58:12', {
        seconds: 41,
      }),
    ],
  })
  s.entry('ttsr_injection', { injectedRules: ['measure-before-change', 'no-root-shell'] })
  s.entry('custom_message', {
    customType: 'ttsr-injection',
    content: '<system-reminder rule="no-root-shell">Use sudo for single commands.</system-reminder>',
    display: false,
    attribution: 'agent',
  })
  s.say(
    'Of 3:58 hours, 3:31 go into reading 1.2 million small files below `/var/lib/cache`, which need no backup at all.',
  )
  s.thinkingLevel('low', 'auto')
  s.user('Exclude them')
  s.step({
    calls: [
      otherTool('mcp__ansible__apply', { play: 'backup' }, 'ok=12 changed=1 failed=0', {
        serverName: 'ansible',
        mcpToolName: 'apply',
      }),
    ],
  })
  s.entry('custom_message', {
    customType: 'async-result',
    content: [
      {
        type: 'text',
        text: '<system-notice>\nBackground job Backup has completed in 26 minutes.\n</system-notice>',
      },
    ],
    display: true,
    details: { jobs: [{ jobId: 'Backup', type: 'task', label: 'Backup', durationMs: 1_560_000 }] },
    attribution: 'agent',
  })
  const done = s.say('Excluded. Last night it took 26 minutes.')
  s.label(first, 'four hours')
  s.label(done, '26 minutes')
  s.label(first)
  s.entry('mode_change', { mode: 'none' })
  s.compaction(
    '## The backup\n\n3:31 of 3:58 hours went into `/var/lib/cache`. It is excluded; 26 minutes remain.',
    {
      shortSummary: 'Backup: 4 h to 26 min',
      firstKeptEntryId: done,
      tokensBefore: 61_000,
      tokensAfter: 8_200,
      method: 'handoff',
    },
  )
  s.entry('reset_boundary', {})
  s.user('/clear was typed before this. Now the mail server: is its queue empty?')
  s.step({ calls: [bash('mailq | tail -1', 'Mail queue is empty', { seconds: 0.1 })] })
  s.say('Its queue is empty.')
  s.entry('service_tier_change', { serviceTier: null })
  s.entry('model_usage', {
    purpose: 'auto-thinking',
    role: 'tiny',
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: 'claude-haiku-4-5',
    usage: {
      input: 284,
      output: 40,
      cacheRead: 10,
      cacheWrite: 0,
      totalTokens: 334,
      cost: { input: 0.000284, output: 0.0002, cacheRead: 0.000001, cacheWrite: 0, total: 0.000485 },
    },
    stopReason: 'toolUse',
  })
  s.custom('user_todo_edit', {
    phases: [{ name: 'Backup', tasks: [{ content: 'Exclude the cache', status: 'completed' }] }],
  })
  s.entry('hologram', { note: 'an entry type of a later version', payload: { x: [1, 2, { y: null }] } })
  s.message({ role: 'custom', customType: 'plan-review', content: 'The plan was approved.', display: true })
  s.entry('branch_summary', { fromId: done, summary: '', details: { kind: 'discarded-entry-branch' } })
  s.exit()
  return library.session('infra', 'entry-kinds', s, {
    tags: ['every-entry-type', 'unknown-type', 'compaction', 'labels', 'reset'],
    artifacts: {
      'local/backup.md': '# Backup\n\n- [x] measure\n- [x] exclude `/var/lib/cache`\n',
      'btw-history/entry-5a1e.json':
        '{"question":"What does restic mean?","answer":"The rest, encrypted."}\n',
    },
  })
}
