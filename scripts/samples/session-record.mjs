/** One session in the manifest: identity, what it is an example of, and the facts a reader should find. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { entryFacts } from './entry-facts.mjs'
import { artifactDirectory } from './session-names.mjs'

/** Draft text compared with the last prompt, as omp's users see it. */
function draftRecord(text, entries) {
  if (text === undefined) return null
  const last = entries.findLast(e => e.message?.role === 'user')?.message.content
  const prompt = Array.isArray(last) ? last.find(b => b.type === 'text')?.text : last
  const state = text === '' ? 'empty' : prompt?.trim() === text.trim() ? 'already-sent' : 'unsent'
  return { bytes: Buffer.byteLength(text), text, state }
}

/** Hashes of what the session's blob references find in the store. */
function blobRecord(referenced, blobs) {
  return { referenced, missing: referenced.filter(hash => !blobs.has(hash)) }
}

/** Every file of an artifact directory, with `/` between folders. */
function artifactFiles(directory) {
  if (!existsSync(directory)) return []
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(item => item.isFile())
    .map(item => path.join(item.parentPath ?? item.path, item.name))
    .map(file => ({
      name: path.relative(directory, file).split(path.sep).join('/'),
      bytes: statSync(file).size,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Problems in the reader's words: those stated, and one for each damaged line and for a pending tail. */
function problemsOf({ problems = [], facts }, damagedLines) {
  const pending = facts?.pendingTail ? [{ kind: 'pending-line' }] : []
  return [...problems, ...damagedLines.map(({ line }) => ({ kind: 'damaged-line', line })), ...pending]
}

export function sessionRecord({ key, project, file, built, artifacts, subagents, options, library }) {
  const { blobsReferenced, ...facts } = built.facts
  const files = artifactFiles(artifactDirectory(file))
  return {
    key,
    id: built.id,
    file: library.relative(file),
    project: project.key,
    cwd: built.cwd,
    kind: options.kind ?? 'session',
    tags: options.tags ?? [],
    title: built.title,
    titleSource: built.titleSource,
    version: built.version,
    slot: built.slot,
    bytes: built.bytes.length,
    created: built.created,
    lastActivity: built.lastActivity,
    parentSession: built.parentSession,
    ...facts,
    blobs: blobRecord(blobsReferenced, library.blobs),
    artifacts,
    artifactFiles: files,
    artifactBytes: files.reduce((sum, f) => sum + f.bytes, 0),
    subagents,
    draft: draftRecord(options.draft, built.entries),
    draftOnly: Boolean(options.draftOnly),
    starred: Boolean(options.starred),
    problems: problemsOf(options, facts.damagedLines),
    ...(options.note ? { note: options.note } : {}),
    ...(options.facts ?? {}),
  }
}

/** The record of a file without a readable session. */
export function stubRecord({ key, id, project, file, bytes, kind, tags, problems, facts, library }) {
  return {
    ...{
      key,
      id,
      file: library.relative(file),
      project,
      cwd: null,
      kind,
      tags,
      title: null,
      titleSource: null,
    },
    ...{ version: null, slot: false, bytes: Buffer.byteLength(bytes), created: null, lastActivity: null },
    ...{ parentSession: null, ...entryFacts([]), damagedLines: [], blobs: { referenced: [], missing: [] } },
    ...{ artifacts: [], artifactFiles: [], artifactBytes: 0, subagents: [], draft: null, draftOnly: false },
    ...{ starred: false, problems, ...facts },
  }
}
