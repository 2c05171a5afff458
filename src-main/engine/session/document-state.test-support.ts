/** For tests: everything that a document says, as plain data, so that two can be compared. */
import type { SessionDocument } from './session-document'

export function stateOf(document: SessionDocument) {
  const { index, facts, columns } = document
  const ordinals = Array.from({ length: index.count }, (_, at) => at)
  return {
    entries: ordinals.map(at => [index.id(at), index.parentId(at), index.parent(at), index.place(at)]),
    leaf: index.leaf,
    records: document.entries(ordinals),
    columns: columns.arrays(),
    facts: { ...facts, types: [...facts.types], labels: [...facts.labels], blobs: [...facts.blobs] },
    title: document.title,
    header: document.headerRecord,
    damaged: [...document.damaged],
    pending: document.pending,
    problems: document.problems,
  }
}
