/** `reroot`: sessions of a folder that was moved, to the folder's new place; with suggestions, and undo. */
import { parseArgs } from 'node:util'
import type { RerootCandidate } from '@shared/ipc/models/change-models'
import { silentWork } from '../../engine/environment'
import { changeHandlers } from '../../library/changes/all-handlers'
import type { ChangeContext } from '../../library/changes/change-handlers'
import type { ChangeTarget } from '../../library/changes/change-target'
import { rememberMade } from '../../library/changes/remember-made'
import { undoChange } from '../../library/changes/undo'
import { amountText, bytesText, countText } from '../../library/changes/words'
import { normalFolder } from '../../library/projects/folder-paths'
import { projectState } from '../../library/projects/project-state'
import { applyReroot } from '../../library/reroot/apply'
import { type PlannedMove, planReroot, type RerootPlanData, rerootPlanView } from '../../library/reroot/plan'
import { suggestFolders } from '../../library/reroot/question'
import { allSessionTargets } from '../../library/reroot/session-targets'
import type { RerootScope } from '../../library/reroot/subject'
import { type LibraryRoot, libraryRoots } from '../../library/roots'
import { layoutAround } from '../../library/session-home'
import {
  commandContext,
  exitCode,
  isSessionName,
  printStaying,
  recoverFirst,
  targetOf,
} from '../change-support'
import { type Command, type CommandIo, UsageError } from '../command'
import { agentDirOption, agentDirRefusal, fileArgument, parsed } from '../options'
import { safeText } from '../plain-text'

type Options = {
  from: string | undefined
  to: string | undefined
  prefix: boolean
  suggest: string | undefined
  undo: string | undefined
  only: string | null
  includeMaybe: boolean
  dryRun: boolean
  json: boolean
  files: string[]
}

export const rerootCommand: Command = {
  name: 'reroot',
  usage: [
    'reroot --from PATH --to PATH [--prefix] [--agent-dir DIR] [--include-maybe] [--dry-run] [--json]',
    'reroot FILE... --to PATH [--agent-dir DIR] [--include-maybe] [--dry-run] [--json]',
    'reroot --suggest PATH [--agent-dir DIR] [--json]',
    'reroot --undo CHANGE-ID [--agent-dir DIR] [--json]',
  ].join('\n'),
  summary:
    'move the sessions of a folder to where it is now; --prefix: with everything below it; --suggest: where it may be',
  async run(argv, io) {
    const options = readOptions(argv, io)
    const refusal = agentDirRefusal(options.only, options.files, io)
    if (refusal !== null) return fail(io, refusal)
    if (options.suggest !== undefined) return suggest(options, options.suggest, io)
    if (options.undo !== undefined) return undo(options, options.undo, io)
    return reroot(options, io)
  },
}

