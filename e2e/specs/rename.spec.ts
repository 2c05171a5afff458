import { readFileSync } from 'node:fs'
import { linesOf } from '../fixtures/journal'
import type { Library } from '../fixtures/sample-library'
import { expect, test } from '../fixtures/test'
import { fileDifferences, takeSnapshot } from '../fixtures/tree-snapshot'

const TITLE = 'Add retry to the client'
const SLOT = 256

/** Everything of omp's but one journal. */
function others(library: Library) {
  const journal = library.journal('retry').slice(library.agentDir.length + 1)
  return takeSnapshot(library.agentDir, { except: [journal] })
}

test('F2 renames a session in its row, Ctrl+Z takes it back to the byte', async ({ grove, library }) => {
  const journal = library.journal('retry')
  const before = readFileSync(journal)
  const neighbours = others(library)
  await grove.list.open(TITLE)
  // Under the filter the row would be gone with its title.
  await grove.list.clearFilter()
  await grove.list.listbox.press('F2')
  await expect(grove.rename.field).toBeFocused()
  await expect(grove.rename.field).toHaveValue(TITLE)
  // The present title is selected: typing replaces it.
  await grove.page.keyboard.type('Retry, three times')
  await grove.page.keyboard.press('Enter')
  await expect(grove.toasts.region).toContainText('Renamed to “Retry, three times”')
  await expect(grove.list.listbox).toBeFocused()
  await expect(grove.session.heading('Retry, three times')).toBeVisible()

  const after = readFileSync(journal)
  expect(after.subarray(SLOT, before.length).equals(before.subarray(SLOT)), 'all but the slot stays').toBe(
    true,
  )
  expect(linesOf(journal)[0]).toMatchObject({ type: 'title', title: 'Retry, three times', source: 'user' })
  expect(linesOf(journal).at(-1)).toMatchObject({
    type: 'title_change',
    parentId: library.session('retry').leafId,
    title: 'Retry, three times',
    previousTitle: TITLE,
    source: 'user',
  })
  expect(fileDifferences(neighbours, others(library))).toEqual([])

  await grove.page.keyboard.press('Control+z')
  await expect(grove.toasts.region).toContainText('Undone, the title is as before')
  await expect(grove.session.heading(TITLE)).toBeVisible()
  expect(readFileSync(journal).equals(before)).toBe(true)
})

test('Esc leaves the title, leaving the field saves it, and the head has the same field', async ({
  grove,
  library,
}) => {
  const journal = library.journal('retry')
  const before = readFileSync(journal)
  await grove.list.open(TITLE)
  await grove.list.listbox.press('F2')
  await grove.rename.field.fill('Not this')
  await grove.page.keyboard.press('Escape')
  await expect(grove.rename.field).toHaveCount(0)
  await expect(grove.list.listbox).toBeFocused()
  expect(readFileSync(journal).equals(before)).toBe(true)

  await grove.session.heading(TITLE).dblclick()
  await expect(grove.rename.field).toBeFocused()
  await grove.rename.field.fill('Left with Tab')
  await grove.page.keyboard.press('Tab')
  await expect(grove.session.heading('Left with Tab')).toBeVisible()
  expect(linesOf(journal)[0]).toMatchObject({ title: 'Left with Tab' })

  await grove.sidebar.go('Recent changes')
  await expect(grove.changes.items.first()).toContainText('Left with Tab')
  await grove.changes.undo.first().click()
  await expect(grove.changes.items.first()).toContainText('undone')
  expect(readFileSync(journal).equals(before)).toBe(true)
})

test('a title longer than its place in the file is kept whole in the history', async ({ grove, library }) => {
  const journal = library.journal('retry')
  const long = 'Retry with back-off, but not for what can never work; '.repeat(6).trim()
  await grove.list.open(TITLE)
  await grove.list.listbox.press('F2')
  await grove.rename.field.fill(long)
  await grove.page.keyboard.press('Enter')
  await expect(grove.toasts.region).toContainText('Renamed to')
  expect(linesOf(journal).at(-1)).toMatchObject({ type: 'title_change', title: long })
  const slot = readFileSync(journal).subarray(0, SLOT).toString('utf8')
  expect(slot.endsWith('\n')).toBe(true)
  expect(long.startsWith(String(linesOf(journal)[0]?.title))).toBe(true)
})

test('where an omp runs that nothing ties to a session, renaming asks first', async ({
  grove,
  library,
  programs,
}) => {
  const title = library.title('palette')
  const before = readFileSync(library.journal('palette'))
  const omp = await programs.omp({ cwd: library.project('design-tokens').cwd })
  await grove.list.open(title)
  await grove.list.listbox.press('F2')
  await grove.rename.field.fill('One accent')
  await grove.page.keyboard.press('Enter')
  await expect(grove.maybe.dialog).toContainText(`process ${omp.pid}`)
  await grove.page.keyboard.press('Escape')
  await expect(grove.maybe.dialog).toHaveCount(0)
  expect(readFileSync(library.journal('palette')).equals(before)).toBe(true)

  await grove.list.listbox.press('F2')
  await grove.rename.field.fill('One accent')
  await grove.page.keyboard.press('Enter')
  await grove.maybe.confirm.click()
  await expect(grove.toasts.region).toContainText('Renamed to “One accent”')
  expect(linesOf(library.journal('palette'))[0]).toMatchObject({ title: 'One accent' })
})
