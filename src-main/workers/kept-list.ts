/**
 * A list of main's that a worker keeps, so that of thousands of things only those that changed are handed over.
 * `shell/list-feed.ts` is the other end.
 */

export type ListChange<T> = {
  /** Whatever was kept is forgotten first. */
  fresh: boolean
  put: T[]
  /** Keys of what is no longer in the list. */
  gone: string[]
}

export class KeptList<T> {
  private readonly keyOf: (one: T) => string
  private readonly kept = new Map<string, T>()
  private listed: readonly T[] | null = null

  constructor(keyOf: (one: T) => string) {
    this.keyOf = keyOf
  }

  take({ fresh, put, gone }: ListChange<T>): void {
    if (fresh) this.kept.clear()
    for (const key of gone) this.kept.delete(key)
    for (const one of put) this.kept.set(this.keyOf(one), one)
    this.listed = null
  }

  /** As of now: an array that was answered does not change. */
  all(): readonly T[] {
    this.listed ??= [...this.kept.values()]
    return this.listed
  }
}
