/** `move`: sessions to another project folder, to another agent directory, or both; each whole, or not at all. */
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { StayingSession } from '@shared/ipc/models/change-models'
import type { AppError } from '@shared/ipc/result'
import { silentWork } from '../../engine/environment'
import { type AgentLayout, plainLayout } from '../../engine/layout/agent-directories'
import type { ChangeContext } from '../../library/changes/change-handlers'
import { rememberMade } from '../../library/changes/remember-made'
import { amountText } from '../../library/changes/words'
import { planSessionMove } from '../../library/move/plan-session-move'
import { applyReroot } from '../../library/reroot/apply'
import type { PlannedMove, RerootPlanData } from '../../library/reroot/plan'
import { libraryRoots } from '../../library/roots'
import { commandContext, recoverFirst, targetOf } from '../change-support'
import { type Command, type CommandIo, UsageError } from '../command'
import { agentDirProblem, CHANGE_OPTIONS, changeOptions, fileArgument, parsed } from '../options'
import { answer, fail } from '../session-at-work'
import { changeablePlace, findSession, type SessionTarget } from '../session-target'
import { mayWrite } from '../writable'

type Options = {
  names: string[]
  only: string | null
  /** The folder they belong to afterwards; null: the one that each names. */
  to: string | null
  /** Null: the agent directory that each lies in. */
  toAgentDir: string | null
  includeMaybe: boolean
  dryRun: boolean
  json: boolean
}

export const moveCommand: Command = {
  name: 'move',
  usage:
    'move FILE... [--to DIR] [--to-agent-dir DIR] [--agent-dir DIR] [--include-maybe] [--dry-run] [--json]',
  summary: 'move sessions to another folder (--to), or with their pictures to another agent directory',
  async run(argv, io) {
    const options = readOptions(argv, io)
    const { only, toAgentDir, dryRun } = options
    const problem = agentDirProblem(toAgentDir, io)
    if (problem !== null) return fail(io, problem)
    const found = options.names.map(name => findSession(io, name, only))
    const targets: SessionTarget[] = []
    for (const target of found) {
      if (!target.ok) return fail(io, target.error.message)
      if (!targets.some(({ file }) => file === target.value.file)) targets.push(target.value)
    }
    const layouts = [
      ...targets.map(({ layout }) => layout),
      ...(toAgentDir === null ? [] : [plainLayout(toAgentDir)]),
    ]
    const context = commandContext(
      io,
      only,
      layouts.map(({ breadcrumbsDir }) => breadcrumbsDir),
    )
    if (!dryRun) await recoverFirst(context, io)
    const outcomes = await moveAll(io, context, targets, options)
    printOutcomes(io, outcomes, options)
    return outcomes.some(({ result }) => 'reason' in result) ? 1 : 0
  },
}

function readOptions(argv: string[], io: CommandIo): Options {
  const { values, positionals } = parsed(() =>
    parseArgs({
      args: argv,
      options: { to: { type: 'string' }, 'to-agent-dir': { type: 'string' }, ...CHANGE_OPTIONS },
      allowPositionals: true,
    }),
  )
  const { to, 'to-agent-dir': toAgentDir } = values
  if (positionals.length === 0) throw new UsageError('move needs at least one session file.')
  if (to === undefined && toAgentDir === undefined)
    throw new UsageError('move needs --to, the folder, or --to-agent-dir.')
  if (to === '') throw new UsageError('--to needs a folder.')
  if (toAgentDir === '') throw new UsageError('--to-agent-dir needs a folder.')
  return {
    names: positionals,
    to: to === undefined ? null : fileArgument(to, io),
    toAgentDir: toAgentDir === undefined ? null : fileArgument(toAgentDir, io),
    ...changeOptions(values, io),
    json: values.json,
  }
}

type Moved = { planned: PlannedMove; changeId: string | null; notes: string[] }
/** Why a session stays where it is: `StayingSession`'s reasons, or the code of an error. */
type Stays = { reason: string; text: string }
type Outcome = { file: string; result: Moved | Stays }

/** One after the other: what keeps one session does not keep the others. */
async function moveAll(
  io: CommandIo,
  context: ChangeContext,
  targets: readonly SessionTarget[],
  options: Options,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const taken = new Set<string>()
  for (const target of targets) {
    const result = await moveOne(io, context, target, taken, options)
    if ('planned' in result) taken.add(result.planned.move.to)
    outcomes.push({ file: target.file, result })
  }
  return outcomes
}

