/** `draft`: the text of a session that was typed and not sent: shown, set, or taken away. */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { visibleText } from '@shared/session/text'
import { type DraftState, DraftStore } from '../../engine/artifacts/draft-store'
import { artifactDirectoryOf } from '../../engine/layout/session-paths'
import { attemptAsync } from '../../engine/storage/errors'
import { FileSessionStorage } from '../../engine/storage/file-session-storage'
import { countText } from '../../library/changes/words'
import { editDraft, mayEditDraft } from '../../library/drafts/edit-draft'
import { type Command, type CommandIo, UsageError } from '../command'
import { wholeInput } from '../input-text'
import { CHANGE_OPTIONS, changeOptions, parsed } from '../options'
import { answer, fail, openSession, type SessionAtWork } from '../session-at-work'
import { findSession } from '../session-target'
import { mayWrite } from '../writable'

export const draftCommand: Command = {
  name: 'draft',
  usage: [
    'draft FILE [--agent-dir DIR] [--json]',
    'draft FILE (--set TEXT | --stdin | --clear) [--agent-dir DIR] [--include-maybe] [--dry-run] [--json]',
  ].join('\n'),
  summary: 'the text that was typed and not sent: show it, set it (an empty one is none), take it away',
  async run(argv, io) {
    const { values, positionals } = parsed(() =>
      parseArgs({
        args: argv,
        options: {
          set: { type: 'string' },
          stdin: { type: 'boolean', default: false },
          clear: { type: 'boolean', default: false },
          ...CHANGE_OPTIONS,
        },
        allowPositionals: true,
      }),
    )
    const [name, more] = positionals
    if (name === undefined || more !== undefined)
      throw new UsageError('draft needs exactly one session file.')
    const ways = [values.set !== undefined, values.stdin, values.clear].filter(given => given).length
    if (ways > 1) throw new UsageError('draft takes one of --set, --stdin and --clear.')
    const options = changeOptions(values, io)
    const { dryRun } = options
    if (ways === 0) return show(io, name, options.only, values.json)
    const opened = await openSession(io, name, options)
    if (!opened.ok) return fail(io, opened.error.message)
    const session = opened.value
    const { manager, context } = session
    const before = manager.readDraft()
    if (!before.ok) return fail(io, before.error.message)
    const previous = before.value.text
    // Read after the draft: what others make of that meanwhile is noticed.
    const text = values.stdin ? await fromInput(io) : ok(values.set ?? '')
    if (!text.ok) return fail(io, text.error.message)
    const { version } = before.value
    const saved = dryRun
      ? await look(io, session, text.value, before.value)
      : await editDraft(context, manager, { text: text.value, version, change: null })
    const notes = dryRun ? [] : session.remember()
    if (!saved.ok) return fail(io, saved.error.message)
    const changeId = 'change' in saved.value ? saved.value.change : null
    const facts = {
      dryRun,
      file: manager.file,
      draft: textOrNull(text.value),
      ...sizeOf(text.value),
      changed: text.value !== previous,
      previousDraft: textOrNull(previous),
      changeId,
      notes,
    }
    const undo = changeId === null ? [] : [`    undo with: reroot --undo ${changeId}`]
    answer(io, values.json, facts, [sentence(facts), ...undo])
    return 0
  },
}

function show(io: CommandIo, name: string, only: string | null, json: boolean): number {
  const found = findSession(io, name, only)
  if (!found.ok) return fail(io, found.error.message)
  const { file } = found.value
  const there = new FileSessionStorage(io.env, file).stat()
  // A draft without its session is one that a person may want to see.
  if (!there.ok && there.error.code !== 'not-found') return fail(io, there.error.message)
  const read = new DraftStore(io.env, file).readDraft()
  if (!read.ok) return fail(io, read.error.message)
  const { text } = read.value
  const facts = { dryRun: false, file, draft: textOrNull(text), ...sizeOf(text), notes: [] }
  if (json) io.print(JSON.stringify(facts, null, 2))
  else for (const line of linesOf(text)) io.print(visibleText(line))
  return 0
}

function textOrNull(text: string): string | null {
  return text === '' ? null : text
}

function sizeOf(text: string): { bytes: number } {
  return { bytes: Buffer.byteLength(text, 'utf8') }
}

function linesOf(draft: string): string[] {
  return draft === '' ? [] : draft.split(/\r?\n/)
}

function fromInput(io: CommandIo): Promise<Result<string>> {
  return attemptAsync('read', 'standard input', () => wholeInput(io.input(), limits.draftBytes))
}

/** Whether the draft could be saved now. */
async function look(
  io: CommandIo,
  { manager }: SessionAtWork,
  text: string,
  before: DraftState,
): Promise<Result<DraftState>> {
  const possible = await mayEditDraft(io.env, manager, text)
  if (!possible.ok) return possible
  if (text === '' && before.version === null) return ok(before)
  const { file } = manager
  const writable = mayWrite(io, [path.dirname(file), artifactDirectoryOf(file) ?? file])
  return writable.ok ? ok(before) : writable
}

function sentence(facts: { dryRun: boolean; file: string; draft: string | null; bytes: number }): string {
  const { dryRun, file, draft, bytes } = facts
  if (draft === null) return `${dryRun ? 'Would take' : 'Took'} the draft of ${file} away`
  return `${dryRun ? 'Would save' : 'Saved'} a draft of ${countText(bytes, 'byte')} for ${file}`
}
