/** `label`: gives an entry a name, or takes it away. */
import { parseArgs } from 'node:util'
import { type Command, UsageError } from '../command'
import { CHANGE_OPTIONS, changeOptions, parsed } from '../options'
import { answer, fail, hasEntry, openSession, wouldAppend } from '../session-at-work'

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
    if (text === '') throw new UsageError('A label must not be empty; --clear takes it away.')
    const label = text ?? null
    const options = changeOptions(values, io)
    const { dryRun } = options
    const opened = await openSession(io, name, options)
    if (!opened.ok) return fail(io, opened.error.message)
    const session = opened.value
    const { manager } = session
    const there = hasEntry(manager, targetId)
    if (!there.ok) return fail(io, there.error.message)
    const previous = manager.document.facts.labels.get(targetId) ?? null
    const done = dryRun ? await wouldAppend(io, session) : await manager.setLabel(targetId, label)
    const notes = dryRun ? [] : session.remember()
    if (!done.ok) return fail(io, done.error.message)
    const facts = {
      dryRun,
      file: manager.file,
      id: typeof done.value === 'string' ? done.value : null,
      targetId,
      label,
      previousLabel: previous,
      leafId: dryRun ? null : manager.leafId,
      notes,
    }
    const would = dryRun ? 'Would take' : 'Took'
    const sentence =
      label === null
        ? `${would} the name of ${targetId} away`
        : `${dryRun ? 'Would name' : 'Named'} ${targetId} ${label}`
    answer(io, values.json, facts, [`${sentence} in ${manager.file}`])
    return 0
  },
}
