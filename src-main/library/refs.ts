/**
 * Names that main issues for paths, so that the window never names a file. A ref is derived from the path,
 * which keeps it the same from start to start, but only those that were issued are known again.
 */
import { createHash } from 'node:crypto'

export class RefTable<T> {
  private readonly byRef = new Map<string, T>()
  /** Thousands of sessions ask for the ref of one folder. */
  private readonly refs = new Map<string, string>()
  private readonly kind: string

  /** `kind` keeps the refs of different tables apart. */
  constructor(kind: string) {
    this.kind = kind
  }

  /** The ref of a key, issued for `value`. */
  issue(key: string, value: T): string {
    const ref = this.refs.get(key) ?? refOf(this.kind, key)
    this.refs.set(key, ref)
    this.byRef.set(ref, value)
    return ref
  }

  resolve(ref: string): T | undefined {
    return this.byRef.get(ref)
  }
}

function refOf(kind: string, key: string): string {
  return `${kind}-${createHash('sha256').update(`${kind}\0${key}`).digest('hex').slice(0, 24)}`
}
