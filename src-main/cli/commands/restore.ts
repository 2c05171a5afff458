/** `restore`: lists the trash, or puts sessions back where they were. */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { silentWork } from '../../engine/environment'
import { amountText, bytesText } from '../../library/changes/words'
import { libraryRoots } from '../../library/roots'
import { layoutAround } from '../../library/session-home'
import { originalJournalOf } from '../../library/trash/manifest'
import { planRestore, restoreFromTrash } from '../../library/trash/restore'
import { listTrash, type TrashEntry, type TrashListing } from '../../library/trash/trash-list'
import { commandContext, exitCode, isSessionName, printStaying, recoverFirst } from '../change-support'
import { type Command, type CommandIo, UsageError } from '../command'
import { agentDirOption, agentDirRefusal, fileArgument, isoOrNull, parsed } from '../options'
import { safeText } from '../plain-text'

export const restoreCommand: Command = {
  name: 'restore',
  usage:
    'restore (ID|FILE)... [--agent-dir DIR] [--dry-run] [--json]\nrestore --list [--agent-dir DIR] [--json]',
  summary: 'put sessions back from the trash, by trash id, session id or original file; or list the trash',
  async run(argv, io) {
    const { values, positionals } = parsed(() =>
      parseArgs({
        args: argv,
        options: {
          'agent-dir': { type: 'string' },
          list: { type: 'boolean', default: false },
          'dry-run': { type: 'boolean', default: false },
          json: { type: 'boolean', default: false },
        },
        allowPositionals: true,
      }),
    )
    // Without a name there is nothing to restore: what there is, is the answer.
    const listOnly = values.list || positionals.length === 0
    if (values.list && positionals.length > 0) throw new UsageError('--list takes no names.')
    const only = agentDirOption(values['agent-dir'], io)
    const refusal = agentDirRefusal(only, [], io)
    if (refusal !== null) {
      io.error(`grove: ${refusal}`)
      return 1
    }
    const context = commandContext(io, only)
    if (!listOnly && !values['dry-run']) await recoverFirst(context, io)
    const listing = await listTrash(context, trashRoots(io, only, positionals), silentWork)
    if (!listing.ok) {
      io.error(`grove: ${listing.error.message}`)
      return 1
    }
    for (const note of listing.value.notes) io.error(`grove: ${note}`)
    if (listOnly) {
      printListing(listing.value, values.json, io)
      return listing.value.notes.length === 0 ? 0 : 1
    }
    const chosen = choose(listing.value.items, positionals, io)
    if (chosen === null) return 1
    if (values['dry-run']) {
      const plan = await planRestore(context, chosen, silentWork)
      if (!plan.ok) {
        io.error(`grove: ${plan.error.message}`)
        return 1
      }
      const items = plan.value.units.map(({ ref, manifest, files, bytes }) => ({
        id: ref.id,
        journal: originalJournalOf(ref, manifest),
        files,
        bytes,
      }))
      const { asked, staying } = plan.value
      if (values.json) io.print(JSON.stringify({ dryRun: true, asked, items, staying }, null, 2))
      else for (const item of items) io.print(`Would restore ${safeText(item.journal)}: ${amountText(item)}`)
      printStaying(staying, io)
      return exitCode(plan.value)
    }
    const done = await restoreFromTrash(context, chosen, {}, silentWork)
    if (!done.ok) {
      io.error(`grove: ${done.error.message}`)
      return 1
    }
    const { report, restored } = done.value
    if (values.json) io.print(JSON.stringify({ dryRun: false, ...report, items: restored }, null, 2))
    else for (const item of restored) io.print(`Restored ${safeText(item.journal)}: ${amountText(item)}`)
    for (const note of report.notes) io.error(`grove: ${safeText(note)}`)
    printStaying(report.staying, io)
    return exitCode(report)
  },
}

/** This user's trash, and that of the roots around files that are named. Roots that are only read have none of ours. */
function trashRoots(io: CommandIo, only: string | null, names: readonly string[]): { sessionsDir: string }[] {
  const own = libraryRoots(io.env, [], only).filter(root => !root.readOnly)
  const named = names
    .filter(isSessionName)
    .map(name => layoutAround(io.env, fileArgument(name, io), only).sessionsDir)
  return [...own.map(({ layout }) => layout.sessionsDir), ...named].map(sessionsDir => ({ sessionsDir }))
}

/** The items that are meant, or null after saying which name means none or several. */
function choose(items: readonly TrashEntry[], names: readonly string[], io: CommandIo): TrashEntry[] | null {
  const chosen = new Set<TrashEntry>()
  for (const name of names) {
    const matches = items.filter(item => isMeant(item, name, io))
    const [first] = matches
    if (first === undefined || matches.length > 1) {
      const what = first === undefined ? 'nothing in the trash' : `${matches.length} items in the trash`
      io.error(`grove: ${name} means ${what}; use an id of "restore --list".`)
      return null
    }
    chosen.add(first)
  }
  return [...chosen]
}

function isMeant(item: TrashEntry, name: string, io: CommandIo): boolean {
  if (item.id === name || item.manifest?.session.id === name) return true
  const file = path.resolve(io.cwd, name)
  if (item.location === file) return true
  return item.manifest !== null && originalJournalOf(item, item.manifest) === file
}

function printListing({ items }: TrashListing, json: boolean, io: CommandIo): void {
  const shown = items.map(item => ({
    id: item.id,
    sessionId: item.manifest?.session.id ?? null,
    title: item.manifest?.session.title ?? null,
    cwd: item.manifest?.session.cwd ?? null,
    journal: item.manifest === null ? null : originalJournalOf(item, item.manifest),
    location: item.location,
    deleted: isoOrNull(item.manifest?.deleted ?? null),
    files: item.files,
    bytes: item.bytes,
    subagents: item.manifest?.subagents ?? null,
    hasDraft: item.manifest?.hasDraft ?? null,
    problem: item.problem,
  }))
  if (json) {
    io.print(JSON.stringify(shown, null, 2))
    return
  }
  for (const item of shown) {
    io.print(`${item.id}  ${amountText(item)}  ${safeText(item.title ?? 'Untitled')}`)
    io.print(`    ${safeText(item.problem ?? `from ${item.journal}`)}`)
  }
  const bytes = items.reduce((sum, item) => sum + item.bytes, 0)
  io.print(items.length === 0 ? 'The trash is empty.' : `${items.length} in the trash, ${bytesText(bytes)}`)
}
