/**
 * What every benchmark does besides measuring: options, a folder for its files, the tables on stdout, the figures as JSON.
 *
 *   npm run bench -- NAME [options]
 *
 * Common options: `--json FILE` writes everything that was measured; `--dir DIR` is where the files are made (default: the temp
 * folder), for measuring another disk. The folder is removed at the end, whatever happens. `--peer NAME` measures another program
 * beside ours, where a benchmark knows one.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type Table, tableText } from './table'

export type BenchReport = {
  tables: readonly Table[]
  /** What must be known to read the tables. */
  notes: readonly string[]
  /** Everything that was measured, for `--json`. */
  figures: Readonly<Record<string, unknown>>
}

export type BenchOptions = {
  /** Numbers by name, each with its default: `--entries 20000`. At least 1. */
  numbers: Readonly<Record<string, number>>
  /** Switches by name: `--no-omp`. */
  switches?: readonly string[]
  /** Other programs that `--peer` may name. */
  peers?: readonly string[]
}

export type BenchContext = {
  number(name: string): number
  has(name: string): boolean
  /** Whether another program is to be measured. */
  hasPeer(name: string): boolean
  /** An empty folder of its own. */
  directory: string
  /** Where files are kept that later runs may take (kept-corpus.ts). */
  corpora: string
  /** Says on stderr what goes on. */
  progress(text: string): void
}

/** Magic number of tmpfs in `statfs`: nothing of it is ever on a disk. */
const TMPFS = 0x01021994

/** Runs a benchmark as this process. Exit 2 for wrong options, 1 when it fails. */
export async function runBench(
  name: string,
  options: BenchOptions,
  measure: (context: BenchContext) => Promise<BenchReport>,
): Promise<void> {
  const given = readOptions(name, options)
  if (given === null) return
  const directory = fs.mkdtempSync(path.join(given.dir ?? os.tmpdir(), 'grove-bench-'))
  try {
    const report = await measure({
      ...given,
      directory,
      corpora: corporaBelow(given.dir),
      progress: text => process.stderr.write(`${text}\n`),
    })
    const machine = { ...machineFacts(), disk: diskKind(directory) }
    const { cpu, cores, node, load, disk } = machine
    process.stdout.write(`${cpu}, ${cores} cores, load ${load}; Node.js ${node}; ${disk}\n\n`)
    for (const table of report.tables) process.stdout.write(`${tableText(table)}\n`)
    for (const note of report.notes) process.stdout.write(`${note}\n`)
    if (given.json === undefined) return
    fs.writeFileSync(given.json, `${JSON.stringify({ bench: name, machine, ...report.figures }, null, 2)}\n`)
  } finally {
    fs.rmSync(directory, { recursive: true, force: true })
  }
}

function corporaBelow(dir: string | undefined): string {
  if (dir !== undefined) return path.join(dir, 'grove-bench-corpora')
  return path.resolve(process.env.GROVE_BENCH_ROOT ?? '.', '.cache/bench/corpora')
}

type Given = Pick<BenchContext, 'number' | 'has' | 'hasPeer'> & {
  dir: string | undefined
  json: string | undefined
}

function readOptions(name: string, { numbers, switches = [], peers = [] }: BenchOptions): Given | null {
  const options: NonNullable<ParseArgsConfig['options']> = {
    json: { type: 'string' },
    dir: { type: 'string' },
    ...(peers.length > 0 ? { peer: { type: 'string', multiple: true } } : {}),
    ...Object.fromEntries(Object.keys(numbers).map(one => [one, { type: 'string' }])),
    ...Object.fromEntries(switches.map(one => [one, { type: 'boolean' }])),
  }
  try {
    const { values } = parseArgs({ options, allowPositionals: false })
    const text = (one: string) => (typeof values[one] === 'string' ? values[one] : undefined)
    const read = new Map(
      Object.entries(numbers).map(([one, fallback]) => [one, countOf(one, text(one), fallback)]),
    )
    const asked = Array.isArray(values.peer) ? values.peer : []
    const unknown = asked.find(one => typeof one !== 'string' || !peers.includes(one))
    if (unknown !== undefined) throw new Error(`--peer is one of: ${peers.join(', ')}`)
    const dir = text('dir')
    return {
      number: one => read.get(one) ?? Number.NaN,
      has: one => values[one] === true,
      hasPeer: one => asked.includes(one),
      dir: dir === undefined ? undefined : path.resolve(dir),
      json: text('json'),
    }
  } catch (error) {
    const more = [
      ...Object.keys(numbers).map(one => `[--${one} N]`),
      ...switches.map(one => `[--${one}]`),
      ...peers.map(one => `[--peer ${one}]`),
    ]
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(
      `${reason}\nusage: npm run bench -- ${name} [--json FILE] [--dir DIR] ${more.join(' ')}\n`,
    )
    process.exitCode = 2
    return null
  }
}

function countOf(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} needs a whole number, at least 1`)
  return value
}

function machineFacts() {
  const cpus = os.cpus()
  return {
    cpu: cpus[0]?.model.trim() ?? 'unknown processor',
    cores: cpus.length,
    load: os.loadavg()[0]?.toFixed(1) ?? '-',
    platform: `${process.platform}-${process.arch}`,
    node: process.versions.node,
  }
}

function diskKind(directory: string): string {
  return fs.statfsSync(directory).type === TMPFS ? 'files in memory (tmpfs)' : 'files on a disk'
}
