/** What the one box lists, in groups: sessions and projects, messages, commands, recent searches. */
import type { CommandId } from '@shared/commands'
import { COMMANDS } from '@shared/commands'
import type {
  MatchRange,
  QuickAnswer,
  QuickHit,
  SearchHit,
  SessionHits,
} from '@shared/ipc/models/search-models'
import type { Commands } from '../../commands/context'
import { readyValue } from '../../stores/async'
import { type BoxMessages, isCommandText, type SearchBoxState } from '../../stores/search-box-store'
import { countOf } from '../../ui/format'

export type BoxItem =
  | { kind: 'session'; key: string; hit: QuickHit }
  | { kind: 'project'; key: string; project: QuickAnswer['projects'][number] }
  | { kind: 'message'; key: string; found: SessionHits; hit: SearchHit }
  | { kind: 'command'; key: string; id: CommandId; title: string; keys: string | null; ranges: MatchRange[] }
  | { kind: 'recent'; key: string; text: string }
  | { kind: 'everywhere'; key: string; text: string }

export type BoxGroup = { key: string; title: string; items: BoxItem[] }

/** Messages and commands among everything else; more of them are in the search view and after `>`. */
const MOST_MESSAGES = 6
const MOST_COMMANDS = 4

/** What makes no sense from here: it is the box itself, or means the focus that one had. */
const NOT_LISTED: ReadonlySet<CommandId> = new Set<CommandId>([
  'search.box',
  'app.close',
  'view.nextRegion',
  'view.previousRegion',
  'find.next',
  'find.previous',
])

/** Ranges of the words in a title when it holds all of them, else null. */
export function wordRanges(title: string, text: string): MatchRange[] | null {
  const folded = title.toLowerCase()
  const ranges: MatchRange[] = []
  for (const word of text.toLowerCase().split(/\s+/)) {
    if (word === '') continue
    const at = folded.indexOf(word)
    if (at < 0) return null
    ranges.push([at, at + word.length])
  }
  return ranges.sort((a, b) => a[0] - b[0])
}

function commandItems(commands: Commands, text: string, most: number): BoxItem[] {
  const items: BoxItem[] = []
  for (const { id } of COMMANDS) {
    const title = commands.title(id)
    const ranges = NOT_LISTED.has(id) ? null : wordRanges(title, text)
    if (ranges === null || !commands.enabled(id)) continue
    items.push({ kind: 'command', key: `command/${id}`, id, title, keys: commands.keys(id), ranges })
    if (items.length === most) break
  }
  return items
}

function messageGroup(messages: BoxMessages): BoxGroup {
  const sessions = messages.state === 'running' || messages.state === 'ready' ? messages.sessions : []
  const items = sessions.flatMap(found =>
    // Titles stand among the sessions.
    found.hits
      .filter(({ role }) => role !== 'title')
      .map((hit): BoxItem => ({ kind: 'message', key: messageKey(found, hit), found, hit })),
  )
  return { key: 'messages', title: messagesTitle(messages), items: items.slice(0, MOST_MESSAGES) }
}

function messageKey({ session }: SessionHits, hit: SearchHit): string {
  return `message/${session}/${hit.ordinal ?? ''}/${hit.artifact?.ref ?? ''}/${hit.part}/${hit.at}`
}

/** `Messages, 14 in 6 sessions`. */
function messagesTitle(messages: BoxMessages): string {
  if (messages.state !== 'ready') return 'Messages'
  const { sessions, total, atLeast } = messages
  const inSessions = `in ${countOf(total, 'session')}`
  if (atLeast || sessions.some(found => found.atLeast)) return `Messages, at least ${inSessions.slice(3)}`
  if (total > sessions.length) return `Messages ${inSessions}`
  const matches = sessions.reduce((sum, found) => sum + found.matches, 0)
  return `Messages, ${matches.toLocaleString('en')} ${inSessions}`
}

/** All that is listed now. Groups with nothing in them are left out. */
export function boxGroups(state: SearchBoxState, commands: Commands): BoxGroup[] {
  const { text, sessionsOnly, quick, messages, recent } = state
  if (isCommandText(text)) {
    const items = commandItems(commands, text.slice(1), COMMANDS.length)
    return items.length === 0 ? [] : [{ key: 'commands', title: 'Commands', items }]
  }
  const wanted = text.trim()
  const answer = readyValue(quick)
  const sessions: BoxGroup = {
    key: 'sessions',
    title: wanted === '' ? 'Recent sessions' : 'Sessions',
    items: (answer?.hits ?? []).map(hit => ({ kind: 'session', key: `session/${hit.row.ref}`, hit })),
  }
  if (sessionsOnly) return [sessions].filter(({ items }) => items.length > 0)
  const groups: BoxGroup[] = []
  if (wanted === '') {
    groups.push({
      key: 'recent',
      title: 'Recent searches',
      items: recent.map(one => ({ kind: 'recent', key: `recent/${one}`, text: one })),
    })
  }
  groups.push(sessions)
  if (wanted !== '') {
    groups.push(
      {
        key: 'projects',
        title: 'Projects',
        items: (answer?.projects ?? []).map(project => ({
          kind: 'project',
          key: `project/${project.ref}`,
          project,
        })),
      },
      messageGroup(messages),
      { key: 'commands', title: 'Commands', items: commandItems(commands, wanted, MOST_COMMANDS) },
      {
        key: 'more',
        title: 'More',
        items: [{ kind: 'everywhere', key: 'everywhere', text: wanted }],
      },
    )
  }
  return groups.filter(({ items }) => items.length > 0)
}
