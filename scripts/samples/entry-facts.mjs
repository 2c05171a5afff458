/**
 * What a reader should find in a list of entries: counts, tree, labels, usage, status.
 * Follows the definitions of the command line (`list`, `inspect`) and format.md 2.5 and 5.4, written down a
 * second time and independently of the app, so that tests compare two derivations.
 */

const USAGE_KEYS = ['input', 'output', 'cacheRead', 'cacheWrite', 'totalTokens']

const countBy = (list, key) => {
  const counts = {}
  for (const item of list) counts[key(item)] = (counts[key(item)] ?? 0) + 1
  return counts
}

/** Status from the last `message` entry in file order. */
function statusOf(entries) {
  const last = entries.findLast(e => e.type === 'message')?.message
  if (!last) return 'unknown'
  if (last.role === 'toolResult') return 'interrupted'
  if (last.role === 'user') return 'pending'
  if (last.role !== 'assistant') return 'unknown'
  if (last.stopReason === 'error' || last.stopReason === 'aborted') return last.stopReason
  if (last.stopReason === 'length') return 'interrupted'
  const calls = Array.isArray(last.content) && last.content.some(block => block?.type === 'toolCall')
  return calls ? 'interrupted' : 'complete'
}

/** Sums over all branches: assistant messages, results of `task`, and `model_usage`. */
function usageTotals(entries) {
  const totals = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: null }
  let withoutCost = 0
  for (const entry of entries) {
    const message = entry.message
    const usage =
      entry.type === 'model_usage'
        ? entry.usage
        : message?.role === 'assistant'
          ? message.usage
          : message?.role === 'toolResult' && message.toolName === 'task'
            ? message.details?.usage
            : undefined
    if (!usage) continue
    for (const key of USAGE_KEYS) totals[key] += usage[key] ?? 0
    if (typeof usage.cost?.total === 'number') totals.cost = (totals.cost ?? 0) + usage.cost.total
    else if (usage.totalTokens > 0) withoutCost++
  }
  const cost = totals.cost === null ? null : Math.round(totals.cost * 1e6) / 1e6
  return { ...totals, cost, withoutCost }
}

/** Tree facts of entries with ids; duplicate ids do not occur here (odd files state their own facts). */
function treeFacts(entries) {
  const ids = new Set(entries.map(e => e.id))
  const children = new Map()
  const roots = []
  for (const { id, parentId } of entries) {
    if (parentId === null || parentId === id || !ids.has(parentId)) roots.push(id)
    if (parentId === null || (ids.has(parentId) && parentId !== id)) {
      const key = parentId ?? 'null'
      children.set(key, children.get(key) ?? [])
      children.get(key).push(id)
    }
  }
  const branchPoints = Object.fromEntries([...children].filter(([, list]) => list.length > 1))
  const tips = entries.map(e => e.id).filter(id => !children.has(id))
  const byId = new Map(entries.map(e => [e.id, e]))
  const path = []
  const seen = new Set()
  for (let at = entries.at(-1); at && !seen.has(at.id); at = byId.get(at.parentId)) {
    seen.add(at.id)
    path.push(at.id)
  }
  return { leafId: entries.at(-1)?.id ?? null, roots, branchPoints, tips, path: path.reverse() }
}

/** Labels in force, by entry id, after replaying all label entries in file order. */
function labelsOf(entries) {
  const labels = {}
  for (const entry of entries) {
    if (entry.type !== 'label') continue
    if (entry.label) labels[entry.targetId] = entry.label
    else delete labels[entry.targetId]
  }
  return labels
}

/** Hashes of all blob references in the entries. */
function blobsOf(entries) {
  const found = JSON.stringify(entries).matchAll(/blob:sha256:([0-9a-f]{64})/g)
  return [...new Set([...found].map(match => match[1]))].sort()
}

/** @param linear version 1 files: entries have no ids and form one chain */
export function entryFacts(entries, { linear = false } = {}) {
  const tree = linear ? null : treeFacts(entries)
  const firstPrompt = entries.find(e => e.message?.role === 'user')?.message.content ?? null
  const messages = entries.filter(e => e.type === 'message')
  return {
    entryCount: entries.length,
    messageCount: messages.length,
    types: countBy(entries, e => String(e.type)),
    roles: countBy(messages, e => String(e.message?.role)),
    status: statusOf(entries),
    firstPrompt: Array.isArray(firstPrompt)
      ? (firstPrompt.find(b => b.type === 'text')?.text ?? null)
      : firstPrompt,
    leafId: tree?.leafId ?? null,
    roots: tree?.roots ?? null,
    branchPoints: tree?.branchPoints ?? {},
    tips: tree?.tips ?? null,
    path: tree?.path ?? null,
    labels: labelsOf(entries),
    usage: usageTotals(entries),
    blobsReferenced: blobsOf(entries),
  }
}
