import { expect, test } from 'vitest'
import { plainWords, withoutBold } from './plain-words'

test('marks that only mean something when drawn are left out', () => {
  expect(plainWords('## **Fixed**: `a` b')).toBe('Fixed: a b')
  expect(withoutBold('under **Fixed**: f(**kwargs), 2 ** 3 ** 4')).toBe(
    'under Fixed: f(**kwargs), 2 ** 3 ** 4',
  )
})
