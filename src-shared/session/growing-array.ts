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

  at(index: number): number | undefined {
    return index >= 0 && index < this.used ? this.data[index] : undefined
  }

  set(index: number, value: number): void {
    if (index >= 0 && index < this.used) this.data[index] = value
  }

  add(index: number, value: number): void {
    this.set(index, (this.at(index) ?? 0) + value)
  }

  toArray(): Int32Array<ArrayBuffer> {
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

  at(index: number): number | undefined {
    return index >= 0 && index < this.used ? this.data[index] : undefined
  }

  toArray(): Float64Array<ArrayBuffer> {
    return this.data.slice(0, this.used)
  }
}
