/** What is wrong with a session, as facts with numbers; the words are the caller's. */
import { limits } from '@shared/limits'
import type { JournalScan } from '../storage/journal-scan'

export const PROBLEM_KINDS = [
  'cut-archive',
  'empty',
  'not-a-session',
  'header-missing',
  'header-late',
  'header-without-id',
  'header-without-cwd',
  'header-without-timestamp',
  'slot-length',
  'byte-order-mark',
  'future-version',
  'damaged-line',
  'pending-line',
  'repeated-record',
  'duplicate-id',
  'self-parent',
  'missing-parent',
  'cycle',
  'no-id',
] as const
export type ProblemKind = (typeof PROBLEM_KINDS)[number]

export type SessionProblem = {
  kind: ProblemKind
  entryId?: string
  line?: number
  /** How many, for kinds that are counted. */
  count?: number
}

export function findProblems(scan: JournalScan): SessionProblem[] {
  return [...headProblems(scan), ...lineProblems(scan), ...treeProblems(scan)]
}

function headProblems(scan: JournalScan): SessionProblem[] {
  const problems: SessionProblem[] = []
  if (scan.records === 0 && scan.damaged.length === 0 && scan.pending === null) return [{ kind: 'empty' }]
  if (scan.records === 0) problems.push({ kind: 'not-a-session' })
  if (scan.hasBom) problems.push({ kind: 'byte-order-mark' })
  if (scan.slot !== null && !scan.slot.exact) problems.push({ kind: 'slot-length', line: 1 })
  const header = scan.header
  if (header === null) return [...problems, { kind: 'header-missing' }]
  if (scan.headerLate) problems.push({ kind: 'header-late' })
  if (header.id === null) problems.push({ kind: 'header-without-id' })
  if (header.cwd === null) problems.push({ kind: 'header-without-cwd' })
  if (header.timestamp === null) problems.push({ kind: 'header-without-timestamp' })
  if (header.version > limits.sessionVersion) problems.push({ kind: 'future-version' })
  return problems
}

function lineProblems(scan: JournalScan): SessionProblem[] {
  const problems: SessionProblem[] = scan.damaged.map(({ line }) => ({ kind: 'damaged-line', line }))
  if (scan.pending !== null) problems.push({ kind: 'pending-line', line: scan.pending.line })
  if (scan.repeated > 0) problems.push({ kind: 'repeated-record', count: scan.repeated })
  return problems
}

function treeProblems({ index }: JournalScan): SessionProblem[] {
  const at = (kind: ProblemKind, ordinals: readonly number[]): SessionProblem[] =>
    ordinals.map(ordinal => {
      const id = index.id(ordinal)
      return id === null ? { kind } : { kind, entryId: id }
    })
  return [
    ...at('duplicate-id', index.duplicateIds()),
    ...at('self-parent', index.selfParents()),
    ...at('missing-parent', index.orphans()),
    ...at('cycle', index.cycles()),
    ...(index.withoutId > 0 ? [{ kind: 'no-id' as const, count: index.withoutId }] : []),
  ]
}
