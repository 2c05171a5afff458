/**
 * The library of a heavy user: sessions of very different sizes in some projects, with branches, artifact directories and drafts.
 * It lies below `agent/sessions`, as omp has it.
 */
import fs from 'node:fs'
import path from 'node:path'
import { JournalLines, USUAL_SIZES } from './journal-lines'
import { Prose } from './prose'

export type LibraryFacts = {
  sessions: number
  entries: number
  bytes: number
  /** Bytes of what was said and thought. */
  textBytes: number
  artifactDirectories: number
  /** A word that only one session holds. */
  needle: string
}

const NEEDLE = 'quetzalcoatlus'
const PROJECTS = 40
const MINUTES_BETWEEN = 100
/** One in so many has it. */
const EVERY = { branches: 6, artifacts: 5, draft: 60, untitled: 8 }

/** Writes `sessions` sessions of some `bytes` in all below `folder`. */
export function makeLibrary(folder: string, sessions: number, bytes: number): LibraryFacts {
  const prose = new Prose(7)
  const facts = { sessions, entries: 0, bytes: 0, textBytes: 0, artifactDirectories: 0, needle: NEEDLE }
  const weights = Array.from({ length: sessions }, () => Math.exp(1.3 * bell(prose)))
  const perWeight = bytes / weights.reduce((sum, one) => sum + one, 0)
  for (const [at, weight] of weights.entries()) {
    const made = makeSession(prose, at, {
      folder: projectFolder(folder, at),
      bytes: weight * perWeight,
      needle: at === Math.floor(sessions / 2) ? NEEDLE : '',
    })
    facts.entries += made.entries
    facts.bytes += made.bytes
    facts.textBytes += made.textBytes
    if (at % EVERY.artifacts === 0) facts.artifactDirectories++
  }
  return facts
}

export function agentDirOf(folder: string): string {
  return path.join(folder, 'agent')
}

function projectFolder(folder: string, at: number): string {
  const project = path.join(agentDirOf(folder), 'sessions', `--w-project-${at % PROJECTS}--`)
  if (at < PROJECTS) fs.mkdirSync(project, { recursive: true })
  return project
}

type SessionPlan = { folder: string; bytes: number; needle: string }

function makeSession(prose: Prose, at: number, { folder, bytes, needle }: SessionPlan): JournalLines {
  const journal = new JournalLines(prose, USUAL_SIZES, at * MINUTES_BETWEEN)
  const id = `019b0000-0000-7000-8000-${at.toString(16).padStart(12, '0')}`
  const name = `${new Date(journal.time).toISOString().replace(/[:.]/g, '-')}_${id}`
  journal.begin(id, `/w/project-${at % PROJECTS}`, at % EVERY.untitled === 0 ? null : prose.text(34))
  const forks: string[] = []
  for (let more = 0; journal.bytes < bytes || more < 2; more++) {
    journal.next(more === 0 ? needle : '')
    if (at % EVERY.branches !== 0 || journal.place === null) continue
    if (more % 40 === 5) forks.push(journal.place)
    const place = more % 40 === 30 ? forks[prose.below(forks.length)] : undefined
    if (place !== undefined) journal.goBack(place)
  }
  const file = path.join(folder, `${name}.jsonl`)
  fs.writeFileSync(file, journal.take())
  if (at % EVERY.artifacts === 0) makeArtifacts(prose, path.join(folder, name), at)
  fs.utimesSync(file, journal.time / 1000, journal.time / 1000)
  return journal
}

function makeArtifacts(prose: Prose, folder: string, at: number): void {
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, '0.bash.log'), prose.output(4_000))
  fs.writeFileSync(path.join(folder, '1.read.log'), prose.output(2_000))
  const agent = new JournalLines(prose, USUAL_SIZES, at * MINUTES_BETWEEN)
  agent.begin(`agent-${at}`, '/w', null)
  while (agent.entries < 8) agent.next()
  fs.writeFileSync(path.join(folder, 'Explore.jsonl'), agent.take())
  if (at % EVERY.draft === 0) fs.writeFileSync(path.join(folder, 'draft.txt'), prose.text(200))
}

/** About a normal distribution: most sessions are small, and a few hold most of the bytes. */
function bell(prose: Prose): number {
  let sum = 0
  for (let at = 0; at < 12; at++) sum += prose.chance()
  return sum - 6
}
