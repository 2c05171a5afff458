/** The title slot: the first 256 bytes of a session file, line feed included (format.md 2.1). */

export const SLOT_BYTES = 256

const render = (title, source, updatedAt, pad) =>
  `${JSON.stringify({ type: 'title', v: 1, title, ...(source ? { source } : {}), updatedAt, pad })}\n`

/** The slot line for `title`; a title that does not fit keeps its longest prefix of whole code points. */
export function titleSlot(title, source, updatedAt) {
  const points = [...title]
  while (Buffer.byteLength(render(points.join(''), source, updatedAt, '')) > SLOT_BYTES) points.pop()
  const kept = points.join('')
  const free = SLOT_BYTES - Buffer.byteLength(render(kept, source, updatedAt, ''))
  return render(kept, source, updatedAt, ' '.repeat(free))
}
