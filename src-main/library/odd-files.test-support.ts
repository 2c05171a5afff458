/** For tests: the odd files of a fresh sample library, looked at as the window and the command line do, one by one. */
import fs from 'node:fs'
import path from 'node:path'
import type { SessionRow } from '@shared/ipc/models/library-models'
import type { TranscriptRow } from '@shared/ipc/models/transcript-models'
import type { Result } from '@shared/ipc/result'
import { isJsonObject } from '@shared/session/json'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BlobStore } from '../engine/blobs/blob-store'
import { plainLayout } from '../engine/layout/agent-directories'
import type { SessionDocument } from '../engine/session/session-document'
import { Catalog } from './catalog/catalog'
import { type SessionSummary, summarizeSession } from './catalog/session-summary'
import { sessionDetails } from './reading/session-details'
import { type OpenedSession, SessionReader } from './reading/session-reader'
import type { LibraryRoot } from './roots'
import { makeSampleLibrary, type OddFile, type SampleLibrary } from './sample-library.test-support'

export type OddSection = 'Damage' | 'Trees' | 'Meaning' | 'Move'

/** An odd file and everything that is shown of it; what cannot be opened throws when it is asked for. */
export class Looked {
  readonly odd: OddFile
  readonly file: string
  readonly library: SampleLibrary
  readonly summary: SessionSummary
  readonly row: SessionRow
  private readonly reader: SessionReader
  private known: OpenedSession | null = null

  constructor(library: SampleLibrary, odd: OddFile) {
    this.library = library
    this.odd = odd
    this.file = library.at(odd.file)
    this.summary = summarizeSession(library.env, this.file)
    this.row = new Catalog(library.home).rowOf(this.summary, rootAt(library.agentDir))
    this.reader = new SessionReader(library.env)
  }

  /** What opening it answers, errors included. */
  open(): Result<OpenedSession> {
    return this.reader.open(this.file)
  }

  get opened(): OpenedSession {
    this.known ??= unwrap(this.open())
    return this.known
  }

  get document(): SessionDocument {
    return unwrap(this.reader.document(this.file))
  }

  get details(): ReturnType<typeof sessionDetails> {
    const blobs = new BlobStore(this.library.env.fs, path.join(this.library.agentDir, 'blobs'))
    return sessionDetails(this.library.env, this.document, blobs)
  }

  /** All rows of the path to `tip`; null: where reading starts. */
  rows(tip: number | null = null): TranscriptRow[] {
    const images = { blobs: new BlobStore(this.library.env.fs, '/nowhere'), blobRoot: 'b', session: 's' }
    const input = { tip, from: 0, count: 100_000 }
    return unwrap(this.reader.transcript(this.file, input, images, () => null)).rows
  }

  /** The rows in short, without the settings with which most samples begin. */
  said(tip: number | null = null): string[] {
    return this.rows(tip)
      .filter(row => row.kind !== 'divider' || (row.what !== 'model' && row.what !== 'thinking-level'))
      .map(inShort)
  }

  text(ordinal: number, part: string): string {
    return unwrap(this.reader.text(this.file, ordinal, part)).text
  }

  /** An entry in one line, as graph and tips show it. */
  preview(ordinal: number): string {
    return unwrap(this.previews([ordinal]))[0]?.text ?? ''
  }

  previews(ordinals: number[]) {
    return this.reader.previews(this.file, ordinals)
  }

  raw(line: number): string {
    return unwrap(this.reader.rawLine(this.file, line)).text
  }

  tree() {
    return unwrap(this.reader.tree(this.file))
  }

  ids(ordinals: Iterable<number>): (string | null)[] {
    return [...ordinals].map(ordinal => this.document.index.id(ordinal))
  }

  bytes(): Buffer {
    return fs.readFileSync(this.file)
  }

  /** What lists, header and health say. */
  facts() {
    const { row, opened, summary } = this
    return {
      title: row.title,
      titleFrom: row.titleFrom,
      project: row.projectName,
      status: row.status,
      entries: summary.entryCount,
      damaged: this.details.damaged.map(({ line, reason }) => `${line}: ${reason}`),
      problems: opened.problems,
    }
  }
}

export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

/** One row in one line: what it is, and what it says. */
export function inShort(row: TranscriptRow): string {
  switch (row.kind) {
    case 'tool':
      return `${row.name} ${row.state}: ${row.output?.text ?? '-'}`
    case 'divider':
      return `${row.what}: ${row.text}`
    case 'note':
      return `${row.what}: ${row.title}`
    default:
      return `${row.kind}: ${row.text.text}`
  }
}

/** What one kind must show; called for each of its files. */
export type OddCases = Record<string, (looked: Looked) => void | Promise<void>>

/** Tests every kind of a section of the manifest; a kind without a case, and a case without a kind, fail. */
export function describeOddSection(section: OddSection, cases: OddCases): void {
  let library: SampleLibrary
  let files: OddFile[]
  beforeAll(() => {
    library = makeSampleLibrary({ odd: true })
    files = library.odd.filter(odd => odd.section === section)
  }, 120_000)
  afterAll(() => library.remove())

  it(`every kind of ${section} has a case, and every case a kind`, () => {
    expect(Object.keys(cases).sort()).toEqual([...new Set(files.map(({ kind }) => kind))].sort())
  })

  describe(section, () => {
    it.each(Object.entries(cases))('%s', async (kind, check) => {
      const ofKind = files.filter(odd => odd.kind === kind)
      expect(ofKind.length).toBeGreaterThan(0)
      for (const odd of ofKind) await check(new Looked(library, odd))
    })
  })
}

/** The projects of the manifest: key to cwd and state. */
export function manifestProjects(library: SampleLibrary): Map<string, { cwd: string; state: string }> {
  const manifest: unknown = JSON.parse(fs.readFileSync(library.at('manifest.json'), 'utf8'))
  const projects = isJsonObject(manifest) && Array.isArray(manifest.projects) ? manifest.projects : []
  return new Map(
    projects.filter(isJsonObject).map(({ key, cwd, state }) => {
      return [String(key), { cwd: String(cwd), state: String(state) }]
    }),
  )
}

function rootAt(agentDir: string): LibraryRoot {
  return { id: agentDir, name: agentDir, kind: 'added', readOnly: false, layout: plainLayout(agentDir) }
}
