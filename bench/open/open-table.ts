/** What opening some sessions came to, as a table. Pure. */
import type { SessionFacts } from '../corpus/session-corpus'
import { quantilesOf } from '../harness/quantiles'
import { msText, numberText, ratioText, type Table } from '../harness/table'

/** Medians of what Grove did; memory by how far it went. */
export type OpenTimes = {
  last: number
  index: number
  page: number
  complete: number
  pagePeak: number
  completePeak: number
  peak: number
  before: number
  planned: number
  pages: number[]
  layouts: number[]
}
export type OmpOpen = { open: number; peak: number; before: number; entries: number }
export type Shaped = { facts: SessionFacts; grove: OpenTimes; omp: OmpOpen | null }

export function openTable(shapes: readonly Shaped[], omp: string | null): Table {
  const row = (name: string, cell: (shape: Shaped) => string) => [name, ...shapes.map(cell)]
  const timed = (name: string, time: (times: OpenTimes) => number) =>
    row(name, ({ grove }) => msText(time(grove)))
  const peer = (of: (omp: OmpOpen, grove: OpenTimes) => string) => (shape: Shaped) =>
    shape.omp === null ? '-' : of(shape.omp, shape.grove)
  const ompRows =
    omp === null
      ? []
      : [
          row(
            `omp ${omp}, open`,
            peer(({ open }) => msText(open)),
          ),
          row(
            '  peak memory, of that before',
            peer(({ peak, before }) => memoryText(peak, before)),
          ),
          row(
            'omp / last rows',
            peer(({ open }, { last }) => ratioText(last, open)),
          ),
          row(
            'omp / newest page',
            peer(({ open }, { page }) => ratioText(page, open)),
          ),
          row(
            'omp / index of all entries',
            peer(({ open }, { index }) => ratioText(index, open)),
          ),
          row(
            'omp / costs and counts of all',
            peer(({ open }, { complete }) => ratioText(complete, open)),
          ),
          row(
            'omp / peak memory with these',
            peer(({ peak }, { completePeak }) => ratioText(completePeak, peak)),
          ),
        ]
  return {
    title: 'Opening one session',
    columns: ['', ...shapes.map(({ facts }) => shapeText(facts))],
    rows: [
      timed('last rows, to be looked at meanwhile', ({ last }) => last),
      timed('index of all entries', ({ index }) => index),
      timed('newest page, with that', ({ page }) => page),
      row('  peak memory, of that before', ({ grove }) => memoryText(grove.pagePeak, grove.before)),
      timed('costs and counts of all entries', ({ complete }) => complete),
      row('  peak memory, of that before', ({ grove }) => memoryText(grove.completePeak, grove.before)),
      timed('all rows of the path planned', ({ planned }) => planned),
      timed('page anywhere, median', ({ pages }) => quantilesOf(pages).p50),
      timed('page anywhere, p99', ({ pages }) => quantilesOf(pages).p99),
      timed('graph layout, the first', ({ layouts }) => layouts[0] ?? Number.NaN),
      timed('graph layout, median', ({ layouts }) => quantilesOf(layouts).p50),
      row('peak memory of all this', ({ grove }) => memoryText(grove.peak, grove.before)),
      ...ompRows,
    ],
  }
}

function shapeText({ entries, bytes, branches }: SessionFacts): string {
  const shape = branches === 1 ? 'a chain' : `${numberText(branches)} branches`
  return `${numberText(entries)} / ${numberText(bytes / 1e6)} MB, ${shape}`
}

function memoryText(peak: number, before: number): string {
  return `${numberText(peak / 1e6)} MB, ${numberText(before / 1e6)} MB`
}