function readOptions(argv: string[], io: CommandIo): Options {
  const { values, positionals } = parsed(() =>
    parseArgs({
      args: argv,
      options: {
        from: { type: 'string' },
        to: { type: 'string' },
        prefix: { type: 'boolean', default: false },
        suggest: { type: 'string' },
        undo: { type: 'string' },
        'agent-dir': { type: 'string' },
        'include-maybe': { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    }),
  )
  const { from, to, prefix, suggest: gone, undo: change } = values
  const forms = [from, gone, change, positionals[0]].filter(value => value !== undefined)
  if (forms.length !== 1) throw new UsageError('reroot needs one of --from, FILE..., --suggest, --undo.')
  if ((gone !== undefined || change !== undefined) && (to !== undefined || prefix || values['dry-run']))
    throw new UsageError('--suggest and --undo take no --to, --prefix or --dry-run.')
  if (gone === undefined && change === undefined && (to === undefined || to === ''))
    throw new UsageError('reroot needs --to, the folder where the sessions belong now.')
  if (prefix && from === undefined) throw new UsageError('--prefix goes with --from.')
  for (const [name, value] of Object.entries({ from, suggest: gone, undo: change }))
    if (value === '') throw new UsageError(`--${name} must not be empty.`)
  const files = positionals.map(name => fileArgument(name, io))
  const strange = files.find(file => !isSessionName(file))
  if (strange !== undefined) throw new UsageError(`${strange} is not the name of a session file (.jsonl).`)
  return {
    from: from === undefined ? undefined : folderArgument(from, io),
    to: to === undefined ? undefined : fileArgument(to, io),
    prefix,
    suggest: gone === undefined ? undefined : folderArgument(gone, io),
    undo: change,
    only: agentDirOption(values['agent-dir'], io),
    includeMaybe: values['include-maybe'],
    dryRun: values['dry-run'],
    json: values.json,
    files,
  }
}

/** A folder that need not be there, nor be one of this system. */
function folderArgument(value: string, io: CommandIo): string {
  return /^[A-Za-z]:[\\/]|^\\\\/.test(value) ? normalFolder(value) : fileArgument(value, io)
}

async function reroot(options: Options, io: CommandIo): Promise<number> {
  const { only } = options
  const roots = rootsOf(options, io)
  const context = contextOf(options, roots, io)
  if (!options.dryRun) await recoverFirst(context, io)
  const chosen = await choose(options, roots, io)
  if (chosen === null) return 1
  const missing = options.files.find(file => !chosen.sessions.some(({ journal }) => journal === file))
  if (missing !== undefined) return fail(io, `There is no session file ${missing}.`)
  const { scope, sessions } = chosen
  const plan = await planReroot(context, scope, options.to ?? '', sessions, roots, silentWork)
  if (!plan.ok) return fail(io, plan.error.message)
  if (options.dryRun) {
    printPlan(plan.value, options.json, io)
    printStaying(plan.value.staying, io)
    return exitCode(plan.value)
  }
  let moved: readonly PlannedMove[] = []
  const done = await applyReroot(
    context,
    plan.value,
    { includeMaybe: options.includeMaybe, onMoved: moves => (moved = moves) },
    silentWork,
  )
  if (!done.ok) return fail(io, done.error.message)
  const remembered = rememberMade(
    context,
    moved.map(({ move }) => move.to),
  )
  const report = { ...done.value, notes: [...done.value.notes, ...remembered] }
  if (options.json)
    io.print(
      JSON.stringify(
        { dryRun: false, ...report, from: plan.value.from, to: plan.value.to, items: moved.map(itemOf) },
        null,
        2,
      ),
    )
  else {
    io.print(
      `Re-rooted ${report.done} of ${report.asked} to ${safeText(plan.value.to)}: ${amountText(report)}`,
    )
    if (report.changeId !== null) io.print(`Undo with: reroot --undo ${report.changeId}${agentDirText(only)}`)
  }
  for (const note of report.notes) io.error(`grove: ${safeText(note)}`)
  printStaying(report.staying, io)
  return exitCode(report)
}

function agentDirText(only: string | null): string {
  return only === null ? '' : ` --agent-dir ${safeText(only)}`
}

/** Roots of this user, and those around the files that were named. */
function rootsOf({ only, files }: Options, io: CommandIo): LibraryRoot[] {
  const roots = libraryRoots(io.env, [], only)
  const around = files
    .map(file => layoutAround(io.env, file, only))
    .filter(layout => !roots.some(root => root.layout.sessionsDir === layout.sessionsDir))
  return [...roots, ...around.flatMap(layout => libraryRoots(io.env, [], layout.agentDir))]
}

function contextOf({ only }: Options, roots: readonly LibraryRoot[], io: CommandIo): ChangeContext {
  return commandContext(
    io,
    only,
    roots.map(({ layout }) => layout.breadcrumbsDir),
  )
}

async function choose(
  options: Options,
  roots: readonly LibraryRoot[],
  io: CommandIo,
): Promise<{ scope: RerootScope; sessions: ChangeTarget[] } | null> {
  if (options.from === undefined) {
    const files = [...new Set(options.files)].filter(file => isFile(io, file))
    const sessions = files.map(file => targetOf(io, file, options.only))
    return { scope: { kind: 'sessions', journals: files }, sessions }
  }
  const listed = await allSessionTargets(io.env, roots, silentWork)
  if (!listed.ok) {
    fail(io, listed.error.message)
    return null
  }
  for (const note of listed.value.notes) io.error(`grove: ${safeText(note)}`)
  const scope: RerootScope = options.prefix
    ? { kind: 'prefix', prefix: options.from }
    : { kind: 'project', cwd: options.from }
  return { scope, sessions: listed.value.sessions }
}

function isFile(io: CommandIo, file: string): boolean {
  try {
    io.env.fs.lstat(file)
    return true
  } catch {
    return false
  }
}

/** One session that moves, or did. */
function itemOf({ move, maybe }: PlannedMove) {
  const { from, to, title, oldCwd, newCwd, files, bytes } = move
  return { journal: from, from, to, title, oldCwd, newCwd, files, bytes, maybeInUse: maybe }
}

function printPlan(plan: RerootPlanData, json: boolean, io: CommandIo): void {
  const { planId: _, ...view } = rerootPlanView(plan)
  const items = plan.moves.map(itemOf)
  if (json) {
    io.print(JSON.stringify({ dryRun: true, ...view, items }, null, 2))
    return
  }
  for (const item of items) {
    io.print(
      `${safeText(item.from)}\n    ${safeText(item.to === item.from ? 'stays there, for' : `to ${item.to} for`)} ${safeText(item.newCwd)}`,
    )
    if (item.maybeInUse !== null) io.print(`    maybe in use: ${safeText(item.maybeInUse)}`)
  }
  io.print(
    `Would re-root ${view.sessions} of ${view.asked} to ${safeText(view.to)}: ` +
      `${countText(view.artifactDirectories, 'artifact folder')}, ${bytesText(view.bytes)}, ` +
      `${countText(view.breadcrumbs, 'breadcrumb')}, ${countText(view.clashes, 'name clash', 'name clashes')}`,
  )
  for (const note of view.notes) io.print(`    ${safeText(note)}`)
}

async function suggest(options: Options, gone: string, io: CommandIo): Promise<number> {
  const roots = rootsOf(options, io)
  const context = contextOf(options, roots, io)
  const listed = await allSessionTargets(io.env, roots, silentWork)
  if (!listed.ok) return fail(io, listed.error.message)
  const { state, reason } = projectState(io.env, gone)
  const candidates = await suggestFolders(
    io.env,
    context.data,
    gone,
    listed.value.sessions,
    roots,
    silentWork,
  )
  if (options.json) io.print(JSON.stringify({ folder: gone, state, reason, candidates }, null, 2))
  else {
    if (reason !== null) io.print(safeText(reason))
    for (const candidate of candidates)
      io.print(
        `${safeText(candidate.path)}\n    ${EVIDENCE[candidate.evidence]}: ${safeText(candidate.text)}`,
      )
    if (candidates.length === 0) io.print('Nothing is known of where it may be now.')
  }
  return 0
}

const EVIDENCE: Record<RerootCandidate['evidence'], string> = {
  'same-folder': 'same folder, renamed',
  'same-repository': 'same repository',
  'same-name': 'same name only',
}

async function undo(options: Options, id: string, io: CommandIo): Promise<number> {
  const context = contextOf(options, rootsOf(options, io), io)
  await recoverFirst(context, io)
  const done = await undoChange(context, changeHandlers, id, silentWork)
  if (!done.ok) return fail(io, done.error.message)
  const report = done.value
  if (options.json) io.print(JSON.stringify(report, null, 2))
  else io.print(`Undone for ${report.done} of ${report.asked}: ${amountText(report)}`)
  for (const note of report.notes) io.error(`grove: ${safeText(note)}`)
  printStaying(report.staying, io)
  return exitCode(report)
}

function fail(io: CommandIo, message: string): number {
  io.error(`grove: ${safeText(message)}`)
  return 1
}
