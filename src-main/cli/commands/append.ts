/**
 * `append`: adds entries to a session, or makes a new one. Each is acknowledged when it is written; what comes on standard
 * input is written as it comes, and what was acknowledged stays when a later entry is refused.
 */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { err, ok, type Result } from '@shared/ipc/result'
import { activeProfile, ompLayout, plainLayout } from '../../engine/layout/agent-directories'
import { SessionManager } from '../../engine/session/session-manager'
import { countText } from '../../library/changes/words'
import { projectState } from '../../library/projects/project-state'
import { type Command, type CommandIo, UsageError } from '../command'
import { entryOf } from '../entry-input'
import { TEXT_ROLES, UNKNOWN_MODEL } from '../message-input'
import { agentDirProblem, CHANGE_OPTIONS, changeOptions, fileArgument, parsed } from '../options'
import { safeText } from '../plain-text'
import {
  answer,
  beginWork,
  type ChangeOptions,
  fail,
  hasEntry,
  openSession,
  type SessionAtWork,
  wouldAppend,
} from '../session-at-work'
import { mayWrite } from '../writable'
import { Adding, type AddingOptions, type EntrySource } from './append-entries'

type Options = ChangeOptions &
  AddingOptions & {
    /** Null: a new session, in the folder `cwd`. */
    name: string | null
    cwd: string
  }

export const appendCommand: Command = {
  name: 'append',
  usage: [
    'append FILE [--text TEXT | --entry JSON | -] [--role user|developer|assistant] [--parent ID|root] [--sync os|disk] [--agent-dir DIR] [--include-maybe] [--dry-run] [--json]',
    'append --new [--cwd DIR] [--text TEXT | --entry JSON | -] [--role ROLE] [--sync os|disk] [--agent-dir DIR] [--dry-run] [--json]',
  ].join('\n'),
  summary:
    'add entries to a session: a message, an entry as JSON, or one entry a line from standard input; --new: make the session',
  async run(argv, io) {
    const options = readOptions(argv, io)
    const opened =
      options.name === null
        ? await newSession(io, options)
        : await openSession(io, options.name, options, true)
    if (!opened.ok) return fail(io, opened.error.message)
    const session = opened.value
    const { manager } = session
    if (options.parentId != null) {
      const parent = hasEntry(manager, options.parentId)
      if (!parent.ok) return fail(io, parent.error.message)
    }
    const free = await mayAdd(io, session, options)
    if (!free.ok) return fail(io, free.error.message)
    const adding = new Adding(io, manager, options)
    const added = await adding.all()
    const made = added.ok && options.name === null && !options.dryRun ? await manager.ensureOnDisk() : added
    const notes = options.dryRun ? [] : session.remember()
    if (!made.ok) {
      const done =
        adding.count === 0 ? '' : ` ${countText(adding.count, 'entry', 'entries')} before it stayed.`
      for (const note of notes) io.error(`grove: ${safeText(note)}`)
      return fail(io, `${made.error.message}${options.dryRun ? '' : done}`)
    }
    notes.push(...folderNotes(io, options))
    printAnswer(io, session, options, adding, notes)
    return 0
  },
}

function readOptions(argv: string[], io: CommandIo): Options {
  const { values, positionals } = parsed(() =>
    parseArgs({
      args: argv,
      options: {
        text: { type: 'string' },
        entry: { type: 'string' },
        role: { type: 'string' },
        parent: { type: 'string' },
        sync: { type: 'string', default: 'os' },
        new: { type: 'boolean', default: false },
        cwd: { type: 'string' },
        ...CHANGE_OPTIONS,
      },
      allowPositionals: true,
    }),
  )
  const [name, ...rest] = values.new ? [null, ...positionals] : positionals
  if (name === undefined) throw new UsageError('append needs a session file, or --new.')
  const dash = rest[0] === '-'
  const [more] = dash ? rest.slice(1) : rest
  if (more !== undefined) throw new UsageError(`Unexpected argument ${more}.`)
  if (!values.new && values.cwd !== undefined) throw new UsageError('--cwd goes with --new.')
  if (values.cwd === '') throw new UsageError('--cwd needs a folder.')
  if (values.new && values.parent !== undefined && values.parent !== 'root')
    throw new UsageError('A new session has no entry for --parent.')
  if (values.parent === '') throw new UsageError('--parent needs the id of an entry, or root.')
  const { sync } = values
  if (sync !== 'os' && sync !== 'disk') throw new UsageError('--sync is os or disk.')
  return {
    name,
    cwd: values.cwd === undefined ? io.cwd : fileArgument(values.cwd, io),
    source: sourceOf(values, dash),
    parentId: values.parent === 'root' ? null : values.parent,
    sync,
    ...changeOptions(values, io),
    json: values.json,
  }
}

