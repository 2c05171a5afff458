/** Where the window opens: where it was, as far as the displays of today show it. Pure. */

export type Rectangle = { x: number; y: number; width: number; height: number }
export type Size = { width: number; height: number }

/** So much of the window's top edge must be on a display that one can take hold of it. */
const GRIP = { width: 120, height: 32 }

/**
 * The bounds for a window that was at `remembered` (null: nowhere yet). A window that could be taken hold of stays where
 * it was, made no larger than its display; any other comes to the middle of the first display.
 *
 * @param workAreas what each display has for windows, the primary one first
 */
export function placeWindow(
  remembered: Rectangle | null,
  workAreas: readonly Rectangle[],
  usual: Size,
  least: Size,
): Rectangle {
  const first = workAreas[0] ?? { x: 0, y: 0, ...usual }
  if (remembered === null) return centred(usual, first, least)
  const area = workAreas.find(candidate => isGraspable(remembered, candidate))
  if (area === undefined) return centred(remembered, first, least)
  const size = fitted(remembered, area, least)
  return {
    ...size,
    x: shrunk(remembered.width, size.width) ? area.x : remembered.x,
    y: shrunk(remembered.height, size.height) ? area.y : remembered.y,
  }
}

function shrunk(before: number, now: number): boolean {
  return now < before
}

/** Whether enough of the top edge lies on this display. */
function isGraspable(window: Rectangle, area: Rectangle): boolean {
  const left = Math.max(window.x, area.x)
  const right = Math.min(window.x + window.width, area.x + area.width)
  const top = window.y
  return right - left >= GRIP.width && top >= area.y && top + GRIP.height <= area.y + area.height
}

function centred(wanted: Size, area: Rectangle, least: Size): Rectangle {
  const size = fitted(wanted, area, least)
  return {
    ...size,
    x: Math.round(area.x + (area.width - size.width) / 2),
    y: Math.round(area.y + (area.height - size.height) / 2),
  }
}

/** As wanted, but no larger than the display and no smaller than the window can be used. */
function fitted(wanted: Size, area: Rectangle, least: Size): Size {
  return {
    width: Math.max(Math.min(wanted.width, area.width), least.width),
    height: Math.max(Math.min(wanted.height, area.height), least.height),
  }
}
