/** What the commands that change files share: targets from file names, context, and how a report is printed. */
import path from 'node:path'
import type { ChangeReport, StayingSession } from '@shared/ipc/models/change-models'
import { silentWork } from '../engine/environment'
import { artifactDirectoryOf } from '../engine/layout/session-paths'
import { type JournalHead, readJournalHead } from '../engine/session/journal-head'
import { journalStorage } from '../engine/storage/open-journal'
import { listSessionFiles } from '../library/catalog/session-files'
import { summarizeSession } from '../library/catalog/session-summary'
import { changeHandlers } from '../library/changes/all-handlers'
import { changeContext } from '../library/changes/change-context'
import type { ChangeContext } from '../library/changes/change-handlers'
import type { ChangeTarget } from '../library/changes/change-target'
import { recoverOperations, recoverySentences } from '../library/changes/recovery'
import { type LibraryRoot, libraryRoots } from '../library/roots'
import { layoutAround } from '../library/session-home'
import type { CommandIo } from './command'
import { safeText } from './plain-text'

/** The context of a command: `--agent-dir` means only that directory's terminals, otherwise this user's. */
export function commandContext(
  io: CommandIo,
  only: string | null,
  more: readonly string[] = [],
): ChangeContext {
  const own = libraryRoots(io.env, [], only).map(({ layout }) => layout.breadcrumbsDir)
  const directories = [...new Set([...own, ...more])]
  return changeContext(io.env, () => directories)
}

/** Finishes or rolls back what a killed process left, before anything new begins. Dry runs only look. */
export async function recoverFirst(context: ChangeContext, io: CommandIo): Promise<void> {
  const report = await recoverOperations(context, changeHandlers, silentWork)
  if (!report.ok) {
    io.error(`grove: ${report.error.message}`)
    return
  }
  for (const sentence of recoverySentences(report.value)) io.error(`grove: ${safeText(sentence)}`)
}

/** The session at `file` as a change sees it. */
export function targetOf(io: CommandIo, file: string, only: string | null): ChangeTarget {
  const layout = layoutAround(io.env, file, only)
  const summary = summarizeSession(io.env, file)
  const name = path.basename(file)
  return {
    ref: null,
    journal: file,
    sessionsDir: layout.sessionsDir,
    agentDir: layout.agentDir,
    cwd: summary.cwd,
    id: summary.id,
    title: summary.title || summary.firstPrompt || name,
    readOnly: rootAround(io, layout.sessionsDir)?.readOnly === true,
  }
}

function rootAround(io: CommandIo, sessionsDir: string): LibraryRoot | undefined {
  return libraryRoots(io.env, [], null).find(({ layout }) => layout.sessionsDir === sessionsDir)
}

export type LinkedFile = { path: string; title: string }

/** Sessions of the same roots, not going themselves, whose header names one that goes as its parent. */
export function linkedFiles(io: CommandIo, targets: readonly ChangeTarget[]): LinkedFile[] {
  const going = new Set(targets.map(({ journal }) => journal))
  const names = new Set<string>(going)
  for (const { id, journal } of targets) {
    if (id !== null) names.add(id)
    // A child may name the place where its parent lay before a move.
    for (const earlier of headOf(io, journal)?.header?.fields.previousSessionFiles ?? []) names.add(earlier)
  }
  const agentDirs = new Set(targets.flatMap(({ agentDir }) => (agentDir === null ? [] : [agentDir])))
  const found: LinkedFile[] = []
  for (const root of [...agentDirs].flatMap(agentDir => libraryRoots(io.env, [], agentDir))) {
    const list = listSessionFiles(io.env, root)
    for (const { file } of list.ok ? list.value.files : []) {
      const link = going.has(file) ? undefined : linkOf(io, file, names)
      if (link !== undefined) found.push(link)
    }
  }
  return found
}

function linkOf(io: CommandIo, file: string, names: ReadonlySet<string>): LinkedFile | undefined {
  const head = headOf(io, file)
  const parent = head?.header?.fields.parentSession ?? null
  if (parent === null || !names.has(parent)) return undefined
  return { path: file, title: head?.slot?.title || head?.header?.fields.title || path.basename(file) }
}

/** Slot and header, or undefined for what cannot be read: it names no parent. */
function headOf(io: CommandIo, file: string): JournalHead | undefined {
  const opened = journalStorage(io.env, file).open()
  if (!opened.ok) return undefined
  try {
    return readJournalHead(opened.value.source)
  } finally {
    opened.value.source.close()
  }
}

/** Whether `file` is a session's journal or lies in the artifact directory of one. */
export function isSessionName(file: string): boolean {
  return artifactDirectoryOf(file) !== null
}

/** One line on standard error for each session that stays. */
export function printStaying(staying: readonly StayingSession[], io: CommandIo): void {
  for (const { title, text } of staying) io.error(`grove: ${safeText(title)}: ${safeText(text)}`)
}

/** 0 when all that was asked for was done, else 1. */
export function exitCode(report: Pick<ChangeReport, 'staying'>): number {
  return report.staying.length === 0 ? 0 : 1
}
