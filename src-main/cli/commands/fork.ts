/** `fork`: a session once more, under a new id; or the path to one entry of it as a session of its own. */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { err, ok, type Result } from '@shared/ipc/result'
import { silentWork } from '../../engine/environment'
import { sessionDirectoryFor } from '../../engine/layout/session-directory'
import { parentJournalOf } from '../../engine/layout/session-paths'
import type { ForkRequest } from '../../engine/session/many-file-operations'
import { SessionManager } from '../../engine/session/session-manager'
import { lstatOrUndefined } from '../../engine/storage/directory-sync'
import { attempt } from '../../engine/storage/errors'
import { amountText } from '../../library/changes/words'
import { projectState } from '../../library/projects/project-state'
import { sessionOperations } from '../../library/session-operations'
import { type Command, type CommandIo, UsageError } from '../command'
import { agentDirOption, fileArgument, parsed } from '../options'
import { answer, beginWork, fail, hasEntry, rememberMade } from '../session-at-work'
import { changeablePlace, findSession, type SessionTarget } from '../session-target'
import { type ForkPreview, previewBranch, previewFork } from './fork-preview'

type Options = {
  name: string
  only: string | null
  /** Null: the folder that the session names. */
  cwd: string | null
  withArtifacts: boolean
  /** Id of the entry at which the path ends; null for all of the session. */
  at: string | null
  zeroCosts: boolean
  dryRun: boolean
  json: boolean
}

export const forkCommand: Command = {
  name: 'fork',
  usage: [
    'fork FILE [--cwd DIR] [--no-artifacts] [--zero-costs] [--agent-dir DIR] [--dry-run] [--json]',
    'fork FILE --at ID [--agent-dir DIR] [--dry-run] [--json]',
  ].join('\n'),
  summary:
    'make a session with the same entries and artifacts; --at: with the path to that entry only, without artifacts',
  async run(argv, io) {
    const options = readOptions(argv, io)
    const { dryRun } = options
    const target = findSession(io, options.name, options.only)
    if (!target.ok) return fail(io, target.error.message)
    const work = await beginWork(io, target.value, options)
    const source = SessionManager.open(io.env, work.settings, target.value.file, io.cwd)
    if (!source.ok) return fail(io, source.error.message)
    const manager = source.value
    const made =
      options.at === null
        ? await forkWhole(io, target.value, manager, options, work.context)
        : await forkPath(io, target.value, manager, options.at, dryRun)
    if (!made.ok) return fail(io, made.error.message)
    const { file, cwd } = made.value
    const notes = rememberMade(work.context, file === null ? [] : [file])
    notes.unshift(...made.value.notes)
    const facts = { dryRun, ...made.value, notes }
    const amount = amountText({ files: 1 + facts.artifactFiles, bytes: facts.bytes ?? 0 })
    const where = file ?? `a new session in ${facts.directory}`
    answer(io, options.json, facts, [
      `${dryRun ? 'Would fork' : 'Forked'} ${facts.source} to ${where}`,
      `    for ${cwd}${facts.bytes === null ? '' : `: ${amount}`}`,
    ])
    return 0
  },
}

