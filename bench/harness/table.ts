/** A table as text, for terminals. Pure. */

export type Table = {
  title: string
  columns: readonly string[]
  /** One cell for each column; the first names the row. */
  rows: readonly (readonly string[])[]
}

/** Lines of text: the title, the columns, the rows; the first column to the left, numbers to the right. */
export function tableText({ title, columns, rows }: Table): string {
  const all = [columns, ...rows]
  const widths = columns.map((_, at) => Math.max(...all.map(row => row[at]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    columns
      .map((_, at) => {
        const cell = row[at] ?? ''
        return at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)
      })
      .join('  ')
      .trimEnd()
  const rule = widths.map(width => '-'.repeat(width)).join('  ')
  return [title, '', line(columns), rule, ...rows.map(line), ''].join('\n')
}

/** A number with `digits` decimals and its thousands apart. */
export function numberText(value: number, digits = 0): string {
  if (!Number.isFinite(value)) return '-'
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** Milliseconds, the more exact the fewer. */
export function msText(time: number): string {
  return `${numberText(time, time < 10 ? 2 : time < 100 ? 1 : 0)} ms`
}

/** How many times as long `other` takes. */
export function ratioText(own: number, other: number): string {
  return `${numberText(other / own, 2)} x`
}
