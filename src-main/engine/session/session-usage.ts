/**
 * Tokens and cost of several sessions together. A fork and a branched session hold copies of another's entries, which were
 * paid for once. Rule: docs/format.md, Usage.
 *
 * Guarantees: looks only; every usage of every branch is counted, and one that stands in several sessions once. Copies
 * are told by id, time and kind: an id alone is 8 digits, which two unrelated sessions can share.
 */
import { ok, type Result } from '@shared/ipc/result'
import { stringOrNull } from '@shared/session/json'
import { addUsage, emptyUsage, type Usage, usagesOf } from '@shared/session/usage'
import type { SessionDocument } from './session-document'

export type UsageOfSessions = {
  /** Every usage once. */
  total: Usage
  /** What each session holds, copies included, in the order given. */
  sessions: { file: string; usage: Usage; copiedEntries: number }[]
}

/** The usage of `documents`; entries that an older one of them holds already add nothing to `total`. */
export function usageOfSessions(documents: Iterable<SessionDocument>): Result<UsageOfSessions> {
  const total = emptyUsage()
  const inOrder = [...documents]
  const found = new Map<SessionDocument, UsageOfSessions['sessions'][number]>()
  const counted = new Set<string>()
  // The original first: a fork can be told to have cost nothing.
  for (const document of [...inOrder].sort(byCreation)) {
    const usage = emptyUsage()
    // Within one session every entry counts, as in omp; only what an earlier session holds is a copy.
    const own: string[] = []
    let copiedEntries = 0
    const ordinals = Array.from({ length: document.index.count }, (_, ordinal) => ordinal)
    const read = document.visit(ordinals, record => {
      const usages = usagesOf(record)
      if (usages.length === 0) return
      for (const one of usages) addUsage(usage, one.usage)
      const key = `${stringOrNull(record.id)}\n${stringOrNull(record.timestamp)}\n${record.type}`
      own.push(key)
      if (counted.has(key)) copiedEntries++
      else for (const one of usages) addUsage(total, one.usage)
    })
    if (!read.ok) return read
    for (const key of own) counted.add(key)
    found.set(document, { file: document.path, usage, copiedEntries })
  }
  return ok({ total, sessions: inOrder.flatMap(document => found.get(document) ?? []) })
}

function byCreation(a: SessionDocument, b: SessionDocument): number {
  const [first, second] = [a.header?.timestamp ?? '', b.header?.timestamp ?? '']
  return first < second ? -1 : first > second ? 1 : 0
}
