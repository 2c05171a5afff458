/** What the listing of two libraries came to, as a table. Pure. */
import type { LibraryFacts } from '../corpus/library-corpus'
import { msText, numberText, ratioText, type Table } from '../harness/table'
import type { Step } from './list-sides'

/** Medians of what Grove did; `counts` from the start on. */
export type ListTimes = { shown: number; rows: Step; counts: Step; second: Step; rescan: Step; append: Step }
/** ms of omp's listing in a new process, by the clock and of processors, and of a second one in the same process. */
export type OmpTimes = { first: number; cpu: number; again: number; sessions: number }
export type Sized = { facts: LibraryFacts; grove: ListTimes; omp: OmpTimes | null }

export function listTable(sizes: readonly Sized[], omp: string | null): Table {
  const row = (name: string, cell: (size: Sized) => string, time?: (size: Sized) => number) => [
    name,
    ...sizes.map(cell),
    time === undefined ? '' : slope(sizes, time),
  ]
  const timed = (name: string, time: (size: Sized) => number) => row(name, size => msText(time(size)), time)
  const work = (name: string, of: (size: Sized) => Step) =>
    row(name, size => `${numberText(of(size).journals)} files, ${bytesText(of(size).bytesRead)}`)
  const peer = (of: (omp: OmpTimes, grove: ListTimes) => string) => (size: Sized) =>
    size.omp === null ? '-' : of(size.omp, size.grove)
  const ompRows =
    omp === null
      ? []
      : [
          timed(`omp ${omp}, all rows`, ({ omp }) => omp?.first ?? Number.NaN),
          timed('  processor time', ({ omp }) => omp?.cpu ?? Number.NaN),
          timed('omp, again in the same process', ({ omp }) => omp?.again ?? Number.NaN),
          row(
            'omp / first page',
            peer(({ first }, { shown }) => ratioText(shown, first)),
          ),
          row(
            'omp / first start',
            peer(({ first }, { rows }) => ratioText(rows.time, first)),
          ),
          row(
            'omp / second start',
            peer(({ first }, { second }) => ratioText(second.time, first)),
          ),
        ]
  return {
    title: 'Listing all sessions',
    columns: [
      '',
      ...sizes.map(({ facts }) => `${numberText(facts.sessions)} / ${numberText(facts.bytes / 1e6)} MB`),
      'slope',
    ],
    rows: [
      timed('first start, first page', ({ grove }) => grove.shown),
      timed('first start, all rows', ({ grove }) => grove.rows.time),
      timed('  processor time', ({ grove }) => grove.rows.cpu),
      work('  journals opened, bytes read', ({ grove }) => grove.rows),
      timed('first start, all true counts', ({ grove }) => grove.counts.time),
      timed('second start, all rows', ({ grove }) => grove.second.time),
      timed('  processor time', ({ grove }) => grove.second.cpu),
      work('  journals opened, bytes read', ({ grove }) => grove.second),
      timed('rescan, nothing changed', ({ grove }) => grove.rescan.time),
      work('  journals opened, bytes read', ({ grove }) => grove.rescan),
      timed('rescan after one append', ({ grove }) => grove.append.time),
      work('  journals opened, bytes read', ({ grove }) => grove.append),
      ...ompRows,
    ],
  }
}

/** Microseconds for each further session. */
function slope(sizes: readonly Sized[], time: (size: Sized) => number): string {
  const [small, large] = sizes
  if (small === undefined || large === undefined || small.facts.sessions === large.facts.sessions) return '-'
  const per = (time(large) - time(small)) / (large.facts.sessions - small.facts.sessions)
  return `${numberText(per * 1000)} µs`
}

function bytesText(bytes: number): string {
  return bytes < 1e6 ? `${numberText(bytes / 1e3, 1)} KB` : `${numberText(bytes / 1e6)} MB`
}
