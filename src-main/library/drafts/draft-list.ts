/**
 * The drafts of all sessions, and those whose session is gone. Looks only: one draft is in memory at a time, and what did not
 * change since the last look is not read again.
 */
import path from 'node:path'
import type { DraftItem } from '@shared/ipc/models/manage-models'
import type { Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { listText } from '@shared/session/text'
import { charCount, lineCount } from '@shared/session/text-size'
import { DRAFT_ONLY_MARKER } from '../../engine/artifacts/artifact-directory'
import { DraftStore } from '../../engine/artifacts/draft-store'
import type { Environment, WorkContext } from '../../engine/environment'
import { isArchive, parseSessionFileName } from '../../engine/layout/session-paths'
import { SessionDocument } from '../../engine/session/session-document'
import { attempt, attemptAsync } from '../../engine/storage/errors'
import type { FileStat } from '../../engine/storage/file-system'
import { journalStorage } from '../../engine/storage/open-journal'
import { listSessionFiles } from '../catalog/session-files'
import { dateText, displayTitle, projectName } from '../catalog/session-row'
import { summarizeDocument, summarizeSession } from '../catalog/session-summary'
import { shortFolder } from '../projects/folder-paths'
import { isAlreadySent } from '../reading/draft'
import type { LibraryRoot } from '../roots'
import { draftPreview } from './draft-preview'
import { draftStat } from './draft-stat'
import { draftFileOf } from './draft-version'

/** A draft as it lies; the window's names for it and its session are given in main. */
export type ListedDraft = {
  item: Omit<DraftItem, 'ref' | 'session'>
  /** Path of the session's file, also when that is gone. */
  journal: string
  /** The session's file is not there. */
  isOrphan: boolean
  /** Id of the root that it lies in. */
  root: string
}

/** What was read at the last look, by journal. */
export type DraftsSeen = Map<string, { signs: string; draft: ListedDraft }>

/** Every draft of the roots, the one that was written last first. `seen` is brought up to date. */
export function listDrafts(
  env: Environment,
  roots: readonly LibraryRoot[],
  seen: DraftsSeen,
  work: WorkContext,
): Promise<Result<ListedDraft[]>> {
  return attemptAsync('list the drafts', undefined, async () => {
    const found: ListedDraft[] = []
    for (const root of roots) {
      const list = listSessionFiles(env, root)
      const journals = list.ok ? list.value.files.map(({ file }) => file) : []
      const orphans = list.ok ? list.value.strays : []
      for (const [at, journal] of [...journals, ...orphans].entries()) {
        if (at % FILES_PER_BREATH === 0) await work.breathe()
        const file = draftFileOf(journal)
        const stat = file === null ? undefined : draftStat(env, file)
        if (file === null || stat === undefined) continue
        await work.breathe()
        const isOrphan = at >= journals.length
        const signs = `${signOf(stat)} ${isOrphan ? '' : signOf(statOf(env, journal))}`
        const known = seen.get(journal)
        const draft =
          known?.signs === signs ? known.draft : readListed(env, { root, journal, file, stat, isOrphan })
        seen.set(journal, { signs, draft })
        found.push(draft)
      }
    }
    const there = new Set(found.map(({ journal }) => journal))
    for (const journal of seen.keys()) if (!there.has(journal)) seen.delete(journal)
    return found.sort((a, b) => (b.item.modified ?? 0) - (a.item.modified ?? 0))
  })
}

/** Sessions looked at between two pauses: for most it is one look at a file that is not there. */
const FILES_PER_BREATH = 64

function statOf(env: Environment, file: string): FileStat | undefined {
  const stat = attempt('look at', file, () => env.fs.stat(file))
  return stat.ok ? stat.value : undefined
}

function signOf(stat: FileStat | undefined): string {
  return stat === undefined ? '' : `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.mode}`
}

type Found = { root: LibraryRoot; journal: string; file: string; stat: FileStat; isOrphan: boolean }

function readListed(env: Environment, { root, journal, file, stat, isOrphan }: Found): ListedDraft {
  const session = isOrphan ? goneSession(journal) : sessionFacts(env, journal)
  const read = new DraftStore(env, journal).readDraft()
  const text = read.ok ? read.value.text : ''
  const { cwd } = session
  return {
    item: {
      title: session.title,
      projectName: projectName(cwd),
      shortCwd: cwd === null ? '' : listText(shortFolder(env.home, cwd), limits.firstPromptChars),
      preview: draftPreview(text),
      chars: charCount(text),
      lines: lineCount(text),
      bytes: stat.size,
      modified: stat.mtimeMs,
      alreadySent: isAlreadySent(text, session.lastPrompt),
      problem: read.ok ? null : read.error.message,
      readOnly: root.readOnly || session.readOnly,
      location: file,
    },
    journal,
    isOrphan,
    root: root.id,
  }
}

type SessionFacts = { title: string; cwd: string | null; lastPrompt: string; readOnly: boolean }

function goneSession(journal: string): SessionFacts {
  const { created } = parseSessionFileName(path.basename(journal))
  const title = `Draft without its session${created === null ? '' : `, ${dateText(created)}`}`
  return { title, cwd: null, lastPrompt: '', readOnly: false }
}

function sessionFacts(env: Environment, journal: string): SessionFacts {
  const document = SessionDocument.open(journalStorage(env, journal), env.now)
  const summary = document.ok ? summarizeDocument(env, document.value) : summarizeSession(env, journal)
  const { title, titleFrom } = displayTitle(summary)
  const time = summary.created ?? summary.lastActivity
  const marker = path.join(path.dirname(draftFileOf(journal) ?? journal), DRAFT_ONLY_MARKER)
  const isDraftOnly = titleFrom === 'none' && statOf(env, marker)?.kind === 'file'
  return {
    title: isDraftOnly ? `Only a draft${time === null ? '' : `, ${dateText(time)}`}` : title,
    cwd: summary.cwd,
    lastPrompt: document.ok ? document.value.facts.lastPrompt : '',
    readOnly: isArchive(journal) || (summary.version ?? 0) > limits.sessionVersion,
  }
}
