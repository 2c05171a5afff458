/** `drop`: moves sessions to the trash, each with its artifacts, subagents and draft. */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { silentWork } from '../../engine/environment'
import { amountText, countText } from '../../library/changes/words'
import { layoutAround } from '../../library/session-home'
import { applyDelete } from '../../library/trash/delete-apply'
import { type DeletePlanData, deletePlanView, planDelete } from '../../library/trash/delete-plan'
import { trashRootOf } from '../../library/trash/trash-places'
import {
  commandContext,
  exitCode,
  isSessionName,
  type LinkedFile,
  linkedFiles,
  printStaying,
  recoverFirst,
  targetOf,
} from '../change-support'
import { type Command, type CommandIo, UsageError } from '../command'
import { agentDirOption, agentDirRefusal, fileArgument, parsed } from '../options'
import { safeText } from '../plain-text'
import { mayWrite } from '../writable'

export const dropCommand: Command = {
  name: 'drop',
  usage: 'drop FILE... [--agent-dir DIR] [--include-maybe] [--dry-run] [--json]',
  summary: 'move sessions to the trash, as whole units; --include-maybe: also where an omp may have them',
  async run(argv, io) {
    const { values, positionals } = parsed(() =>
      parseArgs({
        args: argv,
        options: {
          'agent-dir': { type: 'string' },
          'include-maybe': { type: 'boolean', default: false },
          'dry-run': { type: 'boolean', default: false },
          json: { type: 'boolean', default: false },
        },
        allowPositionals: true,
      }),
    )
    if (positionals.length === 0) throw new UsageError('drop needs at least one session file.')
    const only = agentDirOption(values['agent-dir'], io)
    const files = positionals.map(name => fileArgument(name, io))
    const strange = files.find(file => !isSessionName(file))
    if (strange !== undefined) throw new UsageError(`${strange} is not the name of a session file (.jsonl).`)
    const refusal = agentDirRefusal(only, files, io)
    if (refusal !== null) {
      io.error(`grove: ${refusal}`)
      return 1
    }
    const context = commandContext(
      io,
      only,
      files.map(file => layoutAround(io.env, file, only).breadcrumbsDir),
    )
    if (!values['dry-run']) await recoverFirst(context, io)
    const targets = files.map(file => targetOf(io, file, only))
    const plan = await planDelete(context, targets, {}, silentWork)
    if (!plan.ok) {
      io.error(`grove: ${plan.error.message}`)
      return 1
    }
    const linkedBy = linkedFiles(
      io,
      plan.value.units.map(unit => unit.target),
    )
    if (values['dry-run']) {
      printPlan(plan.value, linkedBy, values.json, io)
      printStaying(plan.value.staying, io)
      const writable = mayWrite(io, placesOf(plan.value))
      if (!writable.ok) io.error(`grove: ${writable.error.message}`)
      return writable.ok ? exitCode(plan.value) : 1
    }
    const done = await applyDelete(context, plan.value, { includeMaybe: values['include-maybe'] }, silentWork)
    if (!done.ok) {
      io.error(`grove: ${done.error.message}`)
      return 1
    }
    const { report, items } = done.value
    if (values.json) io.print(JSON.stringify({ dryRun: false, ...report, items, linkedBy }, null, 2))
    else {
      for (const { journal, location } of items)
        io.print(`${safeText(journal)}\n    is now in ${safeText(location)}`)
      io.print(`Moved ${report.done} of ${report.asked} to trash: ${amountText(report)}`)
      printLinks(linkedBy, io)
    }
    for (const note of report.notes) io.error(`grove: ${safeText(note)}`)
    printStaying(report.staying, io)
    return exitCode(report)
  },
}

/** What the real run writes to: the folders that the sessions leave, and the trash of their roots. */
function placesOf({ units }: DeletePlanData): string[] {
  return units.flatMap(({ target }) => [path.dirname(target.journal), trashRootOf(target.sessionsDir)])
}

/** The plan: exactly what would go. */
function printPlan(
  plan: DeletePlanData,
  linkedBy: readonly LinkedFile[],
  json: boolean,
  io: CommandIo,
): void {
  const { sessions, asked, files, bytes, artifactFiles, subagents, drafts, staying, maybe } =
    deletePlanView(plan)
  const items = plan.units.map(unit => ({
    journal: unit.target.journal,
    title: unit.target.title,
    files: unit.files,
    bytes: unit.bytes,
    artifactFiles: unit.artifactFiles,
    subagents: unit.subagents,
    hasDraft: unit.hasDraft,
    maybeInUse: unit.maybe,
    parts: unit.parts.map(({ role, name, kind, files: count, bytes: size }) => ({
      role,
      name,
      kind,
      files: count,
      bytes: size,
    })),
  }))
  if (json) {
    const sums = { sessions, asked, files, bytes, artifactFiles, subagents, drafts }
    io.print(JSON.stringify({ dryRun: true, ...sums, items, linkedBy, staying, maybe }, null, 2))
    return
  }
  for (const item of items) {
    io.print(`${safeText(item.journal)}\n    ${amountText(item)}: ${safeText(item.title)}`)
    if (item.maybeInUse !== null) io.print(`    maybe in use: ${safeText(item.maybeInUse)}`)
  }
  io.print(
    `Would move ${sessions} of ${asked} to trash: ${amountText({ files, bytes })}, ${countText(subagents, 'subagent')}`,
  )
  printLinks(linkedBy, io)
}

function printLinks(linkedBy: readonly LinkedFile[], io: CommandIo): void {
  for (const { path: file, title } of linkedBy)
    io.print(`    keeps a link to it: ${safeText(`${title} (${file})`)}`)
}
