import { readFileSync } from 'node:fs'
import { appended } from '../fixtures/journal'
import { expect, test } from '../fixtures/test'
import { fileDifferences, takeSnapshot } from '../fixtures/tree-snapshot'

const TITLE = 'Fix the flaky upload test'

test('the branch that is read becomes the one that omp resumes, and Undo gives it back', async ({
  grove,
  library,
}) => {
  test.slow()
  const journal = library.journal('flaky-upload')
  const before = readFileSync(journal)
  const except = [journal.slice(library.agentDir.length + 1)]
  const rest = takeSnapshot(library.agentDir, { except })
  await grove.list.open(TITLE)
  await grove.transcript.prompt(/^The upload test still/).click()
  await grove.transcript.fork().getByRole('button', { name: 'Previous continuation' }).last().click()
  await expect(grove.transcript.region).toContainText('You are reading another branch.')
  await grove.transcript.region.getByRole('button', { name: 'Continue this branch' }).click()
  await expect(grove.toasts.region).toContainText('omp resumes this branch now')
  await expect(grove.transcript.region).not.toContainText('You are reading another branch.')
  const { kept, lines } = appended(before, journal)
  expect(kept).toBe(true)
  expect(lines).toMatchObject([{ type: 'branch_summary', summary: '' }])
  expect(library.session('flaky-upload').tips).toContain(lines[0]?.parentId)
  expect(fileDifferences(rest, takeSnapshot(library.agentDir, { except }))).toEqual([])

  await grove.session.show('Branches')
  await expect(grove.branches.tips.filter({ hasText: 'omp resumes here' })).toHaveCount(1)
  await grove.page.keyboard.press('Control+z')
  await expect(grove.toasts.region).toContainText('Undone, omp resumes the branch that it did before')
  expect(readFileSync(journal).equals(before)).toBe(true)
})

test('a tip that is chosen in the graph is continued from there', async ({ grove, library }) => {
  const journal = library.journal('flaky-upload')
  const before = readFileSync(journal)
  await grove.list.open(TITLE)
  await grove.session.show('Branches')
  const own = grove.branches.tips.filter({ hasText: 'omp resumes here' })
  await expect(own).toHaveCount(1)
  await own.click()
  const proceed = grove.branches.chosen.getByRole('button', { name: 'Continue this branch' })
  await expect(proceed, 'omp resumes there already').toHaveCount(0)
  const other = grove.branches.tips.filter({ hasText: 'Gave up' })
  await other.click()
  await proceed.click()
  await expect(grove.toasts.region).toContainText('omp resumes this branch now')
  await expect(own).toContainText('Gave up')
  expect(appended(before, journal)).toMatchObject({ kept: true, lines: [{ type: 'branch_summary' }] })
  await grove.toasts.undo.click()
  await expect(own).not.toContainText('Gave up')
  expect(readFileSync(journal).equals(before)).toBe(true)
})
