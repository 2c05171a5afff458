import { describe, expect, it } from 'vitest'
import { typeAhead, typedWord } from './roving'

const press = (key: string, held: { ctrlKey?: boolean; metaKey?: boolean; altKey?: boolean } = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
})

describe('a typed word', () => {
  it('takes a space while it is under way, and none before or after', () => {
    let now = 0
    const typed = typedWord(() => now)
    expect(typed(press(' '))).toBeNull()
    expect(['f', 'i', 'x', ' ', 't'].map(key => typed(press(key)))).toEqual([
      'f',
      'fi',
      'fix',
      'fix ',
      'fix t',
    ])
    now += 699
    expect(typed(press(' '))).toBe('fix t ')
    now += 700
    expect(typed(press(' '))).toBeNull()
    expect(typed(press('a'))).toBe('a')
  })

  it('is no press of a command', () => {
    const typed = typedWord(() => 0)
    expect(typed(press('a'))).toBe('a')
    const others = [press(' ', { ctrlKey: true }), press('a', { metaKey: true }), press('Home'), press('?')]
    expect(others.map(typed)).toEqual([null, null, null, null])
    expect(typed(press('b'))).toBe('ab')
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
