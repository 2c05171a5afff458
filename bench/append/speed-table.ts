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
    title: `Acknowledged appends (${rounds} rounds by turns)`,
    columns: COLUMNS,
    rows: [...rows, ...missing],
  }
}

/** Grove's p50 over omp's, where both were measured; also round by round, which tells how sure that is. */
export function ratioOf(
  sides: readonly SideFigures[],
): { p50: number; byRound: number; text: string } | null {
  const [grove, omp] = ['Grove', 'omp'].map(name => sides.find(side => side.name.startsWith(name)))
  if (grove === undefined || omp === undefined) return null
  const p50 = grove.p50 / omp.p50
  const byRound = medianOf(grove.p50s.map((one, round) => one / (omp.p50s[round] ?? Number.NaN)))
  const text = `p50 of Grove over that of omp, os: ${numberText(p50, 2)} (median of the rounds: ${numberText(byRound, 2)})`
  return { p50, byRound, text }
}
