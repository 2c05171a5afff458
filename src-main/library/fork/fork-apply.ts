/**
 * FORK: a session once more, or the path to one entry of it, with artifacts, under a new id. Rules: docs/format.md, Fork; for a path
 * docs/format.md, Branched session.
 *
 * Guarantees
 *   The fork is there whole or not at all, also after a kill at any moment once recovery has run; before that its journal
 *   is there only with its artifacts. Nothing is overwritten. The source is only read.
 *   Fork and source hold the same: a source that changes meanwhile is `changed-on-disk`, and nothing is made. A path is what was
 *   read of it: lines that come behind it meanwhile do not matter.
 *   In another root the blobs are copied first (carry-blobs.ts).
 *
 * Order of calls
 *   read the source; operation journal; directory; blobs; artifacts and journal under hidden names, synced, read back;
 *   look at the source again; the artifacts get their name, then the journal, each synced; recent changes; end of the
 *   operation journal.
 *
 * Failures
 *   before the journal has its name  what was made is removed, the error
 *   after that                       the same, journal first
 *   of the way back                  the operation is abandoned to recovery, which goes back
 *   of the records                   the fork is made, a note says so; recovery records it later
 *   a kill                           recovery (fork-handler.ts): journal there: finished; else removed
 */
import path from 'node:path'
import { type AppError, err, ok, type Result } from '@shared/ipc/result'
import { type Environment, silentWork, type WorkContext } from '../../engine/environment'
import type { AgentLayout } from '../../engine/layout/agent-directories'
import { artifactDirectoryOf, sessionFileName } from '../../engine/layout/session-paths'
import type { ForkedSession, ForkRequest } from '../../engine/session/many-file-operations'
import { addName } from '../../engine/storage/atomic-replace'
import { ensureDirectory, syncDirectory } from '../../engine/storage/directory-sync'
import { attempt, attemptAsync, EngineError } from '../../engine/storage/errors'
import type { ChangeContext } from '../changes/change-handlers'
import { beginOperation, currentOwner, type OperationJournal } from '../changes/operation-journal'
import { recordChange } from '../changes/recent-changes'
import { blobNotes, carryBlobs, differentStores } from '../move/carry-blobs'
import { liesIn } from '../real-place'
import { removeIfThere, writePartFile } from '../reroot/journal-part'
import { relocationKey } from '../reroot/relocation'
import { exists } from '../reroot/trees'
import { isInTrash } from '../trash/trash-places'
import { type CopiedArtifacts, copyArtifacts, partsToFork, verifyArtifacts } from './fork-artifacts'
import { type ForkPlan, forkPaths, forkRecord } from './fork-plan'
import { madeForkOf, removeFork } from './fork-settle'
import { checkForkSource, type ForkSource, readForkSource, withForkJournal } from './fork-source'

/** The root that the source lies in, and the one that the fork comes to. */
export type ForkRoots = { source: AgentLayout; target: AgentLayout; readOnly: boolean }

/** A fork, of which the caller knows where it was to come to. */
export type NewFork = Omit<ForkedSession, 'layout'>

/** Forks a session. */
export async function forkSession(
  context: ChangeContext,
  request: ForkRequest,
  roots: ForkRoots,
  work: WorkContext,
): Promise<Result<NewFork>> {
  const { env, data, deps } = context
  const source = readForkSource(env, request)
  if (!source.ok) return source
  const changeId = env.uuid()
  const plan = planFork(env, request, roots, source.value, changeId)
  if (!plan.ok) return plan
  const journal = beginOperation(env, data, {
    id: changeId,
    kind: 'fork',
    plan: plan.value,
    owner: currentOwner(env, deps.processes, deps.instance),
  })
  if (!journal.ok) return journal
  const made = await make(context, request, roots, source.value, plan.value, journal.value, work)
  if (made.ok) return finish(context, plan.value, journal.value, made.value)
  return takeBack(env, plan.value, journal.value, made.error)
}

/** Where the fork would come to. Looks only; its refusals are those of the fork. */
export function planFork(
  env: Environment,
  { source, cwd, directory }: ForkRequest,
  { source: root, target, readOnly }: ForkRoots,
  { document, now }: ForkSource,
  changeId: string,
): Result<ForkPlan> {
  if (readOnly)
    return err('permission', `${target.sessionsDir} is a root that Grove only reads; fork it elsewhere.`)
  if (isInTrash(root.sessionsDir, source))
    return err('invalid-argument', `${source} is in the trash; restore it first.`, source)
  if (isInTrash(target.sessionsDir, directory))
    return err('invalid-argument', `${directory} is in the trash, where nothing is put.`, directory)
  if (liesIn(env, target.archiveDir, directory))
    return err('invalid-argument', `${directory} is omp's archive, in which nothing is put.`, directory)
  if (!path.isAbsolute(cwd) || !path.isAbsolute(directory))
    return err('invalid-argument', 'A fork needs full paths of its folder and of its directory.')
  const id = env.sessionId()
  const file = path.join(directory, sessionFileName(new Date(now).toISOString(), id))
  return attempt('look at', directory, (): ForkPlan => {
    const plan: ForkPlan = {
      version: 1,
      key: relocationKey(changeId, file),
      file,
      id,
      sessionsDir: target.sessionsDir,
      agentDir: target.agentDir,
      cwd,
      title: document.title.title ?? (document.facts.firstPrompt || path.basename(source)),
      makes: missingDirectories(env, directory),
      blobStore: differentStores(env, root.blobsDir, target.blobsDir)?.to ?? null,
    }
    for (const taken of [file, forkPaths(plan).artifacts])
      if (exists(env.fs, taken)) throw new EngineError('conflict', `${taken} is already there.`, taken)
    return plan
  })
}

