/** `rename`: gives a session a title. */
import { parseArgs } from 'node:util'
import { ok, type Result } from '@shared/ipc/result'
import { cleanTitle } from '@shared/session/session-title'
import type { TitleSource } from '@shared/session/title-slot'
import type { Renamed } from '../../engine/session/manager-options'
import { lockHolder } from '../../engine/storage/publish-lock'
import { lockProbeOf } from '../../library/changes/change-handlers'
import { hasTitle, renameNotes, renameSession, slotTitle } from '../../library/edits/rename-session'
import { type Command, type CommandIo, UsageError } from '../command'
import { CHANGE_OPTIONS, changeOptions, parsed } from '../options'
import { answer, fail, openSession, placesOf, type SessionAtWork } from '../session-at-work'
import { mayWrite } from '../writable'

export const renameCommand: Command = {
  name: 'rename',
  usage: 'rename FILE TITLE [--auto] [--agent-dir DIR] [--include-maybe] [--dry-run] [--json]',
  summary: 'give a session a title; --auto: only when it has none that a user gave it',
  async run(argv, io) {
    const { values, positionals } = parsed(() =>
      parseArgs({
        args: argv,
        options: {
          auto: { type: 'boolean', default: false },
          ...CHANGE_OPTIONS,
        },
        allowPositionals: true,
      }),
    )
    const [name, text, more] = positionals
    if (name === undefined || text === undefined)
      throw new UsageError('rename needs a session file and a title.')
    if (more !== undefined)
      throw new UsageError(`Unexpected argument ${more}; a title of several words is quoted.`)
    const title = cleanTitle(text)
    if (title === '') throw new UsageError('A title needs at least one visible character.')
    const source = values.auto ? 'auto' : 'user'
    const options = changeOptions(values, io)
    const { dryRun } = options
    const opened = await openSession(io, name, options)
    if (!opened.ok) return fail(io, opened.error.message)
    const session = opened.value
    const { manager } = session
    const previousTitle = manager.title.title
    const same = hasTitle(manager.title, title, source)
    const renamed = dryRun ? await look(io, session, title, source) : await rename(session, text, source)
    const notes = dryRun ? [] : session.remember()
    if (!renamed.ok) return fail(io, renamed.error.message)
    const { changed, slotOnly } = renamed.value
    const kept = changed ? { title, source } : manager.title
    notes.push(...renamed.value.notes)
    const facts = {
      dryRun,
      file: manager.file,
      changed,
      title: kept.title,
      titleSource: kept.source,
      slotTitle: changed ? slotTitle(title, source) : null,
      slotOnly,
      previousTitle,
      id: changed && !slotOnly && !dryRun ? manager.leafId : null,
      leafId: dryRun && changed && !slotOnly ? null : manager.leafId,
      changeId: renamed.value.changeId,
      notes,
    }
    answer(io, values.json, facts, [
      changed
        ? `${dryRun ? 'Would rename' : 'Renamed'} ${manager.file} to ${title}`
        : `${manager.file} is unchanged: ${same ? 'it has that title already' : `a user gave it the title ${kept.title}`}`,
    ])
    return 0
  },
}

type Outcome = Renamed & { changeId: string | null; notes: string[] }

async function rename(session: SessionAtWork, text: string, source: TitleSource): Promise<Result<Outcome>> {
  const renamed = await renameSession(session, text, source)
  if (!renamed.ok) return renamed
  const { changed, slotOnly, changeId, notes } = renamed.value
  // Why nothing was done is the answer itself.
  return ok({ changed, slotOnly, changeId, notes: changed ? notes : [] })
}

/** What renaming would come to: of a session that another program has, only the slot is written. */
async function look(
  io: CommandIo,
  { manager, context }: SessionAtWork,
  title: string,
  source: TitleSource,
): Promise<Result<Outcome>> {
  const { file, document } = manager
  const unchanged = { changed: false, slotOnly: false, changeId: null, notes: [] }
  if (hasTitle(manager.title, title, source)) return ok(unchanged)
  const free = await manager.check()
  if (!free.ok && (free.error.code !== 'in-use' || !document.hasExactSlot)) return free
  if (source === 'auto' && manager.title.source === 'user') return ok(unchanged)
  if (!free.ok && slotTitle(title, source) !== title) return free
  // Whoever holds the lock keeps everyone out, from the slot too.
  if (!free.ok && lockHolder(io.env, file, lockProbeOf(context.deps)) !== null) return free
  const writable = mayWrite(io, placesOf(manager))
  if (!writable.ok) return writable
  const would = { changed: true, slotOnly: !free.ok }
  return ok({ ...would, changeId: null, notes: renameNotes(would, title, source) })
}
