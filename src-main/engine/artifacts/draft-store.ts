/**
 * DRAFT STORE: the text of a session that was typed and not sent (docs/format.md, Drafts).
 *
 * Guarantees
 *   `save` acknowledged means: `draft.txt` holds exactly this text in UTF-8, and is on the disk. Readers find the old
 *   draft or the new one, never a part.
 *   Whoever saves or discards says which version was last read. When another program has written, sent or discarded
 *   the draft since, the answer is `changed-on-disk`, and nothing was overwritten or removed.
 *   Idempotent: saving what is there already, and discarding what is gone already, is ok whatever the version.
 *   Two callers of this store take turns: omp's lock of the journal is held.
 *   After a failure no temporary file and no new directory is left. What a killed process left is removed by the next save
 *   or discard, see draft-leftovers.ts.
 *
 * Not guaranteed
 *   omp writes drafts in place and asks for no lock: what it writes between our last look and the rename is lost.
 *   A draft that is no UTF-8 is `damaged`: it is neither read nor overwritten, since its text could not be given back.
 *   Nothing here makes the journal; a draft without one belongs to nobody.
 *
 * Order of calls
 *   save: make the directory; LOCK; remove leftovers; compare and replace (or make exclusively), as atomic-replace.ts.
 *   discard, consume: LOCK; read; compare; remove leftovers; unlink; sync the directory.
 *
 * Failures
 *   up to the rename or unlink -> the old draft stands; the error of the system
 *   directory sync             -> `save`, `discard`: error `io`, the new state stands but may not survive a power loss, and doing
 *                                 it again is ok. `consume`: the text is answered; after a power loss the draft may be back
 *   lock held for 500 ms       -> `in-use`
 *   half a character in a text -> `invalid-argument`; over `limits.draftBytes` -> `too-large`
 */