async function moveOne(
  io: CommandIo,
  context: ChangeContext,
  target: SessionTarget,
  taken: ReadonlySet<string>,
  { only, to, toAgentDir, includeMaybe, dryRun }: Options,
): Promise<Moved | Stays> {
  const place = changeablePlace(io, target)
  if (!place.ok) return staysBecause(place.error)
  const { file, layout } = target
  const session = targetOf(io, file, only)
  const toLayout = toAgentDir === null ? layout : plainLayout(toAgentDir)
  const newCwd = to ?? session.cwd
  if (newCwd === null)
    return { reason: 'invalid-argument', text: `${file} names no folder; say with --to where it belongs.` }
  const plan = await planSessionMove(
    context,
    { session, from: layout, to: toLayout, readOnly: isReadOnly(io, toLayout), newCwd, directory: null },
    silentWork,
  )
  if (!plan.ok) return staysBecause(plan.error)
  const planned = plannedOf(plan.value, taken, includeMaybe)
  if ('reason' in planned) return planned
  const { from, to: there } = planned.move
  if (dryRun) {
    const writable = mayWrite(io, [path.dirname(from), path.dirname(there), context.data.operations])
    return writable.ok ? { planned, changeId: null, notes: plan.value.notes } : staysBecause(writable.error)
  }
  const done = await applyReroot(context, plan.value, { includeMaybe }, silentWork)
  if (!done.ok) return staysBecause(done.error)
  const { changeId, staying, notes } = done.value
  if (changeId === null) return firstOf(staying)
  return { planned, changeId, notes: [...notes, ...rememberMade(context, [there])] }
}

/** The move that is planned, or why the session stays. */
function plannedOf(
  { moves, staying }: RerootPlanData,
  taken: ReadonlySet<string>,
  includeMaybe: boolean,
): PlannedMove | Stays {
  const [planned] = moves
  if (planned === undefined) return firstOf(staying)
  if (planned.maybe !== null && !includeMaybe) return { reason: 'in-use', text: planned.maybe }
  if (taken.has(planned.move.to))
    return { reason: 'clash', text: `Another of these sessions becomes ${planned.move.to}.` }
  return planned
}

function firstOf([first]: readonly StayingSession[]): Stays {
  return first ?? { reason: 'failed', text: 'Nothing tells why it stays where it is.' }
}

function staysBecause({ code, message }: AppError): Stays {
  return { reason: code, text: message }
}

function isReadOnly(io: CommandIo, { sessionsDir }: AgentLayout): boolean {
  return (
    libraryRoots(io.env, [], null).find(root => root.layout.sessionsDir === sessionsDir)?.readOnly === true
  )
}

function printOutcomes(io: CommandIo, outcomes: readonly Outcome[], { dryRun, json }: Options): void {
  const items = outcomes.flatMap(({ result }) => ('reason' in result ? [] : [itemOf(result)]))
  const staying = outcomes.flatMap(({ file, result }) =>
    'reason' in result ? [{ file, reason: result.reason, text: result.text }] : [],
  )
  const [only] = outcomes.length === 1 ? items : []
  const notes = outcomes.flatMap(({ result }) => ('reason' in result ? [] : result.notes))
  const facts = {
    dryRun,
    asked: outcomes.length,
    done: dryRun ? 0 : items.length,
    file: only?.file ?? null,
    changeId: only?.changeId ?? null,
    items,
    staying,
    notes,
  }
  const sentences = items.flatMap(item => [
    item.from,
    `    ${dryRun ? 'would become' : 'is now'} ${item.file} for ${item.newCwd}: ${amountText(item)}`,
    ...(item.changeId === null ? [] : [`    undo with: reroot --undo ${item.changeId}`]),
  ])
  // A session alone that stays is a failure, and standard output stays empty.
  if (items.length > 0 || outcomes.length > 1) answer(io, json, facts, sentences)
  for (const { file, text } of staying) fail(io, text.includes(file) ? text : `${file}: ${text}`)
}

function itemOf({ planned: { move }, changeId }: Moved) {
  const { from, to: file, oldCwd, newCwd, files, bytes } = move
  return { from, file, oldCwd, newCwd, files, bytes, changeId }
}
