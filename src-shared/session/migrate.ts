/**
 * Old versions read as version 3, in memory only, one record at a time in file order.
 * Rule: docs/format.md, Versions. Ids that version 1 lacks are derived from the session and the record's
 * place, so that they are the same from run to run.
 */
import { finiteOrNull, isJsonObject, type JsonObject } from './json'

export interface Migrator {
  /** The record as version 3 has it. The input is not changed. */
  next(record: JsonObject): JsonObject
}

/** `seed` makes the derived ids differ between sessions: the session's id or file name. */
export function createMigrator(version: number, seed: string): Migrator {
  if (version >= 3) return { next: record => record }
  if (version >= 2) return { next: renameHookMessage }
  return linearMigrator(seed)
}

function linearMigrator(seed: string): Migrator {
  const ids: (string | null)[] = []
  const taken = new Set<string>()
  let parentId: string | null = null
  return {
    next(record) {
      // A second header is no entry of the chain, but it takes a place in version 1's array.
      if (record.type === 'session') {
        ids.push(null)
        return { ...record, parentId: null }
      }
      const id = freshId(seed, ids.length, taken)
      ids.push(id)
      const place = { id, parentId, idAt: (ordinal: number) => ids[ordinal] ?? null }
      parentId = id
      return placed(record, place)
    },
  }
}

/** Where a version 1 record stands in the chain that version 3 makes of its file. */
export type PlaceInChain = {
  id: string | null
  parentId: string | null
  /** Id of the n-th entry of the file, from 0. */
  idAt(ordinal: number): string | null
}

/** A record read again on its own, when its place is known already: equals what `createMigrator` made of it. */
export function migrateAt(record: JsonObject, version: number, place: PlaceInChain): JsonObject {
  if (version >= 3) return record
  if (version >= 2) return renameHookMessage(record)
  return record.type === 'session' ? { ...record, parentId: null } : placed(record, place)
}

function placed(record: JsonObject, { id, parentId, idAt }: PlaceInChain): JsonObject {
  if (record.type !== 'compaction') return renameHookMessage({ ...record, id, parentId })
  const { firstKeptEntryIndex, ...rest } = record
  // Index 0 of version 1's array is the header; entry n stands at index n + 1.
  const kept = finiteOrNull(firstKeptEntryIndex)
  const firstKeptEntryId = kept === null || kept < 1 ? null : idAt(kept - 1)
  return { ...rest, ...(firstKeptEntryId === null ? {} : { firstKeptEntryId }), id, parentId }
}

function renameHookMessage(record: JsonObject): JsonObject {
  if (record.type !== 'message' || !isJsonObject(record.message)) return record
  if (record.message.role !== 'hookMessage') return record
  return { ...record, message: { ...record.message, role: 'custom' } }
}

function freshId(seed: string, index: number, taken: Set<string>): string {
  for (let salt = 0; ; salt++) {
    const id = hash32(`${seed}\n${index}\n${salt}`).toString(16).padStart(8, '0')
    if (!taken.has(id)) {
      taken.add(id)
      return id
    }
  }
}

/** FNV-1a with a final mix; only has to spread, not to resist. */
function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
