/** `label`: gives an entry a name, or takes it away. */
import { parseArgs } from 'node:util'
import { ok, type Result } from '@shared/ipc/result'
import { cleanTitle } from '@shared/session/session-title'
import { labelEntry } from '../../library/edits/label-entry'
import { type Command, type CommandIo, UsageError } from '../command'
import { CHANGE_OPTIONS, changeOptions, parsed } from '../options'
import { answer, fail, hasEntry, openSession, type SessionAtWork, wouldAppend } from '../session-at-work'

export const labelCommand: Command = {
  name: 'label',
  usage: 'label FILE ID (TEXT | --clear) [--agent-dir DIR] [--include-maybe] [--dry-run] [--json]',
  summary: 'name an entry of a session; --clear takes its name away',
  async run(argv, io) {
    const { values, positionals } = parsed(() =>
      parseArgs({
        args: argv,
        options: {
          clear: { type: 'boolean', default: false },
          ...CHANGE_OPTIONS,
        },
        allowPositionals: true,
      }),
    )
    const [name, targetId, text, more] = positionals
    if (name === undefined || targetId === undefined || targetId === '')
      throw new UsageError('label needs a session file and the id of an entry.')
    if (more !== undefined)
      throw new UsageError(`Unexpected argument ${more}; a label of several words is quoted.`)
    if ((text === undefined) !== values.clear) throw new UsageError('label needs a text, or --clear.')
    const label = text === undefined ? null : cleanTitle(text)
    if (label === '')
      throw new UsageError('A label needs at least one visible character; --clear takes it away.')
    const options = changeOptions(values, io)
    const { dryRun } = options
    const opened = await openSession(io, name, options)
    if (!opened.ok) return fail(io, opened.error.message)
    const session = opened.value
    const { manager } = session
    const there = hasEntry(manager, targetId)
    if (!there.ok) return fail(io, there.error.message)
    const previous = manager.document.facts.labels.get(targetId) ?? null
    const same = previous === label
    const done = dryRun ? await look(io, session, same) : await labelEntry(session, targetId, label)
    const notes = dryRun ? [] : session.remember()
    if (!done.ok) return fail(io, done.error.message)
    const { id, changeId } = done.value
    // Why nothing was done is the answer itself.
    if (!same) notes.unshift(...done.value.notes)
    const facts = {
      dryRun,
      file: manager.file,
      id,
      targetId,
      label,
      previousLabel: previous,
      leafId: dryRun && !same ? null : manager.leafId,
      changeId,
      notes,
    }
    const would = dryRun ? 'Would take' : 'Took'
    const sentence =
      label === null
        ? `${would} the name of ${targetId} away`
        : `${dryRun ? 'Would name' : 'Named'} ${targetId} ${label}`
    const already = label === null ? `${targetId} has no name` : `${targetId} is named ${label} already`
    answer(io, values.json, facts, [`${same ? already : sentence} in ${manager.file}`])
    return 0
  },
}

async function look(
  io: CommandIo,
  session: SessionAtWork,
  same: boolean,
): Promise<Result<{ id: string | null; changeId: string | null; notes: string[] }>> {
  const nothing = { id: null, changeId: null, notes: [] }
  // What it is called already is nothing to write, whoever has the session.
  if (same) return ok(nothing)
  const free = await wouldAppend(io, session)
  return free.ok ? ok(nothing) : free
}
