/** What a hit is called: whose text it stands in. */
import type { SearchHit, SearchRole, Touch } from '@shared/ipc/models/search-models'

export const ROLE_WORDS: Readonly<Record<SearchRole, string>> = {
  user: 'You',
  agent: 'Agent',
  thinking: 'Thinking',
  tool: 'Tool',
  summary: 'Summary',
  label: 'Label',
  title: 'Title',
  other: 'Other',
}

/** Whose text, or which artifact. */
export function whereWord(hit: SearchHit): string {
  return hit.artifact === null ? ROLE_WORDS[hit.role] : `Artifact ${hit.artifact.name}`
}

export const TOUCH_WORDS: Readonly<Record<Touch, string>> = {
  write: 'written',
  edit: 'edited',
  delete: 'deleted',
  move: 'moved',
}
