import type { ChangeReport } from '@shared/ipc/models/change-models'
import { expect, test } from 'vitest'
import type { ToldChange } from '../stores/toasts-store'
import { reportText } from './report-text'

const report: ChangeReport = {
  changeId: 'c',
  done: 3,
  asked: 3,
  files: 9,
  bytes: 4_100_000,
  staying: [],
  notes: [],
}
const stays = { ref: 'a', title: 'One', reason: 'in-use' as const, text: 'omp (process 7) has it.' }

test.each<[ToldChange, string]>([
  [{ kind: 'delete' }, 'Moved 3 sessions to trash, 9 files, 4.1 MB.'],
  [{ kind: 'rename', title: 'New' }, 'Renamed to “New”.'],
  [{ kind: 'label', label: null }, 'Label cleared.'],
  [{ kind: 'label', label: 'here' }, 'Labelled “here”.'],
  [{ kind: 'star', starred: true }, 'Starred 3 sessions.'],
  [{ kind: 'star', starred: false }, 'Unstarred 3 sessions.'],
  [{ kind: 'undo', of: 'star' }, 'Undone, the stars of 3 sessions are as before.'],
  [{ kind: 'undo', of: 'delete' }, 'Undone, 3 sessions are back.'],
  [{ kind: 'undo', of: 'continue' }, 'Undone, omp resumes the branch that it did before.'],
])('%j is told as it is', (change, text) => expect(reportText(change, report)).toBe(text))

test('one session that was refused is told by its reason alone', () => {
  const refused = { ...report, changeId: null, done: 0, asked: 1, staying: [stays] }
  expect(reportText({ kind: 'rename', title: 'New' }, refused)).toBe('Not renamed: omp (process 7) has it.')
})

test('of many, what stayed is counted and the first reason given', () => {
  const some = { ...report, done: 2, asked: 4, staying: [stays, stays], notes: ['One note.'] }
  expect(reportText({ kind: 'delete' }, some)).toBe(
    'Moved 2 sessions to trash, 9 files, 4.1 MB. 2 sessions stay, the first because: omp (process 7) has it. One note.',
  )
})
