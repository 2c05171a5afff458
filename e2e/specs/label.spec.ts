import { readFileSync } from 'node:fs'
import { appended } from '../fixtures/journal'
import { expect, test } from '../fixtures/test'

const TITLE = 'Add retry to the client'

test('Shift+L names an entry of the transcript, the menu takes the name away, each with Undo', async ({
  grove,
  library,
}) => {
  test.slow()
  const { page } = grove
  const journal = library.journal('retry')
  const before = readFileSync(journal)
  await grove.list.open(TITLE)
  await expect(grove.transcript.rows.last()).toBeInViewport()
  await grove.transcript.feed.focus()
  await page.keyboard.press('End')
  const row = grove.transcript.rows.last()
  await expect(row).toBeFocused()
  await page.keyboard.press('Shift+L')
  await expect(grove.label.field).toBeFocused()
  await page.keyboard.type('works from here')
  await page.keyboard.press('Enter')
  await expect(grove.toasts.region).toContainText('Labelled “works from here”')
  await expect(row).toContainText('works from here')
  await expect(row, 'the focus is where it was').toBeFocused()
  const set = appended(before, journal)
  expect(set.kept, 'nothing but a line was written').toBe(true)
  expect(set.lines).toMatchObject([
    { type: 'label', parentId: library.session('retry').leafId, label: 'works from here' },
  ])

  // Named again: the present name is there to be changed.
  await page.keyboard.press('Shift+L')
  await expect(grove.label.field).toHaveValue('works from here')
  await page.keyboard.press('Escape')
  await expect(grove.label.dialog).toHaveCount(0)

  await page.keyboard.press('Shift+F10')
  await grove.menu.choose('Clear label')
  await expect(grove.toasts.region).toContainText('Label cleared')
  await expect(row).not.toContainText('works from here')
  await page.keyboard.press('Control+z')
  await expect(grove.toasts.region).toContainText('Undone, the label is as before')
  await expect(row).toContainText('works from here')
  // History is never cut: each step is a line of its own.
  const steps = appended(before, journal)
  expect(steps.kept).toBe(true)
  expect(steps.lines.map(({ type, label }) => [type, label ?? ''])).toEqual([
    ['label', 'works from here'],
    ['label', ''],
    ['label', 'works from here'],
  ])
})

test('an entry of the graph is named, and the graph shows it', async ({ grove, library }) => {
  const journal = library.journal('retry')
  const before = readFileSync(journal)
  await grove.list.open(TITLE)
  await grove.session.show('Branches')
  await grove.branches.graph.focus()
  await grove.page.keyboard.press('End')
  await grove.page.keyboard.press('Shift+L')
  await grove.label.field.fill('the beginning')
  await grove.label.set.click()
  await expect(grove.branches.current).toContainText('the beginning')
  await expect(grove.branches.graph).toBeFocused()
  expect(appended(before, journal)).toMatchObject({ kept: true, lines: [{ label: 'the beginning' }] })
  await grove.toasts.undo.click()
  await expect(grove.branches.graph).not.toContainText('the beginning')
  const after = appended(before, journal)
  expect(after.kept).toBe(true)
  expect(after.lines.map(({ label }) => label ?? '')).toEqual(['the beginning', ''])
})
