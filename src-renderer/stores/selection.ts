/**
 * What is selected in a list: pure functions over a list's order of refs. `cursor` is the row that keys
 * act on, `anchor` the fixed end of a range made with Shift.
 */

export type Selection = {
  readonly picked: ReadonlySet<string>
  readonly cursor: string | null
  readonly anchor: string | null
}

export const NO_SELECTION: Selection = { picked: new Set(), cursor: null, anchor: null }

/** Only `ref`, as a plain click does. */
export function pickOnly(ref: string): Selection {
  return { picked: new Set([ref]), cursor: ref, anchor: ref }
}

/** Adds or removes one row, as Ctrl+click and Space do. */
export function toggle(selection: Selection, ref: string): Selection {
  const picked = new Set(selection.picked)
  if (!picked.delete(ref)) picked.add(ref)
  return { picked, cursor: ref, anchor: ref }
}

/** The range from the anchor to `ref`, as Shift does. With `add`, rows picked before stay. */
export function extendTo(
  selection: Selection,
  order: readonly string[],
  ref: string,
  add = false,
): Selection {
  const to = order.indexOf(ref)
  if (to < 0) return selection
  const anchorAt = selection.anchor === null ? -1 : order.indexOf(selection.anchor)
  const from = anchorAt < 0 ? to : anchorAt
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1)
  return {
    picked: new Set(add ? [...selection.picked, ...range] : range),
    cursor: ref,
    anchor: order[from] ?? ref,
  }
}

/** Every row of the list. */
export function pickAll(selection: Selection, order: readonly string[]): Selection {
  return {
    picked: new Set(order),
    cursor: selection.cursor ?? order[0] ?? null,
    anchor: selection.anchor ?? order[0] ?? null,
  }
}

/** Only the cursor stays picked, as Esc does. */
export function pickCursor(selection: Selection): Selection {
  return selection.cursor === null ? NO_SELECTION : pickOnly(selection.cursor)
}

/** The rows of a list that are picked, in its order. What a filter hides, or was not fetched yet, stays picked and is none of them. */
export function pickedAmong({ picked }: Selection, order: readonly string[]): string[] {
  return order.filter(ref => picked.has(ref))
}

/**
 * When the keyboard comes into the list: a cursor that is not among the rows, as a filter may hide it, is nowhere to go on from. What is
 * picked and not among them is left behind with it; where that is all, the first row is picked instead,
 * unless the pointer comes there (`pointed`), which picks a row itself.
 */
export function enter(selection: Selection, order: readonly string[], pointed = false): Selection {
  if (selection.cursor !== null && order.includes(selection.cursor)) return selection
  const picked = pickedAmong(selection, order)
  const cursor = picked[0] ?? order[0]
  if (cursor === undefined) return selection
  if (!pointed && selection.picked.size > 0 && picked.length === 0) return pickOnly(cursor)
  return { picked: new Set(picked), cursor, anchor: cursor }
}

export type Step = 'up' | 'down' | 'page-up' | 'page-down' | 'home' | 'end'

/** Where the cursor goes from `cursor`; null for an empty list. */
export function stepFrom(
  order: readonly string[],
  cursor: string | null,
  step: Step,
  page: number,
): string | null {
  if (order.length === 0) return null
  const at = cursor === null ? -1 : order.indexOf(cursor)
  const last = order.length - 1
  const target = (() => {
    switch (step) {
      case 'home':
        return 0
      case 'end':
        return last
      case 'up':
        return at < 0 ? last : at - 1
      case 'down':
        return at + 1
      case 'page-up':
        return at - page
      case 'page-down':
        return Math.max(at, 0) + page
      default:
        return step satisfies never
    }
  })()
  return order[Math.min(Math.max(target, 0), last)] ?? null
}

/**
 * The selection after rows came and went. Rows that are gone are no longer picked; a cursor that is gone
 * moves to the next row that is left, so that deleting down a list needs no mouse.
 */
export function prune(selection: Selection, before: readonly string[], after: readonly string[]): Selection {
  const left = new Set(after)
  const nearest = (ref: string | null): string | null => {
    if (ref === null || left.has(ref)) return ref
    const at = before.indexOf(ref)
    if (at < 0) return null
    const next = before.slice(at + 1).find(candidate => left.has(candidate))
    return (
      next ??
      before
        .slice(0, at)
        .reverse()
        .find(candidate => left.has(candidate)) ??
      null
    )
  }
  const cursor = nearest(selection.cursor)
  const picked = new Set([...selection.picked].filter(ref => left.has(ref)))
  if (picked.size === selection.picked.size && cursor === selection.cursor) return selection
  if (selection.picked.size > 0 && picked.size === 0 && cursor !== null) picked.add(cursor)
  const anchor = selection.anchor !== null && left.has(selection.anchor) ? selection.anchor : cursor
  return { picked, cursor, anchor }
}

/**
 * As `prune`, where the rows are only a part of what there is: what was not among them before is not known to
 * be gone, and stays picked.
 */
export function pruneShown(
  selection: Selection,
  before: readonly string[],
  after: readonly string[],
): Selection {
  const shown = new Set(before)
  const named = [...selection.picked, selection.cursor, selection.anchor]
  const unseen = named.filter(ref => ref !== null).filter(ref => !shown.has(ref))
  return prune(selection, [...unseen, ...before], [...unseen, ...after])
}
