/** `continue-branch`: every program goes on at an entry from now on; or that is taken back. */
import { parseArgs } from 'node:util'
import { err, ok, type Result } from '@shared/ipc/result'
import { parseObject } from '@shared/session/json'
import type { SessionManager } from '../../engine/session/session-manager'
import { continueBranch, noteBranchUndone } from '../../library/edits/continue-branch'
import { type Command, type CommandIo, UsageError } from '../command'
import { CHANGE_OPTIONS, changeOptions, parsed } from '../options'
import { answer, fail, hasEntry, openSession, type SessionAtWork, wouldAppend } from '../session-at-work'

export const continueBranchCommand: Command = {
  name: 'continue-branch',
  usage: [
    'continue-branch FILE ID [--agent-dir DIR] [--include-maybe] [--dry-run] [--json]',
    'continue-branch FILE --undo MARKER-ID [--agent-dir DIR] [--include-maybe] [--dry-run] [--json]',
  ].join('\n'),
  summary: 'make omp and everyone else go on at an entry; --undo takes it back while nothing came after it',
  async run(argv, io) {
    const { values, positionals } = parsed(() =>
      parseArgs({
        args: argv,
        options: {
          undo: { type: 'string' },
          ...CHANGE_OPTIONS,
        },
        allowPositionals: true,
      }),
    )
    const [name, entry, more] = positionals
    const id = entry ?? values.undo
    if (name === undefined || id === undefined || more !== undefined)
      throw new UsageError('continue-branch needs a session file and one entry.')
    if (entry !== undefined && values.undo !== undefined)
      throw new UsageError('continue-branch takes an entry or --undo, not both.')
    if (id === '') throw new UsageError('The id of an entry must not be empty.')
    const options = changeOptions(values, io)
    const { dryRun } = options
    const opened = await openSession(io, name, options)
    if (!opened.ok) return fail(io, opened.error.message)
    const session = opened.value
    const { manager } = session
    const undo = values.undo !== undefined
    const done = dryRun ? await look(io, session, id, undo) : await change(session, id, undo)
    const notes = dryRun ? [] : session.remember()
    if (!done.ok) return fail(io, done.error.message)
    if (done.value.changed) notes.unshift(...done.value.notes)
    const facts = {
      dryRun,
      file: manager.file,
      changed: done.value.changed,
      id: done.value.id,
      undone: undo ? id : null,
      leafId: dryRun && done.value.changed ? null : manager.leafId,
      changeId: done.value.changeId,
      notes,
    }
    answer(io, values.json, facts, [sentence(facts, id)])
    return 0
  },
}

type Done = {
  changed: boolean
  /** Of the marker; null when none was needed, it went, or it is not there yet. */
  id: string | null
  changeId: string | null
  notes: string[]
}

async function change(session: SessionAtWork, id: string, undo: boolean): Promise<Result<Done>> {
  if (!undo) return continueBranch(session, id)
  const { context, manager } = session
  const undone = await manager.undoContinueBranch(id)
  if (!undone.ok) return undone
  const notes = await noteBranchUndone(context, manager.file, id)
  return ok({ changed: true, id: null, changeId: null, notes })
}

async function look(io: CommandIo, session: SessionAtWork, id: string, undo: boolean): Promise<Result<Done>> {
  const { manager } = session
  const there = hasEntry(manager, id)
  if (!there.ok) return there
  // What is the last entry already is nothing to write, whoever has the session.
  if (!undo && manager.leafId === id) return ok({ changed: false, id: null, changeId: null, notes: [] })
  const free = await wouldAppend(io, session)
  if (!free.ok) return free
  const last = undo ? isLastMarker(manager, id) : ok(true as const)
  return last.ok ? ok({ changed: true, id: null, changeId: null, notes: [] }) : last
}

/** Whether the journal ends with this marker, so that it could be taken away. */
function isLastMarker({ document, file }: SessionManager, id: string): Result<true> {
  const ordinal = document.index.ordinalOf(id)
  const later = err('conflict', `${file} goes on after that entry; it stays.`, file)
  if (ordinal === undefined || ordinal !== document.index.leaf) return later
  const { offset } = document.index.place(ordinal)
  const tail = document.rawBytes(offset, document.bytes - offset)
  if (!tail.ok) return tail
  const record = parseObject(Buffer.from(tail.value).toString('utf8'))
  if (record?.type === 'branch_summary' && record.id === id && record.summary === '') return ok(true)
  return later
}

function sentence(
  {
    dryRun,
    file,
    changed,
    undone,
  }: { dryRun: boolean; file: string; changed: boolean; undone: string | null },
  id: string,
): string {
  if (!changed) return `${file} goes on at ${id} already`
  if (undone !== null) return `${dryRun ? 'Would take back' : 'Took back'} ${undone} in ${file}`
  return `${file} ${dryRun ? 'would go' : 'goes'} on at ${id}`
}
