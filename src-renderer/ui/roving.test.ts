import { describe, expect, it } from 'vitest'
import { typeAhead, typedWord } from './roving'

type Held = { ctrlKey?: boolean; metaKey?: boolean; altKey?: boolean }

const press = (key: string, timeStamp: number, held: Held = {}) => ({
  key,
  timeStamp,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
})

describe('a typed word', () => {
  it('takes a space while it is under way, and none before or after', () => {
    const typed = typedWord()
    expect(typed(press(' ', 0))).toBeNull()
    expect(['f', 'i', 'x', ' ', 't'].map(key => typed(press(key, 1)))).toEqual([
      'f',
      'fi',
      'fix',
      'fix ',
      'fix t',
    ])
    expect(typed(press(' ', 700))).toBe('fix t ')
    expect(typed(press(' ', 1400))).toBeNull()
    expect(typed(press('a', 1400))).toBe('a')
  })

  it('is no press of a command', () => {
    const typed = typedWord()
    expect(typed(press('a', 0))).toBe('a')
    const others = [
      press(' ', 1, { ctrlKey: true }),
      press('a', 1, { metaKey: true }),
      press('Home', 1),
      press('?', 1),
    ]
    expect(others.map(typed)).toEqual([null, null, null, null])
    expect(typed(press('b', 1))).toBe('ab')
  })
})

describe('type-ahead', () => {
  const titles = ['Fix', 'Fix it', 'Fix the test', 'Sketch']

  it('stays where a growing word fits, spaces in it as well', () => {
    expect(typeAhead(titles, 3, 'f')).toBe(0)
    expect(typeAhead(titles, 0, 'fix ')).toBe(1)
    expect(typeAhead(titles, 1, 'fix t')).toBe(2)
    expect(typeAhead(titles, 2, 'fix z')).toBe(-1)
  })

  it('steps on when one letter is repeated', () => {
    expect(typeAhead(titles, 0, 'f')).toBe(1)
    expect(typeAhead(titles, 1, 'ff')).toBe(2)
    expect(typeAhead(titles, 2, 'fff')).toBe(0)
  })
})
