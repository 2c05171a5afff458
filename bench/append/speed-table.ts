/** The figures of the sides as a table, and how Grove and omp compare. Pure. */
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

/** Grove's p50 over omp's, where both were measured. */
export function ratioRow(sides: readonly SideFigures[]): { p50: number; text: string } | null {
  const [grove, omp] = ['Grove', 'omp'].map(name => sides.find(side => side.name.startsWith(name)))
  if (grove === undefined || omp === undefined) return null
  const p50 = grove.p50 / omp.p50
  const text = `p50 of Grove over that of omp, os: ${numberText(p50, 2)} (p99: ${numberText(grove.p99 / omp.p99, 2)})`
  return { p50, text }
}
