/** A fork as plain data: it lies in the operation journal before anything is made, and in recent changes afterwards. */
import path from 'node:path'
import { isJsonObject } from '@shared/session/json'
import { artifactDirectoryOf } from '../../engine/layout/session-paths'
import type { FileIdentity } from '../../engine/storage/file-identity'
import { isStringArray, numberOr, stringOr } from '../changes/json-guards'
import type { ChangeRecord } from '../changes/recent-changes'
import { amountText, sessionsText } from '../changes/words'
import { hiddenBeside, parseIdentity } from '../reroot/relocation'

export type ForkPlan = {
  version: 1
  /** 16 hex digits, in the names of the parts. */
  key: string
  /** The new journal. */
  file: string
  id: string
  sessionsDir: string
  agentDir: string
  cwd: string
  title: string
  /** Directories that have to be made, outermost first. */
  makes: string[]
  /** Blob store that is copied to; null within one root. */
  blobStore: string | null
}

export type ForkPaths = {
  artifacts: string
  /** Journal and artifact directory until they have their names. */
  part: string
  artifactsPart: string
}

export function forkPaths({ key, file }: Pick<ForkPlan, 'key' | 'file'>): ForkPaths {
  // The name is ours and ends in `.jsonl`.
  const artifacts = artifactDirectoryOf(file) ?? `${file}.artifacts`
  return {
    artifacts,
    part: hiddenBeside(file, `.${key}.tmp`),
    artifactsPart: hiddenBeside(artifacts, `.${key}.tmp`),
  }
}

/** A plan read back from one of our files, or null when it is none. */
export function parseForkPlan(value: unknown): ForkPlan | null {
  if (!isJsonObject(value) || value.version !== 1 || !isStringArray(value.makes)) return null
  const { key, file, id, sessionsDir, agentDir, cwd } = value
  if (typeof key !== 'string' || !/^[0-9a-f]{16}$/.test(key)) return null
  if (typeof file !== 'string' || !path.isAbsolute(file) || artifactDirectoryOf(file) === null) return null
  if (typeof id !== 'string' || typeof sessionsDir !== 'string') return null
  if (typeof agentDir !== 'string' || typeof cwd !== 'string') return null
  const title = stringOr(value.title, '')
  const blobStore = stringOr(value.blobStore, null)
  return { version: 1, key, file, id, sessionsDir, agentDir, cwd, title, makes: [...value.makes], blobStore }
}

/** What was noted on the way. `written`: bytes of the journal, before it has its name. `back`: it is taken away again. */
export type ForkNotes = { written: number | null; back: boolean }

export function parseForkNotes(notes: readonly unknown[]): ForkNotes {
  const objects = notes.filter(isJsonObject)
  const written = objects.map(note => numberOr(note.written, null)).findLast(size => size !== null)
  return { written: written ?? null, back: objects.some(note => note.back === true) }
}

/** The fork as it was made: undo takes away nothing that is more than this. */
export type MadeFork = {
  plan: ForkPlan
  identity: FileIdentity
  /** Of the artifact directory, as `treeFingerprint`; null when there is none. */
  artifacts: string | null
}

export function parseMadeFork(value: unknown): MadeFork | null {
  if (!isJsonObject(value)) return null
  const plan = parseForkPlan(value.plan)
  const identity = parseIdentity(value.identity)
  if (plan === null || identity === null) return null
  return { plan, identity, artifacts: stringOr(value.artifacts, null) }
}

/** What recent changes keep of a fork. `made` null: somebody wrote to it before it was recorded. */
export function forkRecord(
  id: string,
  time: number,
  plan: ForkPlan,
  made: MadeFork | null,
  amount: { files: number; bytes: number },
): ChangeRecord {
  return {
    id,
    kind: 'fork',
    text: `Forked ${sessionsText([plan.title])}`,
    detail: `for ${plan.cwd}; ${amountText(amount)}`,
    time,
    state: 'done',
    undo: made,
    whyNot: made === null ? WRITTEN_TO : null,
  }
}

export const WRITTEN_TO = 'The fork was written to since it was made; delete it, if that is what you want.'
