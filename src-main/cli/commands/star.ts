/** `star`: omp's own stars, set or taken away. */
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { ChangeReport } from '@shared/ipc/models/change-models'
import { ok, type Result } from '@shared/ipc/result'
import { silentWork } from '../../engine/environment'
import { isArchive } from '../../engine/layout/session-paths'
import { summarizeSession } from '../../library/catalog/session-summary'
import { countText } from '../../library/changes/words'
import { type StarTarget, starSessions } from '../../library/edits/star-sessions'
import { libraryRoots } from '../../library/roots'
import { commandContext, exitCode, printStaying, recoverFirst } from '../change-support'
import { type Command, type CommandIo, UsageError } from '../command'
import { agentDirOption, parsed } from '../options'
import { answer, fail } from '../session-at-work'
import { changeablePlace, findSession } from '../session-target'
import { mayWrite } from '../writable'

export const starCommand: Command = {
  name: 'star',
  usage: 'star FILE... [--off] [--agent-dir DIR] [--dry-run] [--json]',
  summary: "star sessions with omp's own stars; --off takes them away",
  async run(argv, io) {
    const { values, positionals } = parsed(() =>
      parseArgs({
        args: argv,
        options: {
          off: { type: 'boolean', default: false },
          'agent-dir': { type: 'string' },
          'dry-run': { type: 'boolean', default: false },
          json: { type: 'boolean', default: false },
        },
        allowPositionals: true,
      }),
    )
    if (positionals.length === 0) throw new UsageError('star needs at least one session file.')
    const only = agentDirOption(values['agent-dir'], io)
    const dryRun = values['dry-run']
    const found = targetsOf(io, positionals, only)
    if (!found.ok) return fail(io, found.error.message)
    const targets = found.value
    const context = commandContext(io, only)
    if (!dryRun) await recoverFirst(context, io)
    const elsewhere = libraryRoots(io.env, [], only)
      .filter(root => !root.readOnly)
      .map(({ layout }) => layout.pinsFile)
    const done = await starSessions(context, targets, !values.off, elsewhere, silentWork, { dryRun })
    if (!done.ok) return fail(io, done.error.message)
    const writable = mayWrite(io, dryRun && done.value.done > 0 ? foldersOf(targets) : [])
    if (!writable.ok) return fail(io, writable.error.message)
    return tell(io, values.json, { dryRun, starred: !values.off }, done.value)
  },
}

function foldersOf(targets: readonly StarTarget[]): string[] {
  return targets.map(({ pinsFile }) => path.dirname(pinsFile))
}

function targetsOf(io: CommandIo, names: readonly string[], only: string | null): Result<StarTarget[]> {
  const targets = new Map<string, StarTarget>()
  for (const name of names) {
    const target = findSession(io, name, only)
    if (!target.ok) return target
    const { file, layout } = target.value
    // A star is noted beside the sessions: an archived one is not written for it.
    const place = isArchive(file) ? ok(true) : changeablePlace(io, target.value)
    if (!place.ok) return place
    const summary = summarizeSession(io.env, file)
    const title = summary.title || summary.firstPrompt || path.basename(file)
    const { pinsFile } = layout
    targets.set(file, { ref: null, title, id: summary.id, pinsFile, readOnly: false })
  }
  return ok([...targets.values()])
}

function tell(
  io: CommandIo,
  json: boolean,
  { dryRun, starred }: { dryRun: boolean; starred: boolean },
  { asked, done, changeId, staying, notes }: ChangeReport,
): number {
  const stays = staying.map(({ title, reason, text }) => ({ title, reason, text }))
  printStaying(staying, io)
  const verb = `${dryRun ? 'Would take' : 'Took'} the stars of`
  const sentence = starred ? (dryRun ? 'Would star' : 'Starred') : verb
  const facts = { dryRun, starred, asked, done, changeId, staying: stays, notes }
  answer(io, json, facts, [`${sentence} ${countText(done, 'session')}${starred ? '' : ' away'}`])
  return exitCode({ staying })
}
