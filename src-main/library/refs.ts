/**
 * Names that main issues for paths, so that the window never names a file. A ref is derived from the path,
 * which keeps it the same from start to start, but only those that were issued are known again.
 */

export class RefTable<T> {
  private readonly byRef = new Map<string, T>()
  /** Thousands of sessions ask for the ref of one folder. */
  private readonly refs = new Map<string, string>()
  private readonly kind: string
  private readonly digest: Digest

  /** `kind` keeps the refs of different tables apart. */
  constructor(kind: string, digest: Digest = digestOf) {
    this.kind = kind
    this.digest = digest
  }

  /** The ref of a key, issued for `value`. */
  issue(key: string, value: T): string {
    const known = this.refs.get(key)
    const ref = known ?? this.free(key)
    if (known === undefined) this.refs.set(key, ref)
    this.byRef.set(ref, value)
    return ref
  }

  /** A ref that no other key has, however somebody chose the names of files. */
  private free(key: string): string {
    for (let salt = 0; ; salt++) {
      const ref = `${this.kind}-${this.digest(key, salt)}`
      if (!this.byRef.has(ref)) return ref
    }
  }

  resolve(ref: string): T | undefined {
    return this.byRef.get(ref)
  }
}

/** What stands for a text; another one with each `salt`. */
type Digest = (text: string, salt: number) => string

/**
 * 96 bits that stand for a text, as 24 hexadecimal digits. Not a cryptographic hash, which takes ten times as long and would be
 * half of what it takes to show a large library again: two texts with the same digest are told apart by the table.
 */
function digestOf(text: string, salt: number): string {
  let [a, b, c] = [0x9e3779b9 ^ salt, 0x85ebca6b, 0xc2b2ae35]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x5bd1e995) ^ (b >>> 15)
    c = (Math.imul(c, 31) + code) ^ (a >>> 13)
  }
  // Each part depends on all.
  a = spread(a ^ (b >>> 7) ^ c)
  b = spread(b + Math.imul(a, 5))
  c = spread(c ^ Math.imul(b, 9))
  return hex(a) + hex(b) + hex(c)
}

function spread(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b)
  return twice ^ (twice >>> 16)
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0')
}
