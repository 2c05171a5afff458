import type { SessionRow } from '@shared/ipc/models/library-models'
import { expect, test } from 'vitest'
import { countsOf, messagesFact, shortProblem, sizeTitle } from './row-facts'

/** As far as these facts go. */
const row = (counts: Partial<SessionRow>) => ({ bytes: 1_000, ...counts }) as SessionRow

test('a count is written, and one that is not known yet says so', () => {
  expect(messagesFact(row({ messages: 1 }))).toEqual({ shown: '1', title: '1 message', word: 'message' })
  expect(messagesFact(row({ messages: 1_204 }))).toMatchObject({ shown: '1,204', word: 'messages' })
  expect(messagesFact(row({ messages: null }))).toEqual({
    shown: '…',
    title: 'Messages are not counted yet',
    word: 'messages not counted yet',
  })
})

test('what is not counted yet is not taken for none, nor shown', () => {
  const unknown = { branches: null, artifacts: null, subagents: null, damagedLines: null }
  expect(countsOf(row(unknown))).toEqual({ branches: 0, artifacts: 0, subagents: 0, damagedLines: 0 })
  expect(countsOf(row({ ...unknown, branches: 3 })).branches).toBe(3)
  expect(sizeTitle(row({ artifacts: 0 }))).toBe('1.0 KB with artifacts')
  expect(sizeTitle(row({ artifacts: null }))).toBe('1.0 KB, artifacts not counted yet')
})

test('why a file cannot be read stands first, without its path; other reasons are told as they are', () => {
  expect(shortProblem('Cannot read /a/b: c.jsonl: it is a folder.')).toBe('Cannot be read: it is a folder.')
  expect(shortProblem('Cannot read /a/two\nlines: its links go round in a circle (ELOOP).')).toBe(
    'Cannot be read: its links go round in a circle (ELOOP).',
  )
  expect(shortProblem('The file holds no session: none of its lines is a record.')).toBe(
    'The file holds no session: none of its lines is a record.',
  )
})
