/** Hands out the smallest free lane: a binary heap of the released ones over a counter of fresh ones. */
export class FreeLanes {
  #heap: number[] = []
  #fresh: number
  /** Heap steps, for tests that assert linear work. */
  work = 0

  /** Lanes below `first` are never handed out. */
  constructor(first: number) {
    this.#fresh = first
  }

  /** The smallest lane that is free. */
  take(): number {
    const top = this.#heap[0]
    if (top === undefined) return this.#fresh++
    const last = this.#heap.pop() ?? top
    if (this.#heap.length > 0) this.#sink(last)
    return top
  }

  /** Gives a lane back. */
  release(lane: number): void {
    const heap = this.#heap
    let at = heap.length
    heap.push(lane)
    while (at > 0) {
      const up = (at - 1) >> 1
      const above = heap[up] ?? lane
      this.work++
      if (above <= lane) break
      heap[at] = above
      at = up
    }
    heap[at] = lane
  }

  #sink(lane: number): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child++
      const below = heap[child] ?? lane
      this.work++
      if (below >= lane) break
      heap[at] = below
      at = child
    }
    heap[at] = lane
  }
}
