/** An entry that somebody wants appended, as JSON: checked field by field. Pure. Rule: docs/format.md, Entries. */
import { err, ok, type Result } from '@shared/ipc/result'
import { isJsonObject, type JsonObject } from '@shared/session/json'
import type { NewEntry } from '@shared/session/new-entry'
import {
  amount,
  anything,
  type Check,
  content,
  type Fields,
  fieldProblem,
  flag,
  matching,
  name,
  object,
  oneOf,
  orNull,
  text,
  texts,
} from './field-checks'
import { completedUsage, type MessageDefaults, messageOf } from './message-input'

const model = matching(/^[^/]+\/.+$/, 'text of the form provider/model')

const tiers: Check = {
  is: 'an object of tiers (auto, default, flex, scale, priority) by provider',
  fits: value =>
    isJsonObject(value) &&
    Object.values(value).every(oneOf('auto', 'default', 'flex', 'scale', 'priority').fits),
}

const FIELDS: Readonly<Record<NewEntry['type'], Fields>> = {
  message: { message: object },
  model_change: { model, 'role?': name, 'resolvedModelIsFallback?': flag },
  thinking_level_change: { thinkingLevel: orNull(text), 'configured?': orNull(text) },
  service_tier_change: { serviceTier: orNull(tiers) },
  mode_change: { mode: name, 'data?': anything },
  compaction: {
    summary: text,
    'shortSummary?': text,
    firstKeptEntryId: text,
    tokensBefore: amount,
    'tokensAfter?': amount,
    'method?': text,
    'providerReplayThroughEntryId?': text,
    'fromExtension?': flag,
    'preserveData?': object,
    'warning?': text,
  },
  branch_summary: { fromId: name, summary: text, 'fromExtension?': flag },
  reset_boundary: {},
  label: { targetId: name, 'label?': text },
  title_change: {
    title: text,
    'previousTitle?': text,
    source: oneOf('user', 'auto'),
    'trigger?': text,
  },
  custom: { customType: name, 'data?': anything },
  custom_message: {
    customType: name,
    content,
    display: flag,
    'attribution?': oneOf('user', 'agent'),
  },
  ttsr_injection: { injectedRules: texts },
  credential_pin: { provider: name, hash: matching(/^[0-9a-f]{64}$/, '64 hexadecimal digits') },
  session_init: { systemPrompt: text, task: text, tools: texts },
  model_usage: {
    purpose: text,
    api: text,
    provider: text,
    model: text,
    usage: object,
    stopReason: text,
  },
}

/** Given to an entry when it is written, and to no one to choose. */
const GIVEN = ['id', 'parentId', 'timestamp'] as const

/** The entry that `json` says; `invalid-argument` names what is missing or wrong. Keys not known are kept. */
export function entryOf(json: string, defaults: MessageDefaults): Result<NewEntry> {
  const parsed = parsedObject(json)
  if (!parsed.ok) return parsed
  const given = parsed.value
  const chosen = GIVEN.find(key => Object.hasOwn(given, key))
  if (chosen !== undefined)
    return err('invalid-argument', `${chosen} is given to an entry when it is written; leave it out.`)
  const { type } = given
  if (typeof type !== 'string' || !isType(type))
    return err('invalid-argument', `An entry needs a type, one of ${Object.keys(FIELDS).join(', ')}.`)
  const problem = fieldProblem(type, given, FIELDS[type])
  if (problem !== null) return err('invalid-argument', problem)
  const completed = completedEntry(type, given, defaults)
  // Every field that the type names was looked at: `fieldProblem` above, and `messageOf` for a message.
  return completed.ok ? ok(completed.value as NewEntry) : completed
}

function parsedObject(json: string): Result<JsonObject> {
  try {
    const value: unknown = JSON.parse(json)
    return isJsonObject(value) ? ok(value) : err('invalid-argument', 'An entry must be a JSON object.')
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    return err('invalid-argument', `This is no JSON: ${reason.replace(/\.$/, '')}.`)
  }
}

function isType(type: string): type is NewEntry['type'] {
  return Object.hasOwn(FIELDS, type)
}

function completedEntry(
  type: NewEntry['type'],
  given: JsonObject,
  defaults: MessageDefaults,
): Result<JsonObject> {
  switch (type) {
    case 'message': {
      const message = messageOf(given.message, defaults)
      return message.ok ? ok({ ...given, message: message.value }) : message
    }
    case 'thinking_level_change':
      return ok({ ...given, configured: given.configured ?? null })
    case 'model_usage':
      return ok({ ...given, usage: completedUsage(given.usage) })
    default:
      return ok(given)
  }
}
