/**
 * All rows in the orders that are asked for, each kept: what changed is sorted in, so that thousands of rows that come in
 * batches are never sorted anew for each.
 */
import type { SessionRow, SessionSort } from '@shared/ipc/models/library-models'
import { rowOrder } from './row-order'

type Kept = { rows: SessionRow[]; changed: Set<string> }

export class SortedRows {
  private readonly byRef = new Map<string, SessionRow>()
  private readonly orders = new Map<string, Kept>()

  /** Adds a row, or puts it in the place of that of the same ref. */
  put(row: SessionRow): void {
    this.byRef.set(row.ref, row)
    for (const { changed } of this.orders.values()) changed.add(row.ref)
  }

  remove(ref: string): void {
    this.byRef.delete(ref)
    for (const { changed } of this.orders.values()) changed.add(ref)
  }

  all(): IterableIterator<SessionRow> {
    return this.byRef.values()
  }

  get count(): number {
    return this.byRef.size
  }

  /** All rows in this order; not to be changed. */
  in(sort: SessionSort, reverse: boolean): readonly SessionRow[] {
    const compare = rowOrder(sort, reverse)
    const key = `${sort} ${reverse}`
    const kept = this.orders.get(key)
    if (kept === undefined) {
      const rows = [...this.byRef.values()].sort(compare)
      this.orders.set(key, { rows, changed: new Set() })
      return rows
    }
    if (kept.changed.size > 0) {
      const stay = kept.rows.filter(({ ref }) => !kept.changed.has(ref))
      const come = [...kept.changed].flatMap(ref => this.byRef.get(ref) ?? []).sort(compare)
      kept.rows = merged(stay, come, compare)
      kept.changed.clear()
    }
    return kept.rows
  }
}

/** Two sorted lists as one. */
function merged<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): T[] {
  const rows: T[] = []
  let at = 0
  for (const next of b) {
    for (let row = a[at]; row !== undefined && compare(row, next) < 0; row = a[++at]) rows.push(row)
    rows.push(next)
  }
  return rows.concat(a.slice(at))
}
