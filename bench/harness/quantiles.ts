/** What many measurements come to. Pure. */

export type Quantiles = { p50: number; p95: number; p99: number }

/** Quantiles of at least one number, by the nearest rank. */
export function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = Float64Array.from(values).sort()
  return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), p99: quantile(sorted, 0.99) }
}

/** The middle one of at least one number; between two, the lower. */
export function medianOf(values: readonly number[]): number {
  return quantile(Float64Array.from(values).sort(), 0.5)
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
