/** Typed arrays that grow by doubling: flat, cheap to hand to another thread, no object per element. */

export class GrowingInts {
  private data: Int32Array<ArrayBuffer> = new Int32Array(64)
  private used = 0

  push(value: number): void {
    if (this.used === this.data.length) {
      const larger = new Int32Array(this.data.length * 2)
      larger.set(this.data)
      this.data = larger
    }
    this.data[this.used++] = value
  }

  /** As `set`; what is not there yet up to `index` is 0. */
  put(index: number, value: number): void {
    if (index >= this.data.length) {
      const larger = new Int32Array(Math.max(this.data.length * 2, index + 1))
      larger.set(this.data)
      this.data = larger
    }
    this.used = Math.max(this.used, index + 1)
    this.data[index] = value
  }

  at(index: number): number | undefined {
    return index >= 0 && index < this.used ? this.data[index] : undefined
  }

  set(index: number, value: number): void {
    if (index >= 0 && index < this.used) this.data[index] = value
  }

  add(index: number, value: number): void {
    this.set(index, (this.at(index) ?? 0) + value)
  }

  /** A copy; `length` elements, of which those that are not there are 0. */
  toArray(length = this.used): Int32Array<ArrayBuffer> {
    const copy = new Int32Array(length)
    copy.set(this.data.subarray(0, Math.min(length, this.used)))
    return copy
  }
}

export class GrowingBytes {
  private data: Uint8Array<ArrayBuffer> = new Uint8Array(64)
  private used = 0

  push(value: number): void {
    if (this.used === this.data.length) {
      const larger = new Uint8Array(this.data.length * 2)
      larger.set(this.data)
      this.data = larger
    }
    this.data[this.used++] = value
  }

  at(index: number): number | undefined {
    return index >= 0 && index < this.used ? this.data[index] : undefined
  }

  toArray(): Uint8Array<ArrayBuffer> {
    return this.data.slice(0, this.used)
  }
}

export class GrowingFloats {
  private data: Float64Array<ArrayBuffer> = new Float64Array(64)
  private used = 0

  push(value: number): void {
    if (this.used === this.data.length) {
      const larger = new Float64Array(this.data.length * 2)
      larger.set(this.data)
      this.data = larger
    }
    this.data[this.used++] = value
  }

  get length(): number {
    return this.used
  }

  /** Sets an element; what is not there yet before it is 0. */
  put(index: number, value: number): void {
    if (index >= this.data.length) {
      const larger = new Float64Array(Math.max(this.data.length * 2, index + 1))
      larger.set(this.data)
      this.data = larger
    }
    this.used = Math.max(this.used, index + 1)
    this.data[index] = value
  }

  at(index: number): number | undefined {
    return index >= 0 && index < this.used ? this.data[index] : undefined
  }

  /** A copy; `length` elements, of which those that are not there are 0. */
  toArray(length = this.used): Float64Array<ArrayBuffer> {
    const copy = new Float64Array(length)
    copy.set(this.data.subarray(0, Math.min(length, this.used)))
    return copy
  }
}
