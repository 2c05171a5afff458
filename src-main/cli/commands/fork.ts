/** `fork`: a session once more, under a new id; or the path to one entry of it as a session of its own. */
import { parseArgs } from 'node:util'
import { err, ok, type Result } from '@shared/ipc/result'
import { silentWork } from '../../engine/environment'
import { sessionDirectoryFor } from '../../engine/layout/session-directory'
import { lastId } from '../../engine/session/document-marks'
import type { ForkRequest } from '../../engine/session/many-file-operations'
import { SessionDocument } from '../../engine/session/session-document'
import { SessionManager } from '../../engine/session/session-manager'
import { FileSessionStorage } from '../../engine/storage/file-session-storage'
import type { ChangeContext } from '../../library/changes/change-handlers'
import { rememberMade } from '../../library/changes/remember-made'
import { amountText } from '../../library/changes/words'
import { lookAtFork } from '../../library/fork/fork-look'
import { folderNotes, forkDirectory } from '../../library/fork/fork-place'
import { forkRoots, sessionOperations } from '../../library/session-operations'
import { type Command, type CommandIo, UsageError } from '../command'
import { agentDirOption, fileArgument, parsed } from '../options'
import { answer, beginWork, fail, hasEntry } from '../session-at-work'
import { findSession, type SessionTarget } from '../session-target'
import { mayWrite } from '../writable'

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
    'fork FILE --at ID [--no-artifacts] [--agent-dir DIR] [--dry-run] [--json]',
  ].join('\n'),
  summary: 'make a session with the same entries and artifacts; --at: with the path to that entry only',
  async run(argv, io) {
    const options = readOptions(argv, io)
    const { dryRun } = options
    const target = findSession(io, options.name, options.only)
    if (!target.ok) return fail(io, target.error.message)
    const work = await beginWork(io, target.value, options)
    const source = SessionManager.open(io.env, work.settings, target.value.file, io.cwd)
    if (!source.ok) return fail(io, source.error.message)
    const manager = source.value
    const made = await fork(io, target.value, manager, options, work.context)
    if (!made.ok) return fail(io, made.error.message)
    const { file, cwd } = made.value
    const notes = file === null ? [] : rememberMade(work.context, [file])
    notes.unshift(...made.value.notes)
    const facts = { dryRun, ...made.value, notes }
    const amount = amountText({ files: 1 + facts.artifactFiles, bytes: facts.bytes })
    const where = file ?? `a new session in ${facts.directory}`
    answer(io, options.json, facts, [
      `${dryRun ? 'Would fork' : 'Forked'} ${facts.source} to ${where}`,
      `    for ${cwd}: ${amount}`,
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
  bytes: number
  leafId: string | null
  changeId: string | null
  notes: string[]
}

async function fork(
  io: CommandIo,
  target: SessionTarget,
  manager: SessionManager,
  { only, cwd: asked, withArtifacts, at, zeroCosts, dryRun }: Options,
  context: ChangeContext,
): Promise<Result<Forked>> {
  const { env } = io
  const { file: source, layout } = target
  if (!manager.isOnDisk) return err('damaged', `${source} holds nothing yet that could be forked.`, source)
  const there = at === null ? ok(true as const) : hasEntry(manager, at)
  if (!there.ok) return there
  const cwd = asked ?? manager.cwd ?? io.cwd
  const place =
    asked === null ? forkDirectory(env, source, layout, cwd) : ok(sessionDirectoryFor(env, layout, cwd))
  if (!place.ok) return place
  const directory = place.value
  const request: ForkRequest = { source, cwd, directory, withArtifacts, leafId: at, zeroCosts }
  const about = { source, directory, cwd, leafId: at ?? manager.leafId }
  const more = asked === null ? [] : folderNotes(env, asked)
  if (dryRun) {
    const look = await lookAtFork(env, request, forkRoots(env, request, only), silentWork)
    if (!look.ok) return look
    const writable = mayWrite(io, [directory, context.data.operations])
    if (!writable.ok) return writable
    const { artifactFiles, bytes } = look.value
    return ok({ ...about, file: null, id: null, artifactFiles, bytes, changeId: null, notes: more })
  }
  const forked = await sessionOperations(context, only).fork(request, silentWork)
  if (!forked.ok) return forked
  const { file, id, artifactFiles, bytes, changeId, notes } = forked.value
  const leafId = at === null ? about.leafId : lastIdIn(io, file)
  return ok({ ...about, file, id, artifactFiles, bytes, leafId, changeId, notes: [...notes, ...more] })
}

/** Where omp goes on in the new session: behind the path stand its labels. */
function lastIdIn({ env }: CommandIo, file: string): string | null {
  const made = SessionDocument.open(new FileSessionStorage(env, file), env.now)
  return made.ok ? lastId(made.value) : null
}