function readOptions(argv: string[], io: CommandIo): Options {
  const { values, positionals } = parsed(() =>
    parseArgs({
      args: argv,
      options: {
        cwd: { type: 'string' },
        'no-artifacts': { type: 'boolean', default: false },
        at: { type: 'string' },
        'zero-costs': { type: 'boolean', default: false },
        'agent-dir': { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    }),
  )
  const [name, more] = positionals
  const { cwd, at } = values
  if (name === undefined || more !== undefined) throw new UsageError('fork needs exactly one session file.')
  if (cwd === '') throw new UsageError('--cwd needs a folder.')
  if (at === '') throw new UsageError('--at needs the id of an entry.')
  if (at !== undefined && (cwd !== undefined || values['zero-costs']))
    throw new UsageError('--at takes no --cwd and no --zero-costs.')
  return {
    name,
    only: agentDirOption(values['agent-dir'], io),
    cwd: cwd === undefined ? null : fileArgument(cwd, io),
    withArtifacts: !values['no-artifacts'],
    at: at ?? null,
    zeroCosts: values['zero-costs'],
    dryRun: values['dry-run'],
    json: values.json,
  }
}

type Forked = {
  source: string
  /** Null in a dry run, like `id`. */
  file: string | null
  directory: string
  id: string | null
  cwd: string
  artifactFiles: number
  bytes: number | null
  leafId: string | null
  changeId: string | null
  notes: string[]
}

async function forkWhole(
  io: CommandIo,
  target: SessionTarget,
  manager: SessionManager,
  { only, cwd: asked, withArtifacts, zeroCosts, dryRun }: Options,
  context: Parameters<typeof sessionOperations>[0],
): Promise<Result<Forked>> {
  if (!manager.isOnDisk)
    return err('damaged', `${target.file} holds nothing yet that could be forked.`, target.file)
  const cwd = asked ?? manager.cwd ?? io.cwd
  const place = directoryOf(io, target, asked, cwd)
  if (!place.ok) return place
  const directory = place.value
  const request: ForkRequest = { source: target.file, cwd, directory, withArtifacts, zeroCosts }
  const about = { source: target.file, directory, cwd, leafId: manager.leafId }
  if (dryRun) {
    const preview = await previewFork(io, context, target, manager.document, request)
    return preview.ok ? ok(notYet(about, preview.value, folderNotes(io, asked))) : preview
  }
  const forked = await sessionOperations(context, only).fork(request, silentWork)
  if (!forked.ok) return forked
  const { file, id, artifactFiles, bytes, changeId, notes } = forked.value
  return ok({
    ...about,
    file,
    id,
    artifactFiles,
    bytes,
    changeId,
    notes: [...notes, ...folderNotes(io, asked)],
  })
}

async function forkPath(
  io: CommandIo,
  target: SessionTarget,
  manager: SessionManager,
  at: string,
  dryRun: boolean,
): Promise<Result<Forked>> {
  const there = hasEntry(manager, at)
  if (!there.ok) return there
  const place = changeablePlace(io, target)
  if (!place.ok) return place
  const owned = isOwned(io, target.file)
  if (!owned.ok) return owned
  if (owned.value)
    return err(
      'invalid-argument',
      `${target.file} is a subagent's session, and a path of it would become another subagent; fork it whole first.`,
      target.file,
    )
  const cwd = manager.cwd ?? io.env.home
  const about = { source: target.file, directory: path.dirname(target.file), cwd, leafId: at }
  if (dryRun) {
    const preview = previewBranch(io, manager.document, about.directory)
    return preview.ok ? ok(notYet(about, preview.value, [])) : preview
  }
  const branched = await manager.createBranchedSession(at)
  if (!branched.ok) return branched
  const { file, id, leafId, document } = branched.value
  return ok({
    ...about,
    file,
    id,
    artifactFiles: 0,
    bytes: document.bytes,
    leafId,
    changeId: null,
    notes: [],
  })
}

function notYet(
  about: Pick<Forked, 'source' | 'directory' | 'cwd' | 'leafId'>,
  { artifactFiles, bytes }: ForkPreview,
  notes: string[],
): Forked {
  return { ...about, file: null, id: null, artifactFiles, bytes, changeId: null, notes }
}

/**
 * Where the fork comes to: beside the source, unless it is for another folder, or the source is a subagent's, beside which
 * it would be one too.
 */
function directoryOf(
  io: CommandIo,
  { file, layout }: SessionTarget,
  asked: string | null,
  cwd: string,
): Result<string> {
  const owned = isOwned(io, file)
  if (!owned.ok) return owned
  return ok(asked === null && !owned.value ? path.dirname(file) : sessionDirectoryFor(io.env, layout, cwd))
}

/** Whether the file lies in another session's artifact directory. */
function isOwned(io: CommandIo, file: string): Result<boolean> {
  const parent = parentJournalOf(file)
  return attempt('look at', parent, () => lstatOrUndefined(io.env.fs, parent) !== undefined)
}

/** A session may name a folder that is not there; who mistyped it should know. */
function folderNotes(io: CommandIo, cwd: string | null): string[] {
  if (cwd === null) return []
  const { state, reason } = projectState(io.env, cwd)
  return state === 'present' ? [] : [`${reason ?? `${cwd} is not there.`} The fork names it all the same.`]
}
