/**
 * ARTIFACT STORE: numbered outputs of tools in the artifact directory of one session (docs/format.md, Artifact directory).
 *
 * Guarantees
 *   A number is given out once, whoever else gives out numbers by this store at the same time: the directory is read
 *   and the name made while omp's lock of the journal is held. A number that another program took in that moment
 *   is left to it, and the next one is taken.
 *   `save` acknowledged means: the file holds exactly these bytes, was read back before it got its name, and file and
 *   name are on the disk. It never takes the place of something.
 *   `allocate` makes the file, empty, so that the number is taken; the caller writes into it.
 *   After a failure nothing new is there: no file, no temporary file, no directory.
 *   `resolve` answers the same files in the same order every time.
 *
 * Not guaranteed
 *   omp counts by itself, without lock and without looking again. An omp that has this session open can later give out
 *   a number that was given out here; `resolve` then tells that the number is ambiguous.
 *   A subagent's outputs lie with the session it belongs to: make the store for that (`rootJournalOf`).
 *
 * Order of calls
 *   save: make the directory, write aside and read back; LOCK: read the directory, link to the next free number, read
 *   the directory again; sync the directory. allocate: the same with an empty file made exclusively, nothing synced.
 *
 * Failures
 *   journal without artifact directory, number that is none -> `invalid-argument`
 *   lock held for 500 ms            -> `in-use`
 *   any call                        -> the error of the system; what was made is removed
 *   killed                          -> perhaps an empty directory, or a `.artifact.<16 hex>.tmp`
 */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import type { Environment } from '../environment'
import { artifactDirectoryOf } from '../layout/session-paths'
import { lstatOrUndefined, syncDirectory } from '../storage/directory-sync'
import { attempt, EngineError, errnoOf } from '../storage/errors'
import type { FileSystem } from '../storage/file-system'
import { withPublishLock } from '../storage/publish-lock'
import { publishTemporary, removeQuietly, writeVerifiedTemporary } from '../storage/verified-write'
import { artifactName, isArtifactOf, nextArtifactNumber } from './artifact-number'
import { inArtifactDirectory } from './artifact-place'

export type Artifact = {
  /** The number as text, as in `artifact://<id>`. */
  id: string
  /** Absolute. */
  path: string
}

export type ResolvedArtifact = {
  /** Absolute paths; outputs of tools (`.log`) first, then by name. None: there is no such artifact. */
  candidates: string[]
  /** More than one file has this number, and nothing tells which one is meant. omp takes whichever the system lists first. */
  ambiguous: boolean
}

/** How often another program may take the number that was about to be given out. */
const ATTEMPTS = 1_000

export class ArtifactStore {
  private readonly env: Environment
  private readonly journal: string

  /** @param journal absolute path of the session file; it need not exist */
  constructor(env: Environment, journal: string) {
    this.env = env
    this.journal = journal
  }

  /** A number for the output of `tool`, and the empty file that was made for it. */
  allocate(tool: string): Promise<Result<Artifact>> {
    const { fs } = this.env
    return inArtifactDirectory(this.env, this.journal, directory =>
      this.publish(directory, tool, null, (target, own) => {
        if (own !== null) removeQuietly(fs, own)
        return makeEmpty(fs, target)
      }),
    )
  }

  /** Stores the output of `tool` under a number of its own. */
  save(tool: string, bytes: Uint8Array): Promise<Result<Artifact>> {
    const { env } = this
    return inArtifactDirectory(this.env, this.journal, async directory => {
      const place = path.join(directory, 'artifact')
      const temp = attempt('save the artifact in', directory, () => writeVerifiedTemporary(env, place, bytes))
      if (!temp.ok) return temp
      const saved = await this.publish(
        directory,
        tool,
        temp.value,
        (target, own) => own !== null && publishTemporary(env.fs, own, target),
      )
      if (!saved.ok) return saved
      const synced = attempt('sync', directory, () => syncDirectory(env, directory))
      if (synced.ok) return saved
      // Nobody was told of it yet.
      removeQuietly(env.fs, saved.value.path)
      return synced
    })
  }

  /** The files that an artifact's number names. Looks only; links are not followed and name nothing. */
  resolve(id: string): Result<ResolvedArtifact> {
    const directory = artifactDirectoryOf(this.journal)
    if (!/^\d{1,20}$/.test(id)) return err('invalid-argument', `${id} is not the number of an artifact.`)
    if (directory === null) return ok({ candidates: [], ambiguous: false })
    const entries = attempt('read the artifacts in', directory, () =>
      lstatOrUndefined(this.env.fs, directory)?.kind === 'directory'
        ? this.env.fs.readDirectory(directory)
        : [],
    )
    if (!entries.ok) {
      const isNone = entries.error.code === 'not-found'
      return isNone ? ok({ candidates: [], ambiguous: false }) : entries
    }
    const names = entries.value
      .filter(entry => entry.kind === 'file' && isArtifactOf(entry.name, id))
      .map(({ name }) => name)
      .sort((a, b) => Number(b.endsWith('.log')) - Number(a.endsWith('.log')) || (a < b ? -1 : 1))
    const candidates = names.map(name => path.join(directory, name))
    return ok({ candidates, ambiguous: candidates.length > 1 })
  }

  /**
   * Takes the next free number under the lock.
   *
   * @param own what this call made so far; it is removed when no number can be had
   * @param make makes the file, out of what this call made so far or anew; false when the name is taken
   */
  private async publish(
    directory: string,
    tool: string,
    own: string | null,
    make: (target: string, own: string | null) => boolean,
  ): Promise<Result<Artifact>> {
    const { env, journal } = this
    let made = own
    const take = (): Artifact => {
      let from = 0
      for (let tries = 0; tries < ATTEMPTS; tries++) {
        const number = nextArtifactNumber(this.names(directory, made), from)
        const artifact = { id: String(number), path: path.join(directory, artifactName(number, tool)) }
        from = number + 1
        if (!make(artifact.path, made)) continue
        made = artifact.path
        if (!this.names(directory, made).some(name => isArtifactOf(name, artifact.id))) return artifact
      }
      throw new EngineError(
        'conflict',
        `Other programs take every number in ${directory}; try again.`,
        directory,
      )
    }
    const taken = await withPublishLock(env, journal, () => attempt('save an artifact in', directory, take))
    if (!taken.ok && made !== null) removeQuietly(env.fs, made)
    return taken
  }

  /** The names in the directory, without that of our own file. */
  private names(directory: string, own: string | null): string[] {
    const names = this.env.fs.readDirectory(directory).map(({ name }) => name)
    return own === null ? names : names.filter(name => name !== path.basename(own))
  }
}

/** False when the name is taken. */
function makeEmpty(fs: FileSystem, target: string): boolean {
  let fd: number
  try {
    fd = fs.open(target, 'wx')
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') return false
    throw thrown
  }
  try {
    fs.close(fd)
    return true
  } catch (thrown) {
    removeQuietly(fs, target)
    throw thrown
  }
}
