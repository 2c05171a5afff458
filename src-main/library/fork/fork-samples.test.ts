/** Every session of the sample library, odd ones too, forked and branched: read as the source is, or refused. */
import fs from 'node:fs'
import path from 'node:path'
import { shallowJson } from '@shared/session/json'
import { NO_PARENT } from '@shared/session/session-entry-index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Environment } from '../../engine/environment'
import { createBranchedJournal } from '../../engine/session/branched-session'
import { readJournalHead } from '../../engine/session/journal-head'
import { sessionContext } from '../../engine/session/session-context'
import { SessionDocument } from '../../engine/session/session-document'
import { FileSessionStorage } from '../../engine/storage/file-session-storage'
import { changeContext } from '../changes/change-context'
import { makeSampleLibrary, type SampleLibrary } from '../sample-library.test-support'
import { sessionOperations } from '../session-operations'

let library: SampleLibrary
let env: Environment
/** Every journal that can be opened. */
let sources: { file: string; document: SessionDocument; refused: string | null }[]

beforeAll(() => {
  library = makeSampleLibrary({ odd: true })
  env = { ...library.env, env: { GROVE_DATA_DIR: path.join(library.dir, 'grove') } }
  const files = [...library.sessions, ...library.odd].map(({ file }) => library.at(file))
  sources = [...new Set(files)].flatMap(file => {
    const document = SessionDocument.open(new FileSessionStorage(env, file), env.now)
    if (!document.ok) return []
    return [{ file, document: document.value, refused: whyRefused(document.value) }]
  })
}, 120_000)
afterAll(() => library.remove())

function whyRefused(document: SessionDocument): string | null {
  const opened = document.storage.open()
  if (!opened.ok) return 'not-found'
  const { header } = readJournalHead(opened.value.source)
  opened.value.source.close()
  if (header === null) return 'damaged'
  return header.fields.version > 3 ? 'unsupported-version' : null
}

function open(file: string): SessionDocument {
  const document = SessionDocument.open(new FileSessionStorage(env, file), env.now)
  if (!document.ok) throw new Error(document.error.message)
  return document.value
}

/** All that a tree is made of, in the order of the file. */
function treeOf({ index, damaged, facts }: SessionDocument) {
  const ordinals = Array.from({ length: index.count }, (_, ordinal) => ordinal)
  return {
    ids: ordinals.map(ordinal => index.id(ordinal)),
    parents: ordinals.map(ordinal => index.parent(ordinal)),
    leaf: index.leaf,
    labels: [...facts.labels],
    usage: facts.usage,
    damaged: damaged.map(({ bytes }) => bytes),
  }
}

describe('the samples', () => {
  it('are forked to sessions that read the same, or refused', { timeout: 300_000 }, async () => {
    const operations = sessionOperations(changeContext(env, () => []))
    const directory = path.join(library.agentDir, 'sessions', 'forks')
    let made = 0
    for (const { file, document, refused } of sources) {
      const forked = await operations.fork({
        source: file,
        cwd: library.home,
        directory,
        withArtifacts: false,
      })
      if (refused !== null) {
        expect(forked.ok ? 'made' : forked.error.code, file).toBe(refused)
        continue
      }
      expect(forked.ok ? null : forked.error.message, file).toBe(null)
      if (!forked.ok) continue
      const fork = open(forked.value.file)
      const [was, is] = [treeOf(document), treeOf(fork)]
      // What could still have become a record has its line end now, and is damage.
      if (document.pending !== null) was.damaged.push(document.pending.bytes)
      expect(is, file).toEqual(was)
      made++
    }
    expect(made).toBeGreaterThan(30)
    expect(fs.readdirSync(directory).filter(name => name.endsWith('.jsonl'))).toHaveLength(made)
  })

  it('are branched at their leaf to the path without labels, one below the other', {
    timeout: 300_000,
  }, async () => {
    const directory = path.join(library.agentDir, 'sessions', 'branched')
    let made = 0
    for (const { file, document, refused } of sources) {
      const { index, columns } = document
      const leafId = index.leaf === null ? null : index.id(index.leaf)
      if (leafId === null || refused !== null) continue
      const branched = await createBranchedJournal(env, { document, leafId, directory, cwd: library.home })
      expect(branched.ok ? null : branched.error.message, file).toBe(null)
      if (!branched.ok) continue
      const target = open(branched.value.file)
      const kept = index
        .path(index.ordinalOf(leafId) ?? null)
        .filter(ordinal => columns.kind(ordinal) !== 'label')
      const path = target.index.path(kept.length - 1)
      expect(path, file).toEqual(kept.map((_, at) => at))
      expect(
        path.map(ordinal => target.columns.kind(ordinal)),
        file,
      ).toEqual(kept.map(ordinal => columns.kind(ordinal)))
      expect(target.index.parent(0), file).toBe(NO_PARENT)
      expect(target.index.duplicateIds(), file).toEqual([])
      expect(target.damaged, file).toEqual([])
      // What a model gets is the same: nothing of the chain was lost.
      const tip = target.index.id(kept.length - 1)
      // One sample nests deeper than a comparison can go.
      expect(shallowJson(sessionContext(target, tip)), file).toEqual(
        shallowJson(sessionContext(document, leafId)),
      )
      made++
    }
    expect(made).toBeGreaterThan(30)
  })
})