function missingDirectories(env: Environment, directory: string): string[] {
  const missing: string[] = []
  for (let at = directory; !exists(env.fs, at) && path.dirname(at) !== at; at = path.dirname(at))
    missing.unshift(at)
  return missing
}

type Made = { artifacts: CopiedArtifacts | null; bytes: number; notes: string[] }

async function make(
  { env }: ChangeContext,
  request: ForkRequest,
  roots: ForkRoots,
  source: ForkSource,
  plan: ForkPlan,
  journal: OperationJournal,
  work: WorkContext,
): Promise<Result<Made>> {
  const ready = attempt('make the folder', request.directory, () => ensureDirectory(env, request.directory))
  if (!ready.ok) return ready
  const stores = differentStores(env, roots.source.blobsDir, roots.target.blobsDir)
  const carried = stores === null ? undefined : await carryBlobs(env, request.source, stores, work)
  if (carried?.ok === false) return carried
  const from = request.withArtifacts ? artifactDirectoryOf(request.source) : null
  const parts = partsToFork(request)
  const copied =
    from === null ? ok(null) : await copyArtifacts(env, from, forkPaths(plan).artifactsPart, parts, work)
  if (!copied.ok) return copied
  const written = await writeJournal(env, request, source, plan, work)
  if (!written.ok) return written
  // The artifacts too: an entry that came meanwhile may name one that did not come along, and the other way round.
  const artifacts = copied.value
  const same =
    from === null || artifacts === null
      ? ok(undefined)
      : await verifyArtifacts(env, from, artifacts.entries, parts, work)
  if (!same.ok) return same
  const noted = journal.note({ written: written.value })
  if (!noted.ok) return noted
  const named = attempt('name', plan.file, () => nameParts(env, source, plan, artifacts !== null))
  if (!named.ok) return named
  const notes = stores === null || carried === undefined ? [] : blobNotes(carried.value, stores)
  return ok({ artifacts, bytes: written.value + (artifacts?.bytes ?? 0), notes })
}

function writeJournal(
  env: Environment,
  request: ForkRequest,
  source: ForkSource,
  plan: ForkPlan,
  work: WorkContext,
): Promise<Result<number>> {
  return attemptAsync('fork', source.document.path, () =>
    withForkJournal(env, request, source, plan.id, chunks =>
      writePartFile(env, forkPaths(plan).part, chunks, source.mode, work),
    ),
  )
}

/** The journal's name comes last: who sees it sees a whole fork. */
function nameParts(env: Environment, source: ForkSource, plan: ForkPlan, withArtifacts: boolean): void {
  const { artifacts, artifactsPart, part } = forkPaths(plan)
  const directory = path.dirname(plan.file)
  checkForkSource(env, source)
  if (exists(env.fs, artifacts))
    throw new EngineError('conflict', `${artifacts} is already there.`, artifacts)
  if (withArtifacts) {
    env.fs.rename(artifactsPart, artifacts)
    syncDirectory(env, directory)
  }
  if (addName(env.fs, part, plan.file)) removeIfThere(env.fs, part)
  syncDirectory(env, directory)
}

async function finish(
  context: ChangeContext,
  plan: ForkPlan,
  journal: OperationJournal,
  { artifacts, bytes, notes }: Made,
): Promise<Result<NewFork>> {
  const { env, data } = context
  const files = 1 + (artifacts?.files ?? 0)
  const made = await madeForkOf(env, plan, silentWork)
  const record = forkRecord(journal.id, env.now(), plan, made.ok ? made.value : null, { files, bytes })
  const recorded = await recordChange(env, data, record)
  if (!recorded.ok)
    notes.push(`The change could not be noted among the recent changes: ${recorded.error.message}`)
  if (!recorded.ok || !journal.finish().ok) journal.abandon()
  return ok({ file: plan.file, id: plan.id, artifactFiles: files - 1, bytes, notes, changeId: journal.id })
}

async function takeBack(
  env: Environment,
  plan: ForkPlan,
  journal: OperationJournal,
  error: AppError,
): Promise<Result<never>> {
  const noted = journal.note({ back: true })
  const removed = await attemptAsync('remove', plan.file, () => removeFork(env, plan, silentWork))
  if (removed.ok && journal.finish().ok) return { ok: false, error }
  journal.abandon()
  if (removed.ok || !noted.ok) return { ok: false, error }
  const text = `${error.message} What was made of it is removed when Grove starts next: ${removed.error.message}`
  return { ok: false, error: { ...error, message: text } }
}
