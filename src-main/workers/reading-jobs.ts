/** Jobs that read one session for the window. Journals are named by path here; the window only knows refs. */

import type { CopySpan } from '@shared/ipc/models/manage-models'
import type { FindAnswer } from '@shared/ipc/models/search-models'
import type {
  ArtifactPreview,
  DraftView,
  EntryPreview,
  SessionDetails,
  SessionTree,
} from '@shared/ipc/models/session-models'
import type { Outline, TranscriptPage, TranscriptRow } from '@shared/ipc/models/transcript-models'
import { err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { listArtifacts } from '../engine/artifacts/artifact-directory'
import { BlobStore } from '../engine/blobs/blob-store'
import type { Environment, WorkContext } from '../engine/environment'
import { artifactDirectoryOf } from '../engine/layout/session-paths'
import type { SessionGrowth } from '../engine/session/session-document'
import type { SubagentFile } from '../library/catalog/relations'
import { versionNow, versionText } from '../library/drafts/draft-version'
import { groveData } from '../library/grove-data'
import {
  artifactBytes,
  artifactPreview,
  artifactsView,
  type OwnArtifacts,
} from '../library/reading/artifacts-view'
import type { CopiedText } from '../library/reading/copy-text'
import { isAlreadySent, readDraft } from '../library/reading/draft'
import { imageInBlob, inlineImage } from '../library/reading/inline-image'
import { type LastRead, writeLastRead } from '../library/reading/last-read'
import { lastRows } from '../library/reading/last-rows'
import { sessionDetails } from '../library/reading/session-details'
import { type OpenedSession, SessionReader } from '../library/reading/session-reader'

type PathInput = { journal: string; tip: number | null }
type Place = { journal: string; blobsDir: string; blobRoot: string; session: string }

export function createReadingJobs(env: Environment) {
  const reader = new SessionReader(env)
  const imagesAt = (place: Place) => ({
    blobs: new BlobStore(env.fs, place.blobsDir),
    blobRoot: place.blobRoot,
    session: place.session,
  })

  /**
   * A line that looks like a record may be none: what there is instead is known once all are read. `names`: entries are named by their
   * ordinals, which mean other entries then, so that there is no answer until the window was told.
   */
  async function orWhole<T>(
    journal: string,
    names: boolean,
    work: WorkContext,
    answer: () => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const first = await answer()
    if (first.ok || first.error.code !== 'damaged') return first
    const before = reader.document(journal)
    const index = before.ok ? before.value.index : null
    const whole = await reader.completed(journal, work)
    if (!whole.ok) return whole
    if (names && whole.value.index !== index)
      return err(
        'changed-on-disk',
        `${journal} was read anew: lines of it are damaged. Try it again.`,
        journal,
      )
    return await answer()
  }

  /** Answers from a path that is planned whole, in steps. `names`: the question names an entry by its ordinal, besides the tip. */
  const onPath = <T>(
    { journal, tip }: PathInput,
    work: WorkContext,
    answer: () => Result<T> | Promise<Result<T>>,
    names = false,
  ): Promise<Result<T>> =>
    orWhole(journal, names || tip !== null, work, async () => {
      const planned = await reader.planned(journal, tip, work)
      return planned.ok ? await answer() : planned
    })

  return {
    openSession: async (input: { journal: string }, work: WorkContext): Promise<Result<OpenedSession>> => {
      const document = await reader.opened(input.journal, work)
      return document.ok ? reader.open(input.journal) : document
    },

    /** Learns what opening left out; how the session differs from what was told of it. */
    completeSession: (
      input: { journal: string },
      work: WorkContext,
    ): Promise<Result<{ growth: SessionGrowth; revision: number }>> => reader.learn(input.journal, work),

    /** Reads what changed on disk; cheap when nothing did. */
    refreshSession: async (
      input: { journal: string },
      work: WorkContext,
    ): Promise<Result<{ growth: SessionGrowth; revision: number }>> => {
      const document = await reader.opened(input.journal, work)
      return document.ok ? reader.refresh(input.journal) : document
    },

    transcript: async (
      input: Place & {
        tip: number | null
        from: number | null
        count: number
        subagents: Record<string, string>
      },
      work: WorkContext,
    ): Promise<Result<TranscriptPage>> => {
      const { journal, from } = input
      const subagentRef = (name: string) => input.subagents[name] ?? null
      if (from !== null)
        return onPath(input, work, () => reader.transcript(journal, input, imagesAt(input), subagentRef))
      return orWhole(journal, input.tip !== null, work, async () => {
        const opened = await reader.opened(journal, work)
        return opened.ok ? reader.newest(journal, input, imagesAt(input), subagentRef) : opened
      })
    },

    /** The last rows of a large session before it is opened; null: there are none to be had so fast. */
    lastRows: (
      input: Place & { count: number; subagents: Record<string, string> },
    ): Result<TranscriptRow[] | null> =>
      // Of one that is open, the rows themselves are there as fast.
      reader.isOpen(input.journal)
        ? ok(null)
        : lastRows(env, input.journal, input.count, imagesAt(input), name => input.subagents[name] ?? null),

    outline: (input: PathInput, work: WorkContext): Promise<Result<Outline>> =>
      onPath(input, work, () => reader.outline(input.journal, input.tip)),

    rowOf: (
      input: PathInput & { ordinal: number },
      work: WorkContext,
    ): Promise<Result<{ row: number | null; tip: number }>> =>
      onPath(input, work, () => reader.rowOf(input.journal, input.tip, input.ordinal), true),

    rowOfEntry: (
      { journal, entry }: { journal: string; entry: string },
      work: WorkContext,
    ): Promise<Result<number | null>> =>
      onPath({ journal, tip: null }, work, () => reader.rowOfEntry(journal, entry)),

    /** Keeps where reading of sessions was left, in Grove's own data. */
    keepLastRead: (input: { places: [string, LastRead][] }): Result<void> =>
      writeLastRead(env, groveData(env), input.places),

    entryText: async (
      input: { journal: string; ordinal: number; part: string },
      work: WorkContext,
    ): Promise<Result<{ text: string; cut: boolean }>> => {
      const opened = await reader.opened(input.journal, work)
      return opened.ok ? reader.text(input.journal, input.ordinal, input.part) : opened
    },

    copyText: (
      input: Place & { tip: number | null; span: CopySpan; as: 'markdown' | 'text' },
      work: WorkContext,
    ): Promise<Result<CopiedText>> => {
      const request = { span: input.span, as: input.as, maxChars: limits.copyChars }
      const copy = () => reader.copyText(input.journal, input.tip, request, imagesAt(input), work)
      return onPath(input, work, copy, input.span.kind !== 'path')
    },

    findInSession: (
      input: PathInput & { text: string; exact: boolean },
      work: WorkContext,
    ): Promise<Result<FindAnswer>> =>
      onPath(input, work, () => reader.find(input.journal, input.tip, input, work)),

    tree: async (input: { journal: string }, work: WorkContext): Promise<Result<SessionTree>> => {
      const ready = await reader.completed(input.journal, work)
      return ready.ok ? reader.tree(input.journal) : ready
    },

    previews: async (
      input: { journal: string; ordinals: number[] },
      work: WorkContext,
    ): Promise<Result<EntryPreview[]>> => {
      const opened = await reader.opened(input.journal, work)
      return opened.ok ? reader.previews(input.journal, input.ordinals) : opened
    },

    rawLine: async (
      input: { journal: string; line: number },
      work: WorkContext,
    ): Promise<Result<{ text: string; bytes: number; cut: boolean }>> => {
      const opened = await reader.opened(input.journal, work)
      return opened.ok ? reader.rawLine(input.journal, input.line) : opened
    },

    artifacts: async (input: Place, work: WorkContext): Promise<Result<OwnArtifacts>> => {
      const document = await reader.completed(input.journal, work)
      if (!document.ok) return document
      return artifactsView(env, document.value, imagesAt(input).blobs, input.blobRoot)
    },

    artifactPreview: (input: { journal: string; name: string; url: string }): Result<ArtifactPreview> =>
      artifactPreview(env, input.journal, input.name, input.url),

    details: async (input: Place, work: WorkContext): Promise<Result<SessionDetails>> => {
      const document = await reader.completed(input.journal, work)
      return document.ok ? ok(sessionDetails(env, document.value, imagesAt(input).blobs)) : document
    },

    draft: async (input: { journal: string }, work: WorkContext): Promise<Result<DraftView | null>> => {
      const draft = readDraft(env, input.journal)
      if (!draft.ok || draft.value === null) return draft.ok ? ok(null) : draft
      const { text, bytes, modified, version } = draft.value
      const document = await reader.completed(input.journal, work)
      const last = document.ok ? document.value.facts.lastPrompt : ''
      const alreadySent = isAlreadySent(text, last)
      return ok({ text, bytes, modified, alreadySent, version: versionText(version) })
    },

    /** Which draft there is, without reading it. */
    draftVersion: (input: { journal: string }): Result<string | null> => {
      const version = versionNow(env, input.journal)
      if (!version.ok) return version
      return ok(version.value === null ? null : versionText(version.value))
    },

    /** Bytes of a blob that is an image, or holds one as a data URL. */
    blobImage: (input: { blobsDir: string; hash: string }): Result<Uint8Array> => {
      const blob = new BlobStore(env.fs, input.blobsDir).get(input.hash, limits.imageBytes)
      return blob.ok ? ok(imageInBlob(blob.value)) : blob
    },

    artifactImage: (input: { journal: string; name: string }): Result<Uint8Array> =>
      artifactBytes(env, input.journal, input.name),

    /** Bytes of an image that stands in the journal itself. */
    inlineImage: async (
      input: { journal: string; ordinal: number; position: number },
      work: WorkContext,
    ): Promise<Result<Uint8Array>> => {
      const document = await reader.opened(input.journal, work)
      return document.ok ? inlineImage(document.value, input.ordinal, input.position) : document
    },

    /** Sessions of subagents in the artifact directory, by the name they were started under. */
    subagentFiles: (input: { journal: string }): Result<SubagentFile[]> => {
      const directory = artifactDirectoryOf(input.journal)
      const files = directory === null ? [] : listArtifacts(env.fs, directory).files
      return ok(
        files
          .filter(({ kind }) => kind === 'subagent')
          .map(({ name, modified }) => ({
            name: agentNameOf(name),
            file: `${directory}/${name}`,
            modified,
          })),
      )
    },
  }
}

/** `Fix/Fix.Check.jsonl` -> `Fix.Check`. */
function agentNameOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).replace(/\.jsonl$/, '')
}
