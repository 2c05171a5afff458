import { describe, expect, it } from 'vitest'
import { placeWindow, type Rectangle } from './window-placement'

const PRIMARY: Rectangle = { x: 0, y: 24, width: 1920, height: 1056 }
const LEFT: Rectangle = { x: -1280, y: 0, width: 1280, height: 1024 }
const USUAL = { width: 1440, height: 900 }
const LEAST = { width: 560, height: 420 }

const place = (remembered: Rectangle | null, areas = [PRIMARY, LEFT]) =>
  placeWindow(remembered, areas, USUAL, LEAST)

describe('the place of the window', () => {
  it('is the middle of the first display at first', () => {
    expect(place(null)).toEqual({ x: 240, y: 102, width: 1440, height: 900 })
  })

  it('is smaller than usual on a small display, and never smaller than can be used', () => {
    expect(place(null, [{ x: 0, y: 0, width: 1024, height: 600 }])).toEqual({
      x: 0,
      y: 0,
      width: 1024,
      height: 600,
    })
    expect(place(null, [{ x: 0, y: 0, width: 400, height: 300 }])).toMatchObject(LEAST)
  })

  it('is where it was, on any display', () => {
    for (const bounds of [
      { x: 100, y: 50, width: 900, height: 700 },
      { x: -1200, y: 10, width: 800, height: 600 },
      // Over the edge, as one may like it.
      { x: 1700, y: 500, width: 900, height: 700 },
      { x: -1279, y: 0, width: 1280, height: 1024 },
    ])
      expect(place(bounds)).toEqual(bounds)
  })

  it('is visible again when its display is gone', () => {
    expect(place({ x: -1200, y: 10, width: 800, height: 600 }, [PRIMARY])).toEqual({
      x: 560,
      y: 252,
      width: 800,
      height: 600,
    })
  })

  it.each([
    ['only a sliver of it would be seen', { x: 1910, y: 100, width: 900, height: 700 }],
    ['its top edge would be above the display', { x: 100, y: -40, width: 900, height: 700 }],
    ['its top edge would be below the display', { x: 100, y: 1075, width: 900, height: 700 }],
    ['it is far away', { x: 99_999, y: -99_999, width: 900, height: 700 }],
  ])('is the middle when %s', (_, bounds) => {
    expect(place(bounds)).toEqual({ x: 510, y: 202, width: 900, height: 700 })
  })

  it('shrinks to a display that became smaller, from its corner', () => {
    expect(
      place({ x: 100, y: 50, width: 1800, height: 900 }, [{ x: 0, y: 0, width: 1280, height: 720 }]),
    ).toEqual({ x: 0, y: 0, width: 1280, height: 720 })
  })

  it('is something even when no display is told of', () => {
    expect(place(null, [])).toMatchObject(USUAL)
  })
})
