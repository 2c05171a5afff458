/** Which sessions `list` shows and in which order, by its options. Rule: docs/cli.md, Filters and order. */
import { sessionStatus } from '@shared/ipc/models/library-models'
import { isArchive } from '../engine/layout/session-paths'
import { displayTitle } from '../library/catalog/session-row'
import type { SessionSummary } from '../library/catalog/session-summary'
import { type CommandIo, UsageError } from './command'
import { isProject, limitOption } from './options'

/** For `parseArgs`. */
export const LIST_OPTIONS = {
  project: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  model: { type: 'string' },
  status: { type: 'string' },
  'has-branches': { type: 'boolean', default: false },
  'has-artifacts': { type: 'boolean', default: false },
  'has-draft': { type: 'boolean', default: false },
  starred: { type: 'boolean', default: false },
  archived: { type: 'boolean', default: false },
  'no-archived': { type: 'boolean', default: false },
  sort: { type: 'string' },
  reverse: { type: 'boolean', default: false },
  limit: { type: 'string' },
} as const

type ListValues = Partial<
  Record<'project' | 'since' | 'until' | 'model' | 'status' | 'sort' | 'limit', string>
> &
  Record<
    'has-branches' | 'has-artifacts' | 'has-draft' | 'starred' | 'archived' | 'no-archived' | 'reverse',
    boolean
  >

/** Of a session whether it is shown; and all that are, in order, as many as are wanted. */
export type ListChoice = {
  isWanted(summary: SessionSummary, starred: boolean): boolean
  arrange(summaries: readonly SessionSummary[]): SessionSummary[]
}

type Compare = (a: SessionSummary, b: SessionSummary) => number

const collator = new Intl.Collator()

/** The natural order of each: newest, largest, A first. */
const ORDERS: Readonly<Record<string, Compare>> = {
  recent: (a, b) => (b.lastActivity ?? 0) - (a.lastActivity ?? 0),
  created: (a, b) => (b.created ?? 0) - (a.created ?? 0),
  title: (a, b) => collator.compare(displayTitle(a).title, displayTitle(b).title),
  size: (a, b) => b.bytes + b.artifactBytes - (a.bytes + a.artifactBytes),
  messages: (a, b) => b.messageCount - a.messageCount,
}

const MOST = 1_000_000
const DAY_MS = 86_400_000

/** What the options ask for; `UsageError` for what is none of what an option takes. */
export function listChoice(values: ListValues, io: CommandIo): ListChoice {
  const { project, status } = values
  if (values.archived && values['no-archived'])
    throw new UsageError('--archived and --no-archived exclude each other.')
  if (status !== undefined && !sessionStatus.options.some(known => known === status))
    throw new UsageError(`--status is one of ${sessionStatus.options.join(', ')}.`)
  for (const name of ['project', 'model'] as const)
    if (values[name] === '') throw new UsageError(`--${name} needs a text.`)
  const { since, until } = timesOf(values, io.env.now())
  const model = values.model?.toLowerCase()
  const wanted: ((summary: SessionSummary, starred: boolean) => boolean)[] = []
  if (project !== undefined) wanted.push(({ cwd }) => isProject(cwd, project, io))
  if (since !== null) wanted.push(({ lastActivity }) => lastActivity !== null && lastActivity >= since)
  if (until !== null) wanted.push(one => (one.created ?? one.lastActivity ?? Number.NaN) < until)
  if (model !== undefined) wanted.push(one => (one.model ?? '').toLowerCase().includes(model))
  if (status !== undefined) wanted.push(one => one.stub === null && one.status === status)
  if (values['has-branches']) wanted.push(({ tips }) => tips > 1)
  if (values['has-artifacts']) wanted.push(({ artifactCount }) => artifactCount > 0)
  if (values['has-draft']) wanted.push(({ hasDraft }) => hasDraft)
  if (values.starred) wanted.push((_, starred) => starred)
  if (values.archived) wanted.push(({ file }) => isArchive(file))
  if (values['no-archived']) wanted.push(({ file }) => !isArchive(file))
  const order = orderOf(values.sort ?? 'recent', values.reverse)
  const limit = limitOption(values.limit, MOST) ?? MOST
  return {
    isWanted: (summary, starred) => wanted.every(fits => fits(summary, starred)),
    arrange: summaries => [...summaries].sort(order).slice(0, limit),
  }
}

/** Equal ones stand by their paths, whatever the order. */
function orderOf(sort: string, reverse: boolean): Compare {
  const order = Object.hasOwn(ORDERS, sort) ? ORDERS[sort] : undefined
  if (order === undefined) throw new UsageError(`--sort is one of ${Object.keys(ORDERS).join(', ')}.`)
  const sign = reverse ? -1 : 1
  return (a, b) => sign * order(a, b) || (a.file < b.file ? -1 : 1)
}

/** Unix ms: from `since` on, and before `until`. A day of `--until` is meant with all its hours. */
function timesOf({ since, until }: ListValues, now: number): { since: number | null; until: number | null } {
  const from = since === undefined ? null : timeOf('--since', since, now)
  const to = until === undefined ? null : timeOf('--until', until, now)
  return { since: from?.time ?? null, until: to === null ? null : to.time + (to.isDay ? DAY_MS : 0) }
}

const UNITS: Readonly<Record<string, number>> = { h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS }

/** A day or a time (in UTC unless it says otherwise), or how long ago: `12h`, `7d`, `4w`. */
function timeOf(option: string, value: string, now: number): { time: number; isDay: boolean } {
  const ago = /^(\d{1,6})([hdw])$/.exec(value)
  if (ago !== null) return { time: now - Number(ago[1]) * (UNITS[ago[2] ?? ''] ?? 0), isDay: false }
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value)
  const isTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/.test(value)
  const hasZone = /(Z|[+-]\d{2}:\d{2})$/.test(value.slice(10))
  const time =
    isDay || isTime ? Date.parse(isDay || hasZone ? value : `${value.replace(' ', 'T')}Z`) : Number.NaN
  if (!Number.isNaN(time)) return { time, isDay }
  throw new UsageError(
    `${option} is a day (2026-11-30), a time (2026-11-30T08:00), or how long ago (12h, 7d, 4w).`,
  )
}
