/**
 * Text as search compares it: without case, accents, and the wide and joined forms of letters. The same for index, scan and
 * highlighting. Works by clusters (a letter with the marks on it), so that a place in the folded text is known in the original.
 */

/** An ASCII letter that carries marks, or any other letter with what belongs to it; parts of Hangul syllables join up. */
const CLUSTER = /[\0-\x7f][\p{M}\u1160-\u11ff]+|[^\0-\x7f][\p{M}\u1160-\u11ff]*/gu

/** Accents and the like, and the selectors of emoji forms; not the vowel signs that some scripts write as marks. */
const MARKS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]/g

const folded = new Map<string, string>()
/** More different clusters than a library holds, but for hostile ones. */
const KEPT = 20_000

function foldCluster(cluster: string): string {
  const known = folded.get(cluster)
  if (known !== undefined) return known
  const made = cluster
    .normalize('NFKD')
    .toLowerCase()
    .replace(MARKS, '')
    .replaceAll('ς', 'σ')
    .normalize('NFC')
  if (folded.size < KEPT && cluster.length < 16) folded.set(cluster, made)
  return made
}

const NOT_ASCII = /[^\0-\x7f]/

/** Where clusters can begin: all before is plain ASCII, each character by itself. */
function clustersFrom(text: string): number {
  const first = text.search(NOT_ASCII)
  return first === -1 ? text.length : Math.max(0, first - 1)
}

/** The folded text. */
export function foldText(text: string): string {
  const from = clustersFrom(text)
  if (from === text.length) return text.toLowerCase()
  return text.slice(0, from).toLowerCase() + text.slice(from).replace(CLUSTER, foldCluster).toLowerCase()
}

export type FoldedText = {
  text: string
  /** Where the cluster at a place of the folded text begins in the original; null: at the same place. */
  starts: Int32Array | null
  /** Where the cluster at a place of the folded text ends in the original; null: behind that place. */
  ends: Int32Array | null
}

/** As `foldText`, with the places of the original. */
export function foldWithPlaces(original: string): FoldedText {
  const text = foldText(original)
  if (clustersFrom(original) === original.length || original.search(CLUSTER) === -1)
    return { text, starts: null, ends: null }
  const starts = new Int32Array(text.length + 1)
  const ends = new Int32Array(text.length + 1)
  let to = 0
  let from = 0
  const same = (until: number) => {
    for (; from < until; from++, to++) {
      starts[to] = from
      ends[to] = from + 1
    }
  }
  for (const { 0: cluster, index } of original.matchAll(CLUSTER)) {
    same(index)
    from = index + cluster.length
    for (const end = to + foldCluster(cluster).length; to < end; to++) {
      starts[to] = index
      ends[to] = from
    }
  }
  same(original.length)
  starts[to] = original.length
  ends[to] = original.length
  return { text, starts, ends }
}
