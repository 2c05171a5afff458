/** Names and places of one session's files. Rule: docs/format.md, Session files and Artifact directory. */
import path from 'node:path'

export const JOURNAL_SUFFIX = '.jsonl'
/** How omp's `gc` names a session that it archived: packed, and only read from then on. */
export const ARCHIVE_SUFFIX = '.jsonl.gz'

/** Whether this is the name of an archived session. */
export function isArchive(journal: string): boolean {
  return journal.endsWith(ARCHIVE_SUFFIX)
}

/** Where an archived session lay before: the same place among the sessions. Null for one that lies in no archive. */
export function placeBeforeArchive(journal: string): string | null {
  const archive = `${path.sep}archive${path.sep}sessions${path.sep}`
  const at = journal.lastIndexOf(archive)
  if (!isArchive(journal) || at === -1) return null
  const below = journal.slice(at + archive.length, -(ARCHIVE_SUFFIX.length - JOURNAL_SUFFIX.length))
  return path.join(journal.slice(0, at), 'sessions', below)
}

/** A journal's path or name without what tells that it is one; null where it does not end so. */
function stemOf(journal: string): string | null {
  if (isArchive(journal)) return journal.slice(0, -ARCHIVE_SUFFIX.length)
  return journal.endsWith(JOURNAL_SUFFIX) ? journal.slice(0, -JOURNAL_SUFFIX.length) : null
}

/**
 * The artifact directory beside a journal, archived or not; null when its name does not end in `.jsonl` or `.jsonl.gz`, or when
 * the name without that is none of its own: `.jsonl`, `..jsonl` and `...jsonl` would have the directory that they lie in, or the
 * one above.
 */
export function artifactDirectoryOf(journal: string): string | null {
  const stem = stemOf(journal)
  if (stem === null) return null
  // Cut by hand: this is asked for each of ten thousand sessions.
  const name = stem.slice(Math.max(stem.lastIndexOf('/'), stem.lastIndexOf(path.sep)) + 1)
  return ['', '.', '..'].includes(name) ? null : stem
}

/** `<timestamp>_<id>.jsonl`, the timestamp with `:` and `.` as `-`. */
export function sessionFileName(isoTimestamp: string, id: string): string {
  return `${isoTimestamp.replace(/[:.]/g, '-')}_${id}${JOURNAL_SUFFIX}`
}

/** The session id and creation time that a file name carries, where it carries them. */
export function parseSessionFileName(name: string): { id: string | null; created: number | null } {
  const stem = stemOf(name) ?? name
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-(\d{3})Z_(.+)$/.exec(stem)
  if (match === null) return { id: null, created: null }
  const created = Date.parse(`${match[1]}T${match[2]}:${match[3]}:${match[4]}.${match[5]}Z`)
  return { id: match[6] ?? null, created: Number.isNaN(created) ? null : created }
}

/** omp's lock beside a journal (docs/format.md, Locks). */
export function lockPathOf(journal: string): string {
  const name = Math.max(journal.lastIndexOf('/'), journal.lastIndexOf(path.sep)) + 1
  return `${journal.slice(0, name)}.${journal.slice(name)}.lock`
}

/** The journal to which a subagent's file belongs, one level up: `<dir>.jsonl` of the directory it lies in. */
export function parentJournalOf(journal: string): string {
  return `${path.dirname(journal)}${JOURNAL_SUFFIX}`
}
