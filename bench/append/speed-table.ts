/** The figures of the sides as a table, and how Grove and omp compare. Pure. */
import { medianOf } from '../harness/quantiles'
import { numberText, type Table } from '../harness/table'
import type { SideFigures } from './append-rounds'

const COLUMNS = ['side', 'sync', 'appends', 'appends/s', 'p50 µs', 'p95 µs', 'p99 µs', 'bytes/line']

/** `missing`: further rows, of sides that could not be measured. */
export function speedTable(sides: readonly SideFigures[], missing: readonly string[][]): Table {
  const rows = sides.map(side => [
    side.name,
    side.sync,
    numberText(side.appends),
    numberText(side.appendsPerSecond),
    numberText(side.p50, 1),
    numberText(side.p95, 1),
    numberText(side.p99, 1),
    numberText(side.lineBytes),
  ])
  const rounds = sides[0]?.rounds ?? 0
  return {
    title: `Acknowledged appends (medians of ${rounds} rounds)`,
    columns: COLUMNS,
    rows: [...rows, ...missing],
  }
}

/** Grove's p50 over omp's of the same round, where both were measured: the median of the rounds, and their range. */
export function ratioOf(sides: readonly SideFigures[]): { p50: number; text: string } | null {
  const [grove, omp] = ['Grove', 'omp'].map(name => sides.find(side => side.name.startsWith(name)))
  if (grove === undefined || omp === undefined) return null
  const ratios = grove.p50s.map((p50, round) => p50 / (omp.p50s[round] ?? Number.NaN))
  const p50 = medianOf(ratios)
  const range = [Math.min(...ratios), Math.max(...ratios)].map(ratio => numberText(ratio, 2)).join(' to ')
  return { p50, text: `p50 of Grove over that of omp, os: ${numberText(p50, 2)} (rounds: ${range})` }
}
