/**
 * Entries that are about to be written: what each kind carries, and the record it becomes, with its keys in the order in
 * which omp writes them. Pure. Rule: docs/format.md, Entries.
 */
import type { JsonObject } from './json'
import type { TitleSource } from './title-slot'

/** One of the message roles of docs/format.md, Entries, with the fields of that role. Written as it is. */
export type NewMessage = JsonObject & { role: string }

export type ServiceTier = 'auto' | 'default' | 'flex' | 'scale' | 'priority'

/** What a new entry says; `undefined` leaves a key out. */
export type NewEntry =
  | { type: 'message'; message: NewMessage }
  | {
      type: 'model_change'
      /** `provider/id`. */
      model: string
      role?: string | undefined
      resolvedModelIsFallback?: boolean | undefined
    }
  | { type: 'thinking_level_change'; thinkingLevel: string | null; configured: string | null }
  | { type: 'service_tier_change'; serviceTier: Readonly<Record<string, ServiceTier>> | null }
  | { type: 'mode_change'; mode: string; data?: unknown }
  | {
      type: 'compaction'
      summary: string
      shortSummary?: string | undefined
      firstKeptEntryId: string
      /** Tokens. */
      tokensBefore: number
      tokensAfter?: number | undefined
      method?: string | undefined
      providerReplayThroughEntryId?: string | undefined
      details?: unknown
      fromExtension?: boolean | undefined
      preserveData?: JsonObject | undefined
      warning?: string | undefined
    }
  | {
      type: 'branch_summary'
      /** The entry the branch was left at, or `root`. */
      fromId: string
      summary: string
      details?: unknown
      fromExtension?: boolean | undefined
    }
  | { type: 'reset_boundary' }
  | { type: 'label'; targetId: string; label: string | undefined }
  | {
      type: 'title_change'
      title: string
      previousTitle?: string | undefined
      source: TitleSource
      trigger?: string | undefined
    }
  | { type: 'custom'; customType: string; data?: unknown }
  | {
      type: 'custom_message'
      customType: string
      content: string | readonly JsonObject[]
      display: boolean
      details?: unknown
      attribution?: 'user' | 'agent' | undefined
    }
  | { type: 'ttsr_injection'; injectedRules: readonly string[] }
  | { type: 'credential_pin'; provider: string; hash: string }
  | ({ type: 'session_init'; systemPrompt: string; task: string; tools: readonly string[] } & JsonObject)
  | ({
      type: 'model_usage'
      purpose: string
      api: string
      provider: string
      model: string
      usage: JsonObject
      stopReason: string
    } & JsonObject)

export type EntryPlace = {
  id: string
  parentId: string | null
  /** ISO time with milliseconds. */
  timestamp: string
}

/** The record of a new entry. */
export function entryRecord(place: EntryPlace, entry: NewEntry): JsonObject {
  const { id, parentId, timestamp } = place
  const { type, ...payload } = entry
  if (type === 'custom' || type === 'custom_message') return { type, ...payload, id, parentId, timestamp }
  const fallback =
    type === 'model_change' ? { resolvedModelIsFallback: entry.resolvedModelIsFallback ?? false } : {}
  return { type, id, parentId, timestamp, ...payload, ...fallback }
}
