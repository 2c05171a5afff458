/** Words for relatives of a session. Pure. */
import type { Relation } from '@shared/ipc/models/manage-models'

/** What a relative is to this session. */
export function kindWord(kind: Relation['kind']): string {
  switch (kind) {
    case 'parent':
      return 'Parent'
    case 'owner':
      return 'Belongs to'
    case 'sibling':
      return 'Same parent'
    case 'fork':
      return 'Fork'
    case 'branched':
      return 'Branched'
    case 'child':
      return 'Child'
    case 'subagent':
      return 'Subagent'
    default:
      return kind satisfies never
  }
}

/** How the link was found, or why it leads nowhere. */
export function foundBy({ by, note }: Pick<Relation, 'by' | 'note'>): string {
  const name = nameOf(by)
  return note === null ? `Found by ${name}.` : `Named by ${name}: ${note}.`
}

function nameOf(by: Relation['by']): string {
  switch (by) {
    case 'id':
      return 'the id in the header'
    case 'path':
      return 'the path in the header'
    case 'earlier-path':
      return 'the path in the header, where it lay before it was moved'
    case 'place':
      return 'the folder that it lies in'
    default:
      return by satisfies never
  }
}
