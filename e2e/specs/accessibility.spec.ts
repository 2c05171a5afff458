import { accessibilityProblems } from '../fixtures/accessibility'
import { resizeWindow } from '../fixtures/launch'
import { expect, test } from '../fixtures/test'
import type { Grove } from '../pages/grove'
import { TABS } from '../pages/session-pane'

// axe looks at every element, in each state twice: minutes on a busy machine.
test.describe.configure({ timeout: 10 * 60_000 })

const BRANCHED = 'Fix the flaky upload test'

/** Problems of the page in both themes, each with the theme and the name of what is shown. */
async function inBothThemes(grove: Grove, name: string): Promise<string[]> {
  const found: string[] = []
  for (const theme of ['light', 'dark'] as const) {
    await grove.page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await expect(grove.page.locator('html')).toHaveAttribute('data-theme', theme)
    found.push(...(await accessibilityProblems(grove.page)).map(text => `${theme}, ${name}: ${text}`))
  }
  return found
}

test('axe finds nothing in the list, the places of the library and every tab', async ({ grove }) => {
  const found = await inBothThemes(grove, 'list without an open session')
  await grove.list.open(BRANCHED)
  await grove.list.clearFilter()
  for (const tab of TABS) {
    await grove.session.show(tab)
    await expect(grove.page.getByText(/^Loading the /)).toHaveCount(0)
    found.push(...(await inBothThemes(grove, tab)))
  }
  await grove.session.show('Artifacts')
  await grove.artifacts.file('local/plan.md').click()
  await expect(grove.artifacts.preview('local/plan.md')).toBeVisible()
  found.push(...(await inBothThemes(grove, 'a preview')))
  await grove.artifacts.part('Subagents')
  found.push(...(await inBothThemes(grove, 'subagents')))
  await grove.artifacts.part('Pictures')
  found.push(...(await inBothThemes(grove, 'pictures')))
  for (const place of ['Starred', 'Drafts', 'Trash', 'Recent changes']) {
    await grove.sidebar.go(place)
    found.push(...(await inBothThemes(grove, place)))
  }
  expect(found).toEqual([])
})

test('axe finds nothing in damaged, empty and filtered states', async ({ grove, library }) => {
  const found: string[] = []
  await grove.list.open(library.title('broken-middle'))
  await expect(grove.transcript.rows.first()).toBeVisible()
  found.push(...(await inBothThemes(grove, 'transcript with damage')))
  await grove.session.show('Details')
  await grove.details.health.getByRole('button', { name: 'View raw' }).click()
  found.push(...(await inBothThemes(grove, 'raw bytes of a damaged line')))
  await grove.list.open('Names for the upload states')
  await grove.session.show('Draft')
  found.push(...(await inBothThemes(grove, 'a draft')))
  await grove.list.filter.fill('nothing is called this')
  await expect(grove.list.region).toContainText('No session matches')
  found.push(...(await inBothThemes(grove, 'no hits')))
  await grove.list.clearFilter()
  for (const project of ['old-app', 'scratch']) {
    await grove.sidebar.project(project).click()
    await expect(grove.list.region.getByRole('button', { name: 'Re-root…' })).toBeVisible()
    found.push(...(await inBothThemes(grove, `project ${project}`)))
  }
  await grove.sidebar.project('grove-api').click()
  await grove.list.select([BRANCHED, 'Add retry to the client'])
  found.push(...(await inBothThemes(grove, 'two selected')))
  expect(found).toEqual([])
})

test('axe finds nothing in dialogs, menus, toasts and filled trash', async ({ grove, library, programs }) => {
  const found: string[] = []
  const { page } = grove
  const dialog = async (name: string, open: () => Promise<void>) => {
    await open()
    await expect(page.getByRole('dialog')).toBeVisible()
    found.push(...(await inBothThemes(grove, name)))
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await dialog('settings', () => page.keyboard.press('Control+,'))
  await dialog('about', () => grove.chooseMenu('About Grove'))
  await grove.list.listbox.focus()
  await dialog('shortcuts', () => page.keyboard.press('?'))
  await dialog('re-root', async () => {
    await grove.sidebar.projectMenu('upload-service', 'Re-root project…')
    await expect(grove.reroot.confirm('2 sessions')).toBeVisible()
  })
  await dialog('re-root with a prefix', async () => {
    await grove.sidebar.projectMenu('web', 'Re-root project…')
    await expect(grove.reroot.confirm('1 session')).toBeVisible()
  })
  await programs.holder(library.journal('retry'))
  await programs.omp({ cwd: library.project('infra').cwd })
  await grove.list.open('Add retry to the client')
  await dialog('delete refused', () => grove.list.pressDelete())
  await grove.list.open('The power cut')
  await dialog('delete that asks', () => grove.list.pressDelete())

  await grove.list.open(BRANCHED)
  await grove.list.pressDelete()
  await expect(grove.toasts.region).toContainText('Moved 1 session to trash')
  found.push(...(await inBothThemes(grove, 'a toast')))
  await grove.sidebar.go('Trash')
  await expect(grove.trash.items).toHaveCount(1)
  found.push(...(await inBothThemes(grove, 'trash with an item')))
  await dialog('empty the trash', () => grove.trash.emptyButton.click())
  await grove.sidebar.go('Recent changes')
  await expect(grove.changes.items).toHaveCount(1)
  found.push(...(await inBothThemes(grove, 'changes')))
  expect(found).toEqual([])
})

test('axe finds nothing on a narrow window, one pane at a time', async ({ grove }) => {
  await resizeWindow(grove.running.app, 800, 600)
  const found = await inBothThemes(grove, 'narrow, first pane')
  await grove.list.filterBy(BRANCHED)
  found.push(...(await inBothThemes(grove, 'narrow, list')))
  await grove.list.row(BRANCHED).first().click()
  for (const tab of TABS) {
    await grove.session.show(tab)
    await expect(grove.page.getByText(/^Loading the /)).toHaveCount(0)
    found.push(...(await inBothThemes(grove, `narrow, ${tab}`)))
  }
  expect(found).toEqual([])
})

test.describe('without any session', () => {
  test.use({ libraryKind: 'empty' })
  test('axe finds nothing on the first start', async ({ grove }) => {
    await expect(grove.list.region).toContainText('No sessions yet')
    expect(await inBothThemes(grove, 'first start')).toEqual([])
  })
})
