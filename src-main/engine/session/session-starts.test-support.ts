/** For tests: what a session can be like when a program opens it, and what can be asked of the program then. */
import type { NewEntry } from '@shared/session/new-entry'
import { encodeTitleSlot } from '@shared/session/title-slot'
import fc from 'fast-check'
import { HEADER, message } from '../storage/journal.test-support'
import type { TestEnvironment } from '../test-environment.test-support'
import { SessionManager } from './session-manager'
import { latin, SessionModel } from './session-model.test-support'
import { SessionWorld, settingsFor, value } from './session-world.test-support'
import type { SharingMode } from './session-writer'

const TIME = '2026-01-02T03:04:05.006Z'
const slotOf = (title: string) => encodeTitleSlot({ title, source: 'user', updatedAt: TIME })
const LONG_TITLE = 'ä long title 败 '.repeat(20).trim()
/** Lines that no program should write, and that none may lose. */
const ODD_LINES = ['{"torn":', 'null', 'not json', '\0\0\0', '[1,2]', '42']
const NO_ID = {
  v1: { type: 'message', timestamp: TIME, message: { role: 'user', content: 'of version 1' } },
  hook: {
    type: 'message',
    timestamp: TIME,
    message: { role: 'hookMessage', customType: 'x', content: 'h', display: true },
  },
  compaction: { type: 'compaction', timestamp: TIME, summary: 's', firstKeptEntryIndex: 2, tokensBefore: 9 },
}
const WITH_ID = [message('a', null), { ...NO_ID.hook, id: 'b', parentId: 'a' }, message('c', 'b', 'ü👩‍👧')]

type Start = { head: string; lines: (object | string)[]; model: Partial<SessionModel> }

const STARTS: Record<string, Start> = {
  'a file of version 3': {
    head: slotOf('first'),
    // Longer than the end that is compared when a file grew, so that its slot is compared by itself.
    lines: [message('a', null, 'long '.repeat(1000)), ...ODD_LINES, message('c', 'a')],
    model: { slot: { title: 'first', source: 'user' } },
  },
  'a file without a slot': {
    head: '',
    lines: [message('a', null), 'null', message('c', 'a')],
    model: { exactSlot: false },
  },
  'a file with a byte order mark': {
    head: `\ufeff${slotOf('marked')}`,
    lines: [message('a', null)],
    model: { slot: { title: 'marked', source: 'user' }, exactSlot: false },
  },
  'a file with a slot of another length': {
    head: `${slotOf('short').slice(0, -10)}"}\n`,
    lines: [message('a', null), '\0', message('b', 'a')],
    model: { slot: { title: 'short', source: 'user' }, exactSlot: false },
  },
  'a file of version 2': {
    head: '',
    lines: ['{"torn":', ...WITH_ID, 'null'],
    model: { version: 2, exactSlot: false, headerTitle: { title: LONG_TITLE, source: 'user' } },
  },
  'a file of version 1': {
    head: '',
    lines: [NO_ID.v1, NO_ID.v1, 'garbage', NO_ID.hook, NO_ID.compaction, 'null'],
    model: { version: 1, exactSlot: false },
  },
}

export const START_NAMES = [...Object.keys(STARTS), 'a new session', 'a new session at once', 'an empty file']

export function start(env: TestEnvironment, name: string, sharing: SharingMode): SessionWorld {
  const model = new SessionModel()
  const settings = settingsFor(env, sharing, name.endsWith('at once') ? 'open' : 'lazy')
  if (name.startsWith('a new')) {
    const manager = SessionManager.create(env, settings, { cwd: env.home })
    model.slot = { title: '', source: null }
    return new SessionWorld(env, model, settings, value(manager))
  }
  const chosen = STARTS[name]
  if (chosen === undefined) {
    const file = env.put('s.jsonl', '\n')
    model.slot = { title: '', source: null }
    return new SessionWorld(env, model, settings, value(SessionManager.open(env, settings, file)))
  }
  const { head, lines } = chosen
  Object.assign(model, chosen.model, { isOnDisk: true })
  const { title, source } = model.headerTitle
  const titled = title === '' ? {} : { title, titleSource: source }
  const { version, ...unversioned } = HEADER
  const header = model.version === 1 ? unversioned : { ...unversioned, ...titled, version: model.version }
  const texts = lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line)))
  for (const text of texts) model.add(latin(text))
  const file = env.put('s.jsonl', `${head}${[JSON.stringify(header), ...texts].join('\n')}\n`)
  return new SessionWorld(env, model, settings, value(SessionManager.open(env, settings, file)))
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('败\n\u2028', 'x', '👩‍👧'),
)
const json = fc.jsonValue({ maxDepth: 2 })
const PICTURE = Buffer.alloc(900, 7).toString('base64')

