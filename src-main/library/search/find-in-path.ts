/**
 * Find in session: every text on a path in which something occurs, in the order in which it is read. The raw bytes of an entry are looked at
 * first, where they can rule it out, so that few entries of a long path are parsed.
 */
import { isAscii } from 'node:buffer'
import type { FindAnswer } from '@shared/ipc/models/search-models'
import type { Result } from '@shared/ipc/result'
import { findMatcher } from '@shared/search/matcher'
import { parseObject } from '@shared/session/json'
import type { WorkContext } from '../../engine/environment'
import type { SessionDocument } from '../../engine/session/session-document'
import { readRange } from '../../engine/storage/byte-source'
import { attemptAsync, EngineError } from '../../engine/storage/errors'
import type { PathView } from '../reading/path-view'
import type { RowPlan } from '../reading/transcript-plan'
import { ByteFinder } from './byte-finder'
import { entryTexts } from './entry-texts'
import { type Prefilter, prefilterOf } from './prefilter'

/** Texts that are told; nobody steps through more. */
const MOST_TEXTS = 5_000
/** Occurrences that are counted in one text. */
const MOST_IN_TEXT = 1_000
/** Bytes between two pauses. */
const BREATH_BYTES = 1024 * 1024

export function findInPath(
  document: SessionDocument,
  view: PathView,
  query: { text: string; exact: boolean },
  work: WorkContext,
): Promise<Result<FindAnswer>> {
  return attemptAsync('search', document.path, () => find(document, view, query, work))
}

async function find(
  document: SessionDocument,
  view: PathView,
  { text, exact }: { text: string; exact: boolean },
  work: WorkContext,
): Promise<FindAnswer> {
  const matcher = findMatcher(text, exact)
  const finder = new ByteFinder(exact ? prefilterOf(text, 'exact') : foldedFilter(text))
  const answer: FindAnswer = { revision: document.revision, tip: view.tip, matches: [], total: 0, cut: false }
  if (text === '') return answer
  const rows = rowsOf(view.rowPlans)
  const opened = document.storage.open()
  if (!opened.ok) throw new EngineError(opened.error.code, opened.error.message, document.path)
  const { source, stat } = opened.value
  try {
    if (stat.fileId !== document.fileId) throw changed(document)
    let bytes = 0
    for (const { ordinal, row } of rows.order) {
      const { offset, length } = document.index.place(ordinal)
      bytes += length
      if (bytes > BREATH_BYTES) {
        bytes = 0
        await work.breathe()
      }
      const raw = Buffer.from(readRange(source, offset, offset + length))
      if (!finder.isIn(raw) && !isFolded(raw, exact)) continue
      const record = parseObject(raw.toString('utf8'))
      if (record === null) continue
      for (const { part, text: one } of entryTexts(document.migrated(record, ordinal))) {
        const count = matcher.ranges(one, MOST_IN_TEXT).length
        if (count === 0) continue
        if (answer.matches.length === MOST_TEXTS) return { ...answer, cut: true }
        answer.matches.push({ ordinal, part, row: rows.rowOfPart(ordinal, part) ?? row, count })
        answer.total += count
      }
    }
  } finally {
    source.close()
  }
  return answer
}

function changed(document: SessionDocument): EngineError {
  return new EngineError(
    'changed-on-disk',
    `${document.path} changed since it was read; it is read again.`,
    document.path,
  )
}

/** Bytes in both cases of the first letters of a text, for texts of plain letters. Null: any entry may match. */
function foldedFilter(text: string): Prefilter {
  const word = /[A-Za-z0-9]{2,}/.exec(text)?.[0]?.slice(0, 2)
  if (word === undefined) return null
  const [a = '', b = ''] = word.toLowerCase()
  const forms = [a, a.toUpperCase()].flatMap(first => [b, b.toUpperCase()].map(second => first + second))
  return { needles: [...new Set(forms)].map(form => Buffer.from(form)) }
}

/** Letters that are no ASCII may be the same when they are folded, and may be written as escapes. */
function isFolded(raw: Buffer, exact: boolean): boolean {
  return !exact && (!isAscii(raw) || raw.includes('\\u'))
}

/** The entries of a path in the order of its rows, each once; and the row of each text. */
function rowsOf(plans: readonly RowPlan[]) {
  const order: { ordinal: number; row: number }[] = []
  const seen = new Set<number>()
  const blocks = new Map<string, number>()
  for (const [row, plan] of plans.entries()) {
    if (plan.block >= 0) blocks.set(`${plan.ordinal}.${plan.block}`, row)
    for (const ordinal of [plan.ordinal, ...plan.covers, ...plan.results]) {
      if (seen.has(ordinal)) continue
      seen.add(ordinal)
      order.push({ ordinal, row })
    }
  }
  return {
    order,
    rowOfPart: (ordinal: number, part: string) => blocks.get(`${ordinal}.${part.split('.')[1] ?? ''}`),
  }
}
