/** Keeps the best of many, in order, without sorting the rest. Pure. */

type Scored<T> = { item: T; score: number }

/** How many times as many as are wanted are gathered before the others are let go. */
const GATHERED = 4

export class BestFew<T> {
  private readonly most: number
  private readonly compare: (a: Scored<T>, b: Scored<T>) => number
  private items: Scored<T>[] = []
  /** What is not better than this is not among the best. */
  private least: Scored<T> | null = null

  /** `among`: which of two with equal scores comes first, as in `sort`; of equal ones the first that came. */
  constructor(most: number, among: (a: T, b: T) => number) {
    this.most = most
    this.compare = (a, b) => b.score - a.score || among(a.item, b.item)
  }

  add(item: T, score: number): void {
    if (this.least !== null && score < this.least.score) return
    const one = { item, score }
    if (this.least !== null && this.compare(one, this.least) >= 0) return
    this.items.push(one)
    if (this.items.length >= this.most * GATHERED) this.cut()
  }

  private cut(): void {
    this.items.sort(this.compare)
    this.items.length = Math.min(this.items.length, this.most)
    if (this.items.length === this.most) this.least = this.items[this.most - 1] ?? null
  }

  /** The best, in order. */
  all(): T[] {
    this.cut()
    return this.items.map(({ item }) => item)
  }
}