/** An entry of any kind but `label` and `branch_summary`, which refer to others. */
export const anyEntry: fc.Arbitrary<NewEntry> = fc.oneof(
  {
    weight: 6,
    arbitrary: text.map(content => ({ type: 'message', message: { role: 'user', content } }) as const),
  },
  {
    weight: 4,
    arbitrary: text.map(
      said =>
        ({
          type: 'message',
          message: { role: 'assistant', content: [{ type: 'text', text: said }] },
        }) as const,
    ),
  },
  fc.constant({
    type: 'message',
    message: { role: 'user', content: [{ type: 'image', data: PICTURE, mimeType: 'image/png' }] },
  } as const),
  text.map(model => ({ type: 'model_change', model, role: 'smol' }) as const),
  fc.constant({ type: 'thinking_level_change', thinkingLevel: null, configured: 'auto' } as const),
  fc.constant({ type: 'service_tier_change', serviceTier: { openai: 'flex' } } as const),
  json.map(data => ({ type: 'mode_change', mode: 'plan', data }) as const),
  text.map(
    summary =>
      ({ type: 'compaction', summary, firstKeptEntryId: 'a', tokensBefore: 5, details: { a: 1 } }) as const,
  ),
  fc.constant({ type: 'reset_boundary' } as const),
  text.map(title => ({ type: 'title_change', title: `x${title}`, source: 'auto' }) as const),
  json.map(data => ({ type: 'custom', customType: 'mine', data }) as const),
  text.map(content => ({ type: 'custom_message', customType: 'm', content, display: true }) as const),
  fc.constant({ type: 'ttsr_injection', injectedRules: ['one', 'two'] } as const),
  fc.constant({ type: 'credential_pin', provider: 'p', hash: 'h' } as const),
  fc.constant({ type: 'session_init', systemPrompt: 's', task: 't', tools: ['a'], spawns: '*' } as const),
  fc.constant({
    type: 'model_usage',
    purpose: 'title',
    api: 'a',
    provider: 'p',
    model: 'm',
    usage: { input: 1, output: 2 },
    stopReason: 'stop',
  } as const),
)

const at = fc.nat({ max: 40 })
const where = fc.constantFrom('leaf' as const, 'entry' as const, 'root' as const)
const title = fc.oneof(
  text,
  fc.constantFrom('one', LONG_TITLE, `${LONG_TITLE} more`, 'a"\\\tb', '败'.repeat(60), '  '),
)
const source = fc.constantFrom('auto' as const, 'user' as const)
/** What another program writes: whole records, and what is none. */
const foreign = fc.oneof(
  { weight: 5, arbitrary: fc.constant('record' as const) },
  fc.constantFrom(...ODD_LINES, '{"type":"message","id":"half'),
)

export type Command =
  | {
      do: 'append'
      entry: NewEntry
      under: 'leaf' | 'entry' | 'root'
      at: number
      leaf: 'follow' | 'stay' | null
    }
  | { do: 'branch' | 'continue' | 'branched' | 'summary'; at: number }
  | { do: 'undo' | 'reset' | 'reopen' | 'refresh' | 'publish' }
  | { do: 'label'; at: number; label: string | null }
  | { do: 'title' | 'outside title'; title: string; source: 'auto' | 'user' }
  | { do: 'outside line'; what: string; at: number; ends: boolean }
  | { do: 'outside cut'; bytes: number }

export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      entry: anyEntry,
      under: fc.oneof({ weight: 4, arbitrary: fc.constant('leaf' as const) }, where),
      at,
      leaf: fc.constantFrom(null, null, 'follow' as const, 'stay' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('branch' as const, 'continue', 'branched', 'summary'), at }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('undo' as const, 'reset', 'reopen', 'refresh', 'publish') }),
  },
  fc.record({ do: fc.constant('label' as const), at, label: fc.option(text) }),
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('title' as const, 'outside title'), title, source }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('outside line' as const), what: foreign, at, ends: fc.boolean() }),
  },
  fc.record({ do: fc.constant('outside cut' as const), bytes: fc.nat({ max: 300 }) }),
)
