/** A message that somebody wants appended: checked, and completed with what omp needs to read it. Pure. */
import { err, ok, type Result } from '@shared/ipc/result'
import { isJsonObject, type JsonObject, objectOf } from '@shared/session/json'
import type { NewMessage } from '@shared/session/new-entry'
import {
  amount,
  anything,
  blocks,
  content,
  type Fields,
  fieldProblem,
  flag,
  name,
  oneOf,
  text,
} from './field-checks'

/** Who answered, as an assistant's message names it. */
export type AnsweringModel = { api: string; provider: string; model: string }

export const UNKNOWN_MODEL: AnsweringModel = { api: 'unknown', provider: 'unknown', model: 'unknown' }

/** Roles of messages that are text and nothing else, or may be. */
export const TEXT_ROLES = ['user', 'developer', 'assistant'] as const
export type TextRole = (typeof TEXT_ROLES)[number]

export type MessageDefaults = {
  /** Unix ms. */
  now: number
  /** Who answered last on the path; asked only when the message does not say. */
  model(): AnsweringModel
}

/** The roles of docs/format.md, Entries. A summary is an entry of its own, never a message. */
const ROLES: Readonly<Record<string, Fields>> = {
  user: { content },
  developer: { content },
  assistant: {
    content: blocks,
    'api?': text,
    'provider?': text,
    'model?': text,
    'stopReason?': oneOf('stop', 'length', 'toolUse', 'error', 'aborted'),
  },
  toolResult: { toolCallId: name, toolName: name, content: blocks, isError: flag },
  bashExecution: { command: text, output: text, cancelled: flag, truncated: flag },
  pythonExecution: { code: text, output: text, cancelled: flag, truncated: flag },
  custom: { customType: name, content, display: flag },
  fileMention: {
    files: { is: 'a list of files', fits: value => Array.isArray(value) && value.every(isJsonObject) },
  },
}

const ANY_ROLE: Fields = {
  'timestamp?': amount,
  'usage?': { is: 'an object', fits: isJsonObject },
  'details?': anything,
}

/** A message of text alone; an assistant's as a block, as all of its content is. */
export function textMessage(role: TextRole, said: string): NewMessage {
  return { role, content: role === 'assistant' ? [{ type: 'text', text: said }] : said }
}

export function messageOf(value: unknown, defaults: MessageDefaults): Result<NewMessage> {
  if (!isJsonObject(value)) return err('invalid-argument', 'message must be an object.')
  const { role } = value
  const fields = typeof role === 'string' && Object.hasOwn(ROLES, role) ? ROLES[role] : undefined
  if (typeof role !== 'string' || fields === undefined)
    return err('invalid-argument', `A message needs a role, one of ${Object.keys(ROLES).join(', ')}.`)
  const problem = fieldProblem(`a message of role ${role}`, value, { ...fields, ...ANY_ROLE })
  if (problem !== null) return err('invalid-argument', problem)
  return ok(completed({ ...value, role }, defaults))
}

/** What is missing and omp relies on: a time; of an assistant also who answered, how it ended, and what it took. */
function completed(message: NewMessage, { now, model }: MessageDefaults): NewMessage {
  const { timestamp = now } = message
  if (message.role !== 'assistant') return { ...message, ...taskUsage(message), timestamp }
  const { api, provider, model: id } = message
  const told = api !== undefined && provider !== undefined && id !== undefined
  const { stopReason = 'stop' } = message
  return {
    ...message,
    ...(told ? {} : { ...model(), ...without(message) }),
    usage: completedUsage(message.usage),
    stopReason,
    timestamp,
  }
}

/** Those of the three that the message names. */
function without({ api, provider, model }: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries({ api, provider, model }).filter(([, value]) => value !== undefined),
  )
}

/** What a subagent took, which its result tells. */
function taskUsage({ toolName, details }: JsonObject): JsonObject {
  if (toolName !== 'task' || !isJsonObject(details) || !isJsonObject(details.usage)) return {}
  return { details: { ...details, usage: completedUsage(details.usage) } }
}

/** omp adds up every one of these without looking whether it is there; without a cost it does not open the session. */
export function completedUsage(given: unknown): JsonObject {
  const usage = objectOf(given)
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0, ...objectOf(usage.cost) }
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, ...usage, cost }
}