function sourceOf(
  values: { text?: string | undefined; entry?: string | undefined; role?: string | undefined },
  dash: boolean,
): EntrySource {
  const { text, entry } = values
  if ([text !== undefined, entry !== undefined, dash].filter(given => given).length > 1)
    throw new UsageError('append takes one of --text, --entry and -.')
  if (values.role !== undefined && text === undefined) throw new UsageError('--role goes with --text.')
  if (text === '') throw new UsageError('--text must not be empty.')
  const role = TEXT_ROLES.find(one => one === (values.role ?? 'user'))
  if (role === undefined) throw new UsageError(`--role is one of ${TEXT_ROLES.join(', ')}.`)
  if (text !== undefined) return { kind: 'text', text, role }
  if (entry === undefined) return { kind: 'input' }
  const read = entryOf(entry, { now: 0, model: () => UNKNOWN_MODEL })
  if (!read.ok) throw new UsageError(`--entry: ${read.error.message}`)
  return { kind: 'entry', json: entry }
}

async function newSession(io: CommandIo, options: Options): Promise<Result<SessionAtWork>> {
  const { only, cwd } = options
  const problem = agentDirProblem(only, io)
  if (problem !== null) return err('invalid-argument', problem)
  const layout = only === null ? ompLayout(io.env, activeProfile(io.env)) : plainLayout(only)
  const { context, settings, remember } = await beginWork(io, { layout }, options)
  const manager = SessionManager.create(io.env, settings, { cwd })
  return manager.ok ? ok({ manager: manager.value, context, remember }) : manager
}

/** What can be told before the first entry is there; standard input is not asked for what nobody would take. */
async function mayAdd(
  io: CommandIo,
  session: SessionAtWork,
  { name, dryRun, source }: Options,
): Promise<Result<true>> {
  const { manager } = session
  if (name === null) return dryRun ? mayWrite(io, [manager.file]) : ok(true)
  if (dryRun) return wouldAppend(io, session)
  return source.kind === 'input' ? manager.check() : ok(true)
}

/** A session may name a folder that is not there; who mistyped it should know. */
function folderNotes(io: CommandIo, { name, cwd }: Options): string[] {
  const { state, reason } = projectState(io.env, cwd)
  if (name !== null || state === 'present') return []
  return [`${reason ?? `${cwd} is not there.`} The session names it all the same.`]
}

function printAnswer(
  io: CommandIo,
  { manager }: SessionAtWork,
  { name, source, dryRun, json }: Options,
  { count, id, parentId }: Adding,
  notes: string[],
): void {
  const isNew = name === null
  // The name of a new session is not known before it is made.
  const unknown = isNew && dryRun
  const facts = {
    dryRun,
    file: unknown ? null : manager.file,
    directory: path.dirname(manager.file),
    created: isNew,
    sessionId: unknown || (dryRun && !manager.isOnDisk) ? null : manager.id,
    count,
    id: source.kind === 'input' ? null : id,
    parentId: source.kind === 'input' ? null : parentId,
    leafId: dryRun ? null : manager.leafId,
    notes,
  }
  // Lines of JSON stay lines of JSON.
  if (json && source.kind === 'input') {
    io.print(JSON.stringify(facts))
    for (const note of notes) io.error(`grove: ${safeText(note)}`)
    return
  }
  const entries = countText(count, 'entry', 'entries')
  const place = unknown ? `a new session in ${facts.directory}` : manager.file
  answer(io, json, facts, [
    dryRun ? `Would add ${entries} to ${place}` : `Added ${entries} to ${place}`,
    ...(facts.id === null ? [] : [`    as ${facts.id}`]),
  ])
}
