/**
 * What the commands that change sessions make of odd files: what is none, and what a newer program wrote, is refused with the
 * reason and left as it is; what can be changed keeps every byte that was not to be changed, damaged ones too.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SessionDocument } from '../engine/session/session-document'
import { FileSessionStorage } from '../engine/storage/file-session-storage'
import { summarizeSession } from '../library/catalog/session-summary'
import { makeSampleLibrary, type OddFile, type SampleLibrary } from '../library/sample-library.test-support'
import type { Command } from './command'
import { runCommand } from './command-run.test-support'
import { appendCommand } from './commands/append'
import { continueBranchCommand } from './commands/continue-branch'
import { draftCommand } from './commands/draft'
import { forkCommand } from './commands/fork'
import { labelCommand } from './commands/label'
import { moveCommand } from './commands/move'
import { renameCommand } from './commands/rename'
import { rerootCommand } from './commands/reroot'

let library: SampleLibrary
let elsewhere: string
beforeAll(() => {
  library = makeSampleLibrary({ odd: true })
  elsewhere = path.join(library.home, 'code', 'odd-elsewhere')
  fs.mkdirSync(elsewhere, { recursive: true })
}, 120_000)
afterAll(() => library.remove())

const ENTRY = '{"type":"custom","customType":"note","data":1}'

/** Every command that writes to the session that it is given, with arguments that would do for any other. */
const CHANGES: [name: string, command: Command, argv: (entry: string) => string[]][] = [
  ['rename', renameCommand, () => ['another title']],
  ['label', labelCommand, entry => [entry, 'text']],
  ['append', appendCommand, () => ['--entry', ENTRY]],
  ['continue-branch', continueBranchCommand, entry => [entry]],
  ['draft', draftCommand, () => ['--set', 'unsent']],
  ['move', moveCommand, () => ['--to', elsewhere]],
  ['reroot', rerootCommand, () => ['--to', elsewhere]],
  ['fork', forkCommand, () => []],
  ['fork --at', forkCommand, entry => ['--at', entry]],
]

/** Everything below the agent directory: names, and of files and links the times and what is in them. */
function everything(): string[] {
  return fs
    .readdirSync(library.agentDir, { recursive: true, encoding: 'utf8' })
    .sort()
    .map(name => {
      const full = path.join(library.agentDir, name)
      const stat = fs.lstatSync(full, { bigint: true })
      // A lock that came and went changes the time of its folder, and nothing else.
      if (stat.isDirectory()) return `${name}/ ${stat.mode} ${stat.ino}`
      const bytes = stat.isFile() ? fs.readFileSync(full) : Buffer.alloc(0)
      return `${name} ${stat.mode} ${stat.ino} ${stat.mtimeNs} ${createHash('sha256').update(bytes).digest('hex')}`
    })
}

const ofKinds = (test: (odd: OddFile) => boolean) =>
  library.odd.filter(odd => odd.file.endsWith('.jsonl') && test(odd))

const BLANK = new Set(['zero bytes', 'blanks only'])

/** The id of an entry that is there, if there is any. */
function firstEntry(file: string): string {
  const document = SessionDocument.open(new FileSessionStorage(library.env, file), library.env.now)
  return (document.ok ? document.value.index.id(0) : null) ?? 'a'
}

async function refusedEverywhere(odd: OddFile, reason: RegExp): Promise<void> {
  const file = library.at(odd.file)
  const entry = firstEntry(file)
  for (const [name, command, argv] of CHANGES) {
    // Who appends to a blank file that he names begins a session in it, as omp does (append.test.ts).
    if (name === 'append' && BLANK.has(odd.kind)) continue
    const run = await runCommand(command, library.env, file, ...argv(entry), '--json')
    const what = `${name}, ${odd.kind}: ${run.answer} ${run.errors.join(' ')}`
    expect(run.code, what).toBe(1)
    // The reason stands in the one message, or in the answer where several sessions could be given.
    expect(`${run.errors.join(' ')} ${run.answer}`, what).toMatch(reason)
    expect(`${run.errors.join(' ')} ${run.answer}`, what).toContain(path.basename(file))
  }
}

