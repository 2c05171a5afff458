/**
 * The settings in force at the end of a path. Rule: docs/format.md, Context. One pass from root to leaf; what has
 * a wrong type counts as not said.
 */
import { messageOf } from './entry'
import { type JsonObject, objectOf, stringOrNull, stringsOf } from './json'

const TIER_FAMILIES = ['openai', 'anthropic', 'google'] as const
const TIERS = ['auto', 'default', 'flex', 'scale', 'priority'] as const
type TierFamily = (typeof TIER_FAMILIES)[number]
type Tier = (typeof TIERS)[number]
/** Service tier of each family of providers that has one. */
export type ServiceTiers = Partial<Record<TierFamily, Tier>>

export type ContextSettings = {
  /** Effective thinking level; `off` when nothing says another. */
  thinkingLevel: string
  /** The selector that the user chose (`auto` is one); null when nothing says one. */
  configuredThinkingLevel: string | null
  /** Null when no family has a tier. */
  serviceTier: ServiceTiers | null
  /** Role -> `provider/model`. */
  models: Record<string, string>
  /** Names of injected rules, each once, in the order of their first injection. */
  injectedTtsrRules: string[]
  /** `none` outside of any mode. */
  mode: string
  /** What the last mode change carries; null when it carries nothing. */
  modeData: JsonObject | null
}

type Thinking = Pick<ContextSettings, 'thinkingLevel' | 'configuredThinkingLevel'>
type Mode = Pick<ContextSettings, 'mode' | 'modeData'>

const NO_MODE = 'none'
const DEFAULT_ROLE = 'default'

/** Settings at the end of `path` (records of version 3, root first). Never throws. */
export function contextSettings(path: readonly JsonObject[]): ContextSettings {
  let thinking: Thinking = { thinkingLevel: 'off', configuredThinkingLevel: null }
  let mode: Mode = { mode: NO_MODE, modeData: null }
  let serviceTier: ServiceTiers | null = null
  const models = new ModelsByRole()
  const rules = new Set<string>()
  for (const record of path) {
    switch (record.type) {
      case 'thinking_level_change':
        thinking = thinkingOf(record)
        break
      case 'service_tier_change':
        serviceTier = serviceTiersOf(record.serviceTier)
        break
      case 'mode_change':
        mode = modeOf(record)
        break
      case 'ttsr_injection':
        for (const rule of stringsOf(record.injectedRules)) rules.add(rule)
        break
      case 'model_change':
        models.change(record)
        break
      case 'message':
        models.answer(messageOf(record))
        break
    }
  }
  return { ...thinking, ...mode, serviceTier, models: models.byRole(), injectedTtsrRules: [...rules] }
}

function thinkingOf(record: JsonObject): Thinking {
  const level = stringOrNull(record.thinkingLevel)
  return {
    thinkingLevel: level ?? 'off',
    configuredThinkingLevel: stringOrNull(record.configured) ?? level,
  }
}

function modeOf(record: JsonObject): Mode {
  const data = objectOf(record.data)
  return { mode: stringOrNull(record.mode) ?? NO_MODE, modeData: data === record.data ? data : null }
}

/** An assistant's message tells the default model only as long as no model change has. */
class ModelsByRole {
  private readonly models = new Map<string, string>()
  private defaultIsChosen = false

  change(record: JsonObject): void {
    const model = stringOrNull(record.model)
    if (model === null || model === '') return
    const role = stringOrNull(record.role) ?? DEFAULT_ROLE
    this.models.set(role, model)
    if (role === DEFAULT_ROLE) this.defaultIsChosen = true
  }

  answer(message: JsonObject): void {
    if (this.defaultIsChosen || message.role !== 'assistant') return
    const provider = stringOrNull(message.provider)
    const model = stringOrNull(message.model)
    if (provider !== null && model !== null) this.models.set(DEFAULT_ROLE, `${provider}/${model}`)
  }

  byRole(): Record<string, string> {
    return Object.fromEntries(this.models)
  }
}

/** A tier for each family, from the map of today or the single word of older sessions. */
function serviceTiersOf(value: unknown): ServiceTiers | null {
  if (typeof value === 'string') {
    const meant = LEGACY_TIERS.get(value)
    return meant === undefined ? null : { ...meant }
  }
  const told = objectOf(value)
  const tiers: ServiceTiers = {}
  for (const family of TIER_FAMILIES) {
    const tier = TIERS.find(known => known === told[family])
    if (tier !== undefined) tiers[family] = tier
  }
  return Object.keys(tiers).length > 0 ? tiers : null
}

/** What the single word of older sessions means. */
const LEGACY_TIERS: ReadonlyMap<string, ServiceTiers> = new Map([
  ['priority', { openai: 'priority', anthropic: 'priority', google: 'priority' }],
  ['openai-only', { openai: 'priority' }],
  ['claude-only', { anthropic: 'priority' }],
  ['auto', { openai: 'auto' }],
  ['default', { openai: 'default' }],
  ['flex', { openai: 'flex' }],
  ['scale', { openai: 'scale' }],
])
