/** What both programs say of one session, side by side. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

const COST_DIGITS = 9

/** omp's sum is 0 where nothing tells a cost; Grove's is null. */
const rounded = cost => Number((cost ?? 0).toFixed(COST_DIGITS))

/** omp keeps the title of the slot in its header; Grove tells the line as it is. */
function headerOf({ header }) {
  const { title: _title, titleSource: _source, ...rest } = header
  return rest
}

const SAME = [
  'id',
  'recordedCwd',
  'title',
  'titleSource',
  'entryIds',
  'parents',
  'types',
  'records',
  'messageCount',
  'leafId',
  'path',
  'roots',
  'branchPoints',
  'labels',
  'context',
  'settings',
  'moreSettings',
  'transcript',
  'pictures',
]

/** The facts that both programs tell, in one form. */
export function comparable(facts) {
  const { input, output, cacheRead, cacheWrite, totalTokens, cost } = facts.usage
  return {
    ...Object.fromEntries(SAME.map(key => [key, facts[key]])),
    header: headerOf(facts),
    usage: { input, output, cacheRead, cacheWrite, totalTokens, cost: rounded(cost) },
  }
}

/** Both say the same of a session, but for the facts named in `except`. */
export function assertSameFacts(ours, theirs, name, { except = [] } = {}) {
  const [grove, omp] = [comparable(ours), comparable(theirs)]
  for (const key of Object.keys(omp)) {
    if (!except.includes(key)) assert.deepEqual(grove[key], omp[key], `${name}: ${key}`)
  }
}

/** Everything of `before` is in `after`, unchanged and in its order, and `count` entries more. */
export function assertGrew(before, after, count, name) {
  const length = before.entryIds.length
  assert.equal(after.entryIds.length, length + count, `${name}: entries`)
  for (const key of ['entryIds', 'parents', 'records'])
    assert.deepEqual(after[key].slice(0, length), before[key], `${name}: ${key} of before`)
}

const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g

/**
 * The lines of a journal with what two programs cannot have in common in words: entry ids by their place, times, the
 * session's id, and the texts of `words` (text -> word).
 */
export function maskedLines(file, words = {}) {
  let text = readFileSync(file, 'utf8')
  const records = text.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line)]))
  const header = records.find(({ type }) => type === 'session')
  const entries = records.filter(({ type }) => type !== 'session' && type !== 'title')
  for (const [at, { id }] of entries.entries()) text = text.replaceAll(`"${id}"`, `"#${at}"`)
  for (const [from, to] of Object.entries(words)) text = text.replaceAll(from, to)
  return text.replaceAll(header.id, 'SESSION').replaceAll(ISO_TIME, 'TIME').split('\n')
}
