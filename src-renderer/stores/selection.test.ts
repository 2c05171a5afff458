import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  enter,
  extendTo,
  NO_SELECTION,
  pickAll,
  pickCursor,
  pickOnly,
  prune,
  type Selection,
  stepFrom,
  toggle,
} from './selection'

const order = ['a', 'b', 'c', 'd', 'e']
const picked = (selection: Selection) => [...selection.picked].sort().join('')

describe('selection', () => {
  it('extends from the anchor in both directions', () => {
    const down = extendTo(pickOnly('c'), order, 'e')
    expect(picked(down)).toBe('cde')
    expect(picked(extendTo(down, order, 'a'))).toBe('abc')
  })

  it('begins with a row that is shown when the keyboard comes into the list', () => {
    expect(enter(pickOnly('c'), order)).toEqual(pickOnly('c'))
    expect(enter(pickOnly('hidden'), order)).toEqual(pickOnly('a'))
    const pointed = enter(pickOnly('hidden'), order, true)
    expect(picked(toggle(pointed, 'c')), 'Ctrl+click picks no other row').toBe('c')
    const some = toggle(toggle(pickOnly('d'), 'b'), 'hidden')
    expect(enter(some, order)).toEqual({ picked: new Set(['b', 'd']), cursor: 'b', anchor: 'b' })
    expect(enter(NO_SELECTION, order), 'nothing was picked').toEqual({
      ...NO_SELECTION,
      cursor: 'a',
      anchor: 'a',
    })
    expect(enter(pickOnly('hidden'), [])).toEqual(pickOnly('hidden'))
  })

  it('keeps what was picked when Shift and Ctrl extend together', () => {
    const two = toggle(pickOnly('a'), 'c')
    expect(picked(extendTo(two, order, 'd', true))).toBe('acd')
  })

  it('toggles one row and puts the anchor there', () => {
    const both = toggle(pickOnly('a'), 'd')
    expect(picked(both)).toBe('ad')
    expect(both.anchor).toBe('d')
    expect(picked(toggle(both, 'a'))).toBe('d')
  })

  it('picks all and comes back to the cursor', () => {
    const all = pickAll(pickOnly('b'), order)
    expect(picked(all)).toBe('abcde')
    expect(picked(pickCursor(all))).toBe('b')
  })

  it.each([
    ['down', 'b', 'c'],
    ['up', 'a', 'a'],
    ['home', 'd', 'a'],
    ['end', 'a', 'e'],
    ['page-down', 'b', 'd'],
    ['page-up', 'b', 'a'],
  ] as const)('steps %s from %s to %s', (step, from, to) => expect(stepFrom(order, from, step, 2)).toBe(to))

  it('steps into a list that has no cursor yet', () => {
    expect(stepFrom(order, null, 'down', 2)).toBe('a')
    expect(stepFrom(order, null, 'up', 2)).toBe('e')
    expect(stepFrom([], null, 'down', 2)).toBeNull()
  })

  it('moves the cursor to the next row that is left, else to the one before', () => {
    expect(prune(pickOnly('b'), order, ['a', 'c', 'd', 'e']).cursor).toBe('c')
    expect(prune(pickOnly('e'), order, ['a', 'b']).cursor).toBe('b')
    expect(prune(pickOnly('a'), order, []).cursor).toBeNull()
  })

  it('never names a row that is gone, whatever was done before', () => {
    const action = fc.record({
      kind: fc.constantFrom('pick', 'toggle', 'extend', 'all'),
      ref: fc.constantFrom(...order),
    })
    fc.assert(
      fc.property(fc.array(action), fc.subarray(order), (actions, left) => {
        let selection = NO_SELECTION
        for (const { kind, ref } of actions) {
          if (kind === 'pick') selection = pickOnly(ref)
          else if (kind === 'toggle') selection = toggle(selection, ref)
          else if (kind === 'extend') selection = extendTo(selection, order, ref)
          else selection = pickAll(selection, order)
        }
        const after = prune(selection, order, left)
        const names = [...after.picked, after.cursor, after.anchor].filter(ref => ref !== null)
        expect(names.filter(ref => !left.includes(ref))).toEqual([])
      }),
    )
  })
})
