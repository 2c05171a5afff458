/** Words of the re-root dialog. Pure. */
import type { RerootCandidate, RerootQuestion, RerootSubject } from '@shared/ipc/models/change-models'
import { countOf } from '../../ui/format'

/** What speaks for a suggestion, in two or three words. */
export function evidenceWord(evidence: RerootCandidate['evidence']): { text: string; tone: 'ok' | 'warn' } {
  switch (evidence) {
    case 'same-folder':
      return { text: 'same folder, renamed', tone: 'ok' }
    case 'same-repository':
      return { text: 'same repository', tone: 'ok' }
    case 'same-name':
      return { text: 'same name only', tone: 'warn' }
    default:
      return evidence satisfies never
  }
}

/** The sentence after the folder's path: what is known of it. */
export function folderState(question: RerootQuestion): string {
  switch (question.state) {
    case 'present':
      return 'is still there.'
    case 'missing':
      return 'is gone.'
    case 'unreachable':
      return 'cannot be reached. If it lies on a drive that is not connected, connect it instead.'
    case 'other-system':
      return 'belongs to another system.'
    case 'unknown':
      return 'could not be looked at.'
    default:
      return question.state satisfies never
  }
}

/** The question above the suggestions. */
export function whereQuestion(question: RerootQuestion): string {
  if (question.state === 'present') return 'Where should these sessions belong?'
  return question.projects > 1 ? 'Where are they now?' : 'Where is it now?'
}

/** The first of the two or more choices of what is moved. */
export function ownChoice(subject: RerootSubject, sessions: number | null): string {
  const what = subject.kind === 'sessions' ? 'The selected sessions only' : 'This project only'
  return sessions === null ? what : `${what}: ${countOf(sessions, 'session')}`
}