describe('files that must not be written to', () => {
  it('of what is no session nothing is changed by any command, and why is said', async () => {
    const stubs = ofKinds(odd => summarizeSession(library.env, library.at(odd.file)).stub !== null)
    expect(stubs.length).toBeGreaterThanOrEqual(8)
    const before = everything()
    for (const odd of stubs)
      await refusedEverywhere(odd, /header|folder|link|circle|empty|no session|not a session|session/)
    expect(everything()).toEqual(before)
  })

  it('of a newer version nothing is changed by any command, and the version is named', async () => {
    const newer = ofKinds(odd => Number(odd.expect.version ?? 3) > 3)
    expect(newer).toHaveLength(2)
    const before = everything()
    for (const odd of newer) await refusedEverywhere(odd, /version (4|99)/)
    expect(everything()).toEqual(before)
  })

  it('a header that is damaged, late or missing keeps the file from being rewritten', async () => {
    const headless = ofKinds(
      odd => odd.section === 'Damage' && /^(first line|header (missing|not|second))/.test(odd.kind),
    )
    expect(headless).toHaveLength(4)
    const before = everything()
    for (const odd of headless) await refusedEverywhere(odd, /header/)
    expect(everything()).toEqual(before)
  })
})

/** What must be the same after a change: the bytes of each entry, and all that could not be read. */
function partsOf(file: string): { entries: string[]; rest: string[] } {
  const document = SessionDocument.open(new FileSessionStorage(library.env, file), library.env.now)
  if (!document.ok) throw new Error(document.error.message)
  const bytes = fs.readFileSync(file)
  const { index, damaged, pending } = document.value
  const entries = Array.from({ length: index.count }, (_, at) => index.place(at))
  const rest = [...damaged, ...(pending === null ? [] : [pending])]
  return {
    entries: entries.map(({ offset, length }) => bytes.toString('latin1', offset, offset + length).trim()),
    rest: rest.map(({ offset, bytes: length }) => bytes.toString('latin1', offset, offset + length)),
  }
}

/** Kinds with lines that no reader reads, lines with more than one record, unusual line ends, ids that are not alone. */
const DELICATE =
  /line|glued|\}\{|fragment|pieces|NUL|UTF-8|U\+|CRLF|BOM|slot shorter|cut|duplicate|missing parent|cycle of two|deeper|second session/

/** Files that can be changed, of every kind in which something could get lost on the way. */
const changeable = () =>
  ofKinds(({ section, kind, expect: wanted }) => {
    if (section === 'Meaning') return kind.startsWith('lone surrogates')
    if (section !== 'Damage' && section !== 'Trees') return false
    return Number(wanted.version ?? 3) === 3 && DELICATE.test(kind)
  }).filter(odd => {
    const document = SessionDocument.open(
      new FileSessionStorage(library.env, library.at(odd.file)),
      library.env.now,
    )
    return document.ok && document.value.isWritable && document.value.header?.cwd != null
  })

describe('files that may be changed', () => {
  it('a fork has every entry and every damaged byte as it was', async () => {
    let damaged = 0
    for (const odd of changeable()) {
      const file = library.at(odd.file)
      const before = fs.readFileSync(file)
      const run = await runCommand(forkCommand, library.env, file, '--cwd', elsewhere, '--json')
      expect(run, odd.kind).toMatchObject({ code: 0, errors: [] })
      const made = run.json<{ file: string }>().file
      expect(partsOf(made), odd.kind).toEqual(partsOf(file))
      expect(fs.readFileSync(file).equals(before), odd.kind).toBe(true)
      damaged += partsOf(made).rest.length
    }
    expect(damaged).toBeGreaterThan(15)
  })

  it('a new title leaves every entry and every damaged byte as it was', async () => {
    for (const odd of changeable()) {
      const file = library.at(odd.file)
      const before = partsOf(file)
      const run = await runCommand(
        renameCommand,
        library.env,
        file,
        `new title of ${odd.kind}`.slice(0, 60),
        '--json',
      )
      expect(run, odd.kind).toMatchObject({ code: 0, errors: [] })
      const after = partsOf(file)
      expect(after.entries.slice(0, before.entries.length), odd.kind).toEqual(before.entries)
      expect(after.entries, odd.kind).toHaveLength(before.entries.length + 1)
      expect(after.rest, odd.kind).toEqual(before.rest)
    }
  })

  it('a move, which writes the header anew, leaves every entry and every damaged byte as it was', async () => {
    for (const odd of changeable()) {
      const file = library.at(odd.file)
      const before = partsOf(file)
      const run = await runCommand(moveCommand, library.env, file, '--to', elsewhere, '--json')
      expect(run, odd.kind).toMatchObject({ code: 0 })
      const moved = path.join(library.agentDir, 'sessions', '-code-odd-elsewhere', path.basename(file))
      expect(fs.existsSync(file), odd.kind).toBe(false)
      expect(partsOf(moved), odd.kind).toEqual(before)
    }
  })
})
