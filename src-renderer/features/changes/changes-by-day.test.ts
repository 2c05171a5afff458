import type { ChangeView } from '@shared/ipc/models/change-models'
import { expect, test } from 'vitest'
import { changesByDay } from './changes-by-day'

const DAY = 24 * 3_600_000
const now = new Date(2026, 10, 30, 12).getTime()
const change = (id: string, time: number): ChangeView => ({
  id,
  kind: 'star',
  text: id,
  detail: '',
  time,
  state: 'done',
  canUndo: true,
  whyNot: null,
})

test('changes of one day stand together, in their order', () => {
  const changes = [
    change('a', now),
    change('b', now - 3_600_000),
    change('c', now - DAY),
    change('d', now - 9 * DAY),
    change('e', now - 400 * DAY),
  ]
  expect(changesByDay(changes, now).map(({ day, changes: made }) => [day, made.map(({ id }) => id)])).toEqual(
    [
      ['Today', ['a', 'b']],
      ['Yesterday', ['c']],
      ['21 Nov', ['d']],
      ['26 Oct 2025', ['e']],
    ],
  )
})

test('nothing is dropped or merged when times are out of order', () => {
  const groups = changesByDay([change('a', now), change('b', now - DAY), change('c', now)], now)
  expect(groups.map(({ day }) => day)).toEqual(['Today', 'Yesterday', 'Today'])
  expect(new Set(groups.map(({ key }) => key)).size).toBe(3)
})