import path from 'node:path'
import { type Err, err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { Environment } from '../environment'
import { artifactDirectoryOf, isArchive } from '../layout/session-paths'
import { archivedRefusal } from '../storage/archived-session-storage'
import { publishNewNow, replaceFileNow } from '../storage/atomic-replace'
import { readRange, withByteSource } from '../storage/byte-source'
import { lstatOrUndefined, syncDirectory } from '../storage/directory-sync'
import { attempt } from '../storage/errors'
import {
  captureIdentity,
  type FileIdentity,
  identityDifference,
  verifyIdentity,
} from '../storage/file-identity'
import { withPublishLock } from '../storage/publish-lock'
import { DRAFT_FILE, DRAFT_ONLY_MARKER } from './artifact-directory'
import { inArtifactDirectory } from './artifact-place'
import { removeDraftLeftovers } from './draft-leftovers'

export type DraftState = {
  /** Empty when there is none. */
  text: string
  /** To be passed on when this draft is replaced or discarded; null: there is no file. */
  version: FileIdentity | null
}

const NO_DRAFT: DraftState = { text: '', version: null }

/** How often a draft is read again because it was being written. */
const READS = 3

export class DraftStore {
  private readonly env: Environment
  private readonly journal: string

  /** @param journal absolute path of the session file */
  constructor(env: Environment, journal: string) {
    this.env = env
    this.journal = journal
  }

  /** The draft, whole; looks only. */
  readDraft(): Result<DraftState> {
    const directory = artifactDirectoryOf(this.journal)
    if (directory === null) return ok(NO_DRAFT)
    const file = path.join(directory, DRAFT_FILE)
    let last: Result<DraftState> = ok(NO_DRAFT)
    for (let tries = 0; tries < READS; tries++) {
      last = this.readOnce(directory, file)
      // Another program was writing while it was read: look again.
      if (last.ok || last.error.code !== 'changed-on-disk') return last
    }
    return last
  }

  private readOnce(directory: string, file: string): Result<DraftState> {
    const { fs } = this.env
    const there = attempt('read the draft', file, () => {
      // No link is followed, neither of the directory nor of the file.
      if (lstatOrUndefined(fs, directory)?.kind !== 'directory') return undefined
      return lstatOrUndefined(fs, file)
    })
    if (!there.ok) return there
    if (there.value === undefined) return ok(NO_DRAFT)
    if (there.value.kind !== 'file')
      return err('conflict', `${file} is not a regular file; it is left as it is.`, file)
    if (there.value.size > limits.draftBytes) return tooLarge(file, there.value.size)
    const version = captureIdentity(fs, file)
    if (!version.ok) return version.error.code === 'not-found' ? ok(NO_DRAFT) : version
    const read = attempt('read the draft', file, () =>
      withByteSource(fs, file, source => Buffer.from(readRange(source, 0, source.size))),
    )
    if (!read.ok) return read.error.code === 'not-found' ? ok(NO_DRAFT) : read
    const same = verifyIdentity(fs, file, version.value)
    if (!same.ok) return same
    const text = read.value.toString('utf8')
    if (Buffer.from(text, 'utf8').equals(read.value)) return ok({ text, version: version.value })
    return err('damaged', `${file} is not text in UTF-8; move it away to write a draft.`, file)
  }

  /**
   * Saves `text` over the draft that was read as `expected`; empty text discards it. Answers the new state.
   *
   * @param expected `version` as it was read; null: there was no draft
   */
  async saveDraft(text: string, expected: FileIdentity | null): Promise<Result<DraftState>> {
    if (text === '') {
      const gone = await this.discardDraft(expected)
      return gone.ok ? ok(NO_DRAFT) : gone
    }
    const bytes = Buffer.from(text, 'utf8')
    if (bytes.toString('utf8') !== text)
      return err('invalid-argument', 'The draft holds half a character and cannot be written as it is.')
    if (bytes.length > limits.draftBytes) return tooLarge(this.journal, bytes.length)
    return inArtifactDirectory(this.env, this.journal, directory => {
      const file = path.join(directory, DRAFT_FILE)
      return withPublishLock(this.env, this.journal, () => this.write(directory, file, bytes, expected))
    })
  }

  private write(
    directory: string,
    file: string,
    bytes: Buffer,
    expected: FileIdentity | null,
  ): Result<DraftState> {
    removeDraftLeftovers(this.env, directory)
    const written =
      expected === null
        ? publishNewNow(this.env, file, [bytes], {})
        : replaceFileNow(this.env, file, [bytes], { expected })
    const text = bytes.toString('utf8')
    if (written.ok) return ok({ text, version: written.value })
    const { code } = written.error
    if (code !== 'conflict' && code !== 'changed-on-disk' && code !== 'not-found') return written
    const now = this.readDraft()
    if (!now.ok) return now
    if (now.value.text !== text) return changedMeanwhile(file)
    const synced = attempt('sync', directory, () => syncDirectory(this.env, directory))
    return synced.ok ? now : synced
  }

  /** Discards the draft that was read as `expected`. */
  async discardDraft(expected: FileIdentity | null): Promise<Result<void>> {
    const taken = await this.take(({ text, version }) => text === '' || isSame(expected, version))
    return taken.ok ? taken.value.synced : taken
  }

  /** The draft, which is gone afterwards; null when there is none. */
  async consumeDraft(): Promise<Result<string | null>> {
    const taken = await this.take(() => true)
    if (!taken.ok) return taken
    return ok(taken.value.text === '' ? null : taken.value.text)
  }

  private file(): string {
    return path.join(artifactDirectoryOf(this.journal) ?? '', DRAFT_FILE)
  }

  /** Removes the draft under the lock, when `mayGo` says so of what is there. */
  private async take(
    mayGo: (now: DraftState) => boolean,
  ): Promise<Result<{ text: string; synced: Result<void> }>> {
    const { env } = this
    // Without a draft there may be no folder either in which to lock.
    const before = this.readDraft()
    if (!before.ok || before.value.version === null)
      return before.ok ? ok({ text: '', synced: ok(undefined) }) : before
    if (isArchive(this.journal)) return archivedRefusal(this.journal)
    return withPublishLock(env, this.journal, () => {
      const now = this.readDraft()
      if (!now.ok) return now
      const { text, version } = now.value
      const file = this.file()
      if (version === null) return ok({ text: '', synced: ok(undefined) })
      if (!mayGo(now.value)) return changedMeanwhile(file)
      removeDraftLeftovers(env, path.dirname(file))
      const removed = attempt('remove the draft', file, () => env.fs.unlink(file))
      if (!removed.ok) return removed
      const synced = attempt('sync the folder of', file, () => syncDirectory(env, path.dirname(file)))
      return ok({ text, synced })
    })
  }

  /** Notes that the journal exists only because of its draft; ok when that is noted already. */
  markDraftOnly(): Promise<Result<void>> {
    return inArtifactDirectory(this.env, this.journal, async directory => {
      const made = publishNewNow(this.env, path.join(directory, DRAFT_ONLY_MARKER), [], {})
      return made.ok || made.error.code === 'conflict' ? ok(undefined) : made
    })
  }
}

function isSame(expected: FileIdentity | null, actual: FileIdentity | null): boolean {
  return expected !== null && actual !== null && identityDifference(expected, actual) === null
}

function changedMeanwhile(file: string): Err {
  const message = `${file}: another program changed the draft meanwhile; nothing was overwritten. Read it, then try again.`
  return { ok: false, error: { code: 'changed-on-disk', message, path: file } }
}

function tooLarge(file: string, bytes: number): Result<never> {
  return err(
    'too-large',
    `The draft of ${file} is too large (${bytes} of at most ${limits.draftBytes} bytes).`,
    file,
  )
}
