/**
 * The blobs that a session refers to, found in the raw bytes of its journal, of the journals in its artifact directory
 * and of their backups: in whatever is damaged, and in every place of a record. So does omp's `gc` when it decides what
 * is still needed. Rule: docs/format.md, Blob store. Looks only.
 */
import path from 'node:path'
import { limits } from '@shared/limits'
import type { Environment, WorkContext } from '../../engine/environment'
import { artifactDirectoryOf, JOURNAL_SUFFIX } from '../../engine/layout/session-paths'
import { bufferOf, openByteSource, readRange } from '../../engine/storage/byte-source'
import { EngineError } from '../../engine/storage/errors'
import { absolutePath, walkTree } from '../../engine/storage/tree-walk'
import { exists } from '../reroot/trees'

/** Every hash that the session at `journal` refers to. Throws what reading throws, and `cancelled`. */
export async function blobsOfSession(
  env: Environment,
  journal: string,
  work: WorkContext,
): Promise<Set<string>> {
  const hashes = new Set<string>()
  for (const file of await filesThatRefer(env, journal, work)) await addBlobsIn(env, file, hashes, work)
  return hashes
}

async function filesThatRefer(env: Environment, journal: string, work: WorkContext): Promise<string[]> {
  const directory = path.dirname(journal)
  const backups = env.fs
    .readDirectory(directory)
    .filter(({ name, kind }) => kind === 'file' && isBackupOf(path.basename(journal), name))
    .map(({ name }) => path.join(directory, name))
  const artifacts = artifactDirectoryOf(journal)
  if (artifacts === null || !exists(env.fs, artifacts)) return [journal, ...backups]
  const tree = await walkTree(env, artifacts, work)
  if (!tree.ok) throw new EngineError(tree.error.code, tree.error.message, tree.error.path)
  const inside = tree.value.entries
    .filter(({ kind, path: name }) => kind === 'file' && /\.jsonl(\..*\.bak)?$/.test(name))
    .map(entry => absolutePath(artifacts, entry.path))
  return [journal, ...backups, ...inside]
}

function isBackupOf(journal: string, name: string): boolean {
  return journal.endsWith(JOURNAL_SUFFIX) && name.startsWith(`${journal}.`) && name.endsWith('.bak')
}

const REFERENCE = /blob:sha256:([0-9a-f]{64})/gi
const REFERENCE_CHARS = 76

async function addBlobsIn(
  env: Environment,
  file: string,
  hashes: Set<string>,
  work: WorkContext,
): Promise<void> {
  // As far as it reaches now: one that is appended to all the time would have no end.
  const source = openByteSource(env.fs, file)
  try {
    let before = ''
    for (let at = 0; at < source.size; at += limits.chunkBytes) {
      const chunk = readRange(source, at, Math.min(source.size, at + limits.chunkBytes))
      // One character per byte, so that a cut in the middle of a character is none.
      const text = before + bufferOf(chunk).toString('latin1')
      for (const match of text.matchAll(REFERENCE)) hashes.add((match[1] ?? '').toLowerCase())
      before = text.slice(1 - REFERENCE_CHARS)
      await work.breathe()
    }
  } finally {
    source.close()
  }
}
