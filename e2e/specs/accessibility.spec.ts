import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Locator } from 'playwright'
import { problemsInBothThemes as inBothThemes } from '../fixtures/accessibility'
import { resizeWindow } from '../fixtures/launch'
import { artifactDirectory } from '../fixtures/sample-library'
import { expect, test } from '../fixtures/test'
import { TABS } from '../pages/session-pane'

// axe looks at every element, in each state twice: minutes on a busy machine.
test.describe.configure({ timeout: 10 * 60_000 })

const BRANCHED = 'Fix the flaky upload test'

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
  await expect(grove.draft.text).toBeVisible()
  found.push(...(await inBothThemes(grove, 'a draft')))
  await grove.draft.text.press('Home')
  const typing = grove.page.keyboard.type('Typed while omp writes the same draft. ', { delay: 50 })
  await expect(grove.draft.text).toHaveValue(/^Typed/)
  writeFileSync(path.join(artifactDirectory(library.journal('draft-long')), 'draft.txt'), 'By omp.')
  await typing
  await expect(grove.draft.alert).toBeVisible()
  await grove.draft.act('Show theirs').click()
  found.push(...(await inBothThemes(grove, 'a draft that omp changed')))
  await grove.draft.act('Use theirs').click()
  await expect(grove.draft.act('Put it back')).toBeVisible()
  found.push(...(await inBothThemes(grove, 'a text that is set aside')))
  await grove.list.open('Add retry to the client')
  await grove.session.show('Draft')
  await expect(grove.draft.write).toBeVisible()
  await grove.sidebar.go('Drafts')
  await grove.drafts.rows.first().click()
  found.push(...(await inBothThemes(grove, 'drafts, one chosen')))
  await grove.drafts.filter.fill('nothing is written like this')
  await expect(grove.drafts.region).toContainText('No draft matches')
  found.push(...(await inBothThemes(grove, 'no draft matches')))
  await grove.sidebar.go('All sessions')
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
  await dialog('move', async () => {
    await grove.list.open(BRANCHED)
    await grove.session.menu('Move…')
    await grove.move.folder('~/code/infra').check()
    await expect(grove.move.confirm('1 session')).toBeVisible()
  })
  await grove.list.clearFilter()
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

test('axe finds nothing where a session is in use, in a family, and while a file is dragged', async ({
  grove,
  library,
  programs,
}) => {
  const found: string[] = []
  await programs.holder(library.journal('retry'))
  await programs.omp({ cwd: library.project('infra').cwd })
  await grove.list.open('Add retry to the client')
  await expect(grove.session.status('waiting for you')).toBeVisible()
  await expect(grove.session.use).toBeVisible()
  found.push(...(await inBothThemes(grove, 'a session in use')))
  await grove.list.clearFilter()
  await grove.sidebar.project('infra').click()
  await expect(grove.list.rows.filter({ hasText: 'maybe in use' }).first()).toBeVisible()
  found.push(...(await inBothThemes(grove, 'sessions that may be in use')))
  await grove.sidebar.go('All sessions')
  for (const title of ['Rename the blob directory', 'Cache headers only']) {
    await grove.list.open(title)
    await grove.session.show('Details')
    await expect(grove.details.relatives.first()).toBeVisible()
    found.push(...(await inBothThemes(grove, `family of ${title}`)))
  }
  const dragged = await grove.dragFile(library.journal('retry'))
  await dragged.over(grove.list.region)
  found.push(...(await inBothThemes(grove, 'a file over the window')))
  await dragged.over(grove.sidebar.project('old-app'))
  await expect(grove.page.getByText('Drop the folder that old-app is in now')).toBeVisible()
  found.push(...(await inBothThemes(grove, 'a file over a missing project')))
  expect(found).toEqual([])
})

test('axe finds nothing while sessions and entries are managed', async ({ grove, library, programs }) => {
  const found: string[] = []
  const { page } = grove
  const look = async (name: string, shown: Locator) => {
    await expect(shown).toBeVisible()
    found.push(...(await inBothThemes(grove, name)))
    await page.keyboard.press('Escape')
    await expect(shown).toHaveCount(0)
  }
  await grove.list.open(BRANCHED)
  await grove.list.clearFilter()
  await grove.list.listbox.press('F2')
  await look('renaming in the list', grove.rename.field)
  await grove.session.heading(BRANCHED).dblclick()
  await look('renaming in the head', grove.rename.field)
  await grove.list.row(BRANCHED).click({ button: 'right' })
  await look('menu of a session', grove.menu.menu)
  await grove.transcript.rows.last().click({ button: 'right' })
  await look('menu of a row', grove.menu.menu)
  await page.keyboard.press('Shift+L')
  await look('label', grove.label.dialog)
  await page.getByRole('button', { name: 'Fork', exact: true }).click()
  await expect(grove.fork.artifacts).toBeVisible()
  await look('fork', grove.fork.question)
  await page.getByRole('button', { name: 'Fork', exact: true }).click()
  await grove.fork.confirm.click()
  await look('forked', grove.fork.result)
  await programs.omp({ cwd: library.project('design-tokens').cwd })
  await grove.list.open(library.title('palette'))
  await grove.list.listbox.press('F2')
  await grove.rename.field.fill('Another title')
  await page.keyboard.press('Enter')
  await look('a change that asks first', grove.maybe.dialog)
  await grove.list.open('Add retry to the client')
  await grove.list.listbox.press('Control+d')
  await grove.sidebar.go('Recent changes')
  await expect(grove.changes.items).toHaveCount(2)
  found.push(...(await inBothThemes(grove, 'changes by day')))
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
