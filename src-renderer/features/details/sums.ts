/** Sums over the models of a session. */
import type { SessionDetails } from '@shared/ipc/models/session-models'

type Row = SessionDetails['usage'][number]

/** All models together. The cost is null when no model has one. */
export function sumUsage(rows: readonly Row[]): Omit<Row, 'model'> {
  const sum: Omit<Row, 'model'> = {
    messages: 0,
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    cost: null,
    withoutCost: 0,
  }
  for (const row of rows) {
    sum.messages += row.messages
    sum.input += row.input
    sum.output += row.output
    sum.cacheRead += row.cacheRead
    sum.cacheWrite += row.cacheWrite
    sum.withoutCost += row.withoutCost
    if (row.cost !== null) sum.cost = (sum.cost ?? 0) + row.cost
  }
  return sum
}

/** `62 %`; `< 1 %` for what is there and rounds to nothing. */
export function share(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0 %'
  const percent = Math.round((part / whole) * 100)
  return percent === 0 ? '< 1 %' : `${percent} %`
}
