/** What is wrong with a session, in sentences. */
import type { SessionDocument } from '../../engine/session/session-document'
import type { ProblemKind, SessionProblem } from '../../engine/session/session-problems'

/** One sentence per kind of problem, with how many and where. */
export function problemSentences(document: SessionDocument): string[] {
  const byKind = new Map<ProblemKind, SessionProblem[]>()
  for (const problem of document.problems) {
    const list = byKind.get(problem.kind)
    if (list === undefined) byKind.set(problem.kind, [problem])
    else list.push(problem)
  }
  return [...byKind].map(([kind, problems]) => sentence(kind, problems, document))
}

function sentence(kind: ProblemKind, problems: readonly SessionProblem[], document: SessionDocument): string {
  const sum = problems.reduce((total, problem) => total + (problem.count ?? 1), 0)
  // Several pieces of one line are one line that could not be read.
  const count = kind === 'damaged-line' ? linesOf(problems).length : sum
  const many = (one: string, more: string) => (count === 1 ? one : `${count} ${more}`)
  switch (kind) {
    case 'cut-archive':
      return document.damage ?? 'Not all of the archive could be read.'
    case 'empty':
      return 'The file holds nothing.'
    case 'not-a-session':
      return 'No line of the file is a record of a session.'
    case 'header-missing':
      return 'The header is missing: folder and creation time are not known.'
    case 'header-late':
      return 'The header does not stand first; omp refuses to open such a file.'
    case 'header-without-id':
      return 'The header has no id; the one in the file name is shown.'
    case 'header-without-cwd':
      return 'The header names no folder.'
    case 'header-without-timestamp':
      return 'The header has no creation time.'
    case 'slot-length':
      return 'The title slot is not the first 256 bytes, on a line of its own; Grove does not rename in place here.'
    case 'byte-order-mark':
      return 'The file begins with a byte order mark.'
    case 'future-version':
      return `The file is of version ${document.version ?? '?'}, newer than this program writes; it is shown and never changed.`
    case 'damaged-line':
      return `${many('1 line', 'lines')} could not be read: ${lineNumbers(problems)}.`
    case 'pending-line':
      return `Line ${problems[0]?.line ?? '?'} is not finished yet, or was cut off.`
    case 'repeated-record':
      return `${many('1 record stands', 'records stand')} in the file twice and ${count === 1 ? 'is' : 'are'} shown once.`
    case 'duplicate-id':
      return `${many('1 entry has', 'entries have')} an id that stood in the file before.`
    case 'self-parent':
      return `${many('1 entry names', 'entries name')} itself as its parent.`
    case 'missing-parent':
      return `${many('1 entry follows', 'entries follow')} one that is not in the file (a gap).`
    case 'cycle':
      return `${many('1 group', 'groups')} of entries ${count === 1 ? 'leads' : 'lead'} in a circle.`
    case 'no-id':
      return `${many('1 entry has', 'entries have')} no id.`
  }
}

function linesOf(problems: readonly SessionProblem[]): number[] {
  return [...new Set(problems.map(({ line }) => line ?? 0))]
}

function lineNumbers(problems: readonly SessionProblem[]): string {
  const numbers = linesOf(problems)
  const shown = numbers.slice(0, 8).join(', ')
  return numbers.length > 8 ? `${shown} and ${numbers.length - 8} more` : shown
}
