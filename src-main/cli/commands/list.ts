/** `list`: every top-level session file, one object each. */
import { parseArgs } from 'node:util'
import { ompLayout } from '../../engine/layout/agent-directories'
import { isArchive } from '../../engine/layout/session-paths'
import { readPins } from '../../library/catalog/pins'
import { listSessionFiles } from '../../library/catalog/session-files'
import { type SessionSummary, summarizeSession } from '../../library/catalog/session-summary'
import { type LibraryRoot, libraryRoots } from '../../library/roots'
import type { Command, CommandIo } from '../command'
import { LIST_OPTIONS, listChoice } from '../list-filters'
import { agentDirOption, agentDirProblem, isoOrNull, noPositionals, parsed } from '../options'
import { formatBytes, safeText, tableRow } from '../plain-text'

export const listCommand: Command = {
  name: 'list',
  usage: [
    'list [--project P] [--since TIME] [--until TIME] [--model TEXT] [--status STATUS] [--has-branches]',
    '     [--has-artifacts] [--has-draft] [--starred] [--archived | --no-archived]',
    '     [--sort recent|created|title|size|messages] [--reverse] [--limit N] [--agent-dir DIR] [--json]',
  ].join('\n'),
  summary: 'every session file with its true counts',
  async run(argv, io) {
    const { values, positionals } = parsed(() =>
      parseArgs({
        args: argv,
        options: {
          ...LIST_OPTIONS,
          'agent-dir': { type: 'string' },
          json: { type: 'boolean', default: false },
        },
        allowPositionals: true,
      }),
    )
    noPositionals(positionals)
    const choice = listChoice(values, io)
    const only = agentDirOption(values['agent-dir'], io)
    const roots = libraryRoots(io.env, [], only)
    // Only a folder that was asked for has to be there: without omp's own the library is an empty one.
    const problem = agentDirProblem(only, io)
    if (problem !== null) {
      io.error(`grove: ${problem}`)
      return 1
    }
    const { summaries, complete } = readRoots(roots, io)
    const pins = readPins(
      io.env,
      roots.map(({ layout }) => layout.pinsFile),
    )
    const isStarred = ({ id }: SessionSummary) => id !== null && pins.has(id)
    const wanted = choice.arrange(summaries.filter(summary => choice.isWanted(summary, isStarred(summary))))
    if (values.json) {
      const objects = wanted.map(summary => listObject(summary, isStarred(summary)))
      io.print(JSON.stringify(objects, null, 2))
    } else if (wanted.length > 0) printTable(wanted, io)
    else if (complete) io.print(nothingText(summaries.length, only ?? ompLayout(io.env, null).agentDir))
    return complete ? 0 : 1
  },
}

/** Every session of every root; a root or folder that cannot be read is told and the others are still listed. */
function readRoots(
  roots: readonly LibraryRoot[],
  io: CommandIo,
): { summaries: SessionSummary[]; complete: boolean } {
  const summaries: SessionSummary[] = []
  let complete = true
  for (const root of roots) {
    const list = listSessionFiles(io.env, root)
    if (!list.ok) {
      io.error(`grove: ${list.error.message}`)
      complete = false
      continue
    }
    for (const note of list.value.notes) io.error(`grove: ${note}`)
    complete &&= list.value.complete
    for (const { file } of list.value.files) summaries.push(summarizeSession(io.env, file))
  }
  return { summaries, complete }
}

/** The object of one session, as documented in docs/cli.md. Absent is null. */
function listObject(summary: SessionSummary, starred: boolean): Record<string, unknown> {
  return {
    path: summary.file,
    id: summary.id,
    version: summary.version,
    title: summary.title,
    titleSource: summary.titleSource,
    cwd: summary.cwd,
    created: isoOrNull(summary.created),
    lastActivity: isoOrNull(summary.lastActivity),
    bytes: summary.bytes,
    artifactBytes: summary.artifactBytes,
    entryCount: summary.entryCount,
    messageCount: summary.messageCount,
    firstPrompt: summary.firstPrompt === '' ? null : summary.firstPrompt,
    status: summary.status,
    parentSession: summary.parentSession,
    tips: summary.tips,
    artifactCount: summary.artifactCount,
    hasDraft: summary.hasDraft,
    damagedLines: summary.damagedLines,
    problem: summary.stub,
    model: summary.model,
    starred,
    archived: isArchive(summary.file),
  }
}

function nothingText(all: number, agentDir: string): string {
  if (all === 0) return `No sessions in ${safeText(agentDir)}.`
  return `None of ${all} ${all === 1 ? 'session' : 'sessions'} fits.`
}

function printTable(summaries: readonly SessionSummary[], io: CommandIo): void {
  for (const summary of summaries) {
    const title = summary.title ?? (summary.firstPrompt || summary.stub || 'Untitled')
    const when = isoOrNull(summary.lastActivity)?.slice(0, 16).replace('T', ' ') ?? 'unknown time'
    io.print(
      tableRow([
        [when, 16],
        [summary.status, 11],
        [`${summary.messageCount} messages`, 14],
        [formatBytes(summary.bytes + summary.artifactBytes), 9],
        [title, 60],
      ]),
    )
    io.print(`    ${safeText(summary.file)}${isArchive(summary.file) ? '  (archived)' : ''}`)
  }
  io.print(`${summaries.length} ${summaries.length === 1 ? 'session' : 'sessions'}`)
}
