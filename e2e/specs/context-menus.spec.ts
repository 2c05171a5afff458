import { readFileSync } from 'node:fs'
import type { Locator } from 'playwright'
import { expect, test } from '../fixtures/test'
import { takeSnapshot } from '../fixtures/tree-snapshot'
import type { Grove } from '../pages/grove'

const TITLE = 'Fix the flaky upload test'

/** Opens the menu of what is right-clicked, compares its items, and closes it. */
async function hasMenu(grove: Grove, target: Locator, texts: readonly string[]): Promise<void> {
  await target.click({ button: 'right' })
  await expectItems(grove, texts)
}

async function expectItems(grove: Grove, texts: readonly string[]): Promise<void> {
  await expect(grove.menu.items).toHaveText(texts.map(text => new RegExp(`^${text}`)))
  await grove.page.keyboard.press('Escape')
  await expect(grove.menu.menu).toHaveCount(0)
}

const SESSION = [
  'Rename',
  'Unstar',
  'Fork…',
  'Copy resume command',
  'Copy transcript as Markdown',
  'Copy session id',
  'Copy file path',
  'Show in file manager',
]
const ENTRY = [
  'Copy entry',
  'Copy turn',
  'Copy transcript',
  'Label…',
  'Fork from here…',
  'Continue this branch',
]

test('every list has a menu for its row, by mouse', async ({ grove, library }) => {
  test.slow()
  const before = takeSnapshot(library.agentDir)
  await grove.list.open(TITLE)
  await grove.list.row(TITLE).click({ button: 'right' })
  for (const text of [...SESSION, 'Move…', 'Re-root…', 'Move to trash']) {
    await expect(grove.menu.item(text)).toBeVisible()
  }
  await grove.page.keyboard.press('Escape')
  await hasMenu(grove, grove.sidebar.project('grove-api'), [
    'Re-root project…',
    'Show folder in file manager',
    'Pin to the top',
  ])
  await hasMenu(grove, grove.transcript.rows.last(), ['Show in graph', ...ENTRY])
  await hasMenu(grove, grove.transcript.prompt(/^The upload test still/), [
    'Show in transcript',
    'Show in graph',
    'Copy entry',
    'Copy turn',
    'Copy transcript',
    'Change label…',
    'Clear label',
    'Fork from here…',
    'Continue this branch',
  ])
  await grove.session.show('Branches')
  await hasMenu(grove, grove.branches.rows.filter({ hasText: 'Write the changelog' }), [
    'Show in transcript',
    ...ENTRY,
  ])
  await hasMenu(grove, grove.branches.rows.filter({ hasText: /^Branch 1\d+ entries/ }).first(), ['Unfold'])
  await grove.session.show('Artifacts')
  await hasMenu(grove, grove.artifacts.file('local/plan.md'), [
    'Open with its program',
    'Show in file manager',
    'Copy text',
    'Save as…',
  ])
  expect(takeSnapshot(library.agentDir), 'looking at menus writes nothing').toEqual(before)
})

test('the menu key opens the menu of the row that the keyboard is on', async ({ grove, library }) => {
  test.slow()
  const { page } = grove
  await grove.list.open(TITLE)
  await grove.list.clearFilter()
  await grove.list.listbox.press('Home')
  const first = await grove.list.rows.first().getAttribute('aria-selected')
  expect(first).toBe('true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+F10')
  await expect(grove.menu.menu).toBeVisible()
  await expect(grove.list.rows.nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(grove.list.listbox, 'the focus comes back').toBeFocused()

  // Rename out of the menu, without the mouse: the field has the focus.
  await page.keyboard.press('Shift+F10')
  await expect(grove.menu.item('Rename'), 'the first item').toBeFocused()
  await page.keyboard.press('Enter')
  await expect(grove.rename.field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(grove.list.listbox).toBeFocused()

  await grove.list.open(TITLE)
  await expect(grove.transcript.rows.last()).toBeInViewport()
  await grove.transcript.feed.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('k')
  await page.keyboard.press('Shift+F10')
  await expect(grove.menu.item('Show in graph')).toBeFocused()
  await page.keyboard.press('Enter')
  // Drawn as a row of its own, though its run was folded.
  await expect(grove.branches.current).toBeVisible()
  await expect(grove.branches.current).not.toContainText(/\d+ entries/)
  await grove.branches.graph.focus()
  await page.keyboard.press('ContextMenu')
  await grove.menu.choose('Copy entry as Markdown')
  await expect(grove.toasts.region).toContainText('copied as Markdown')
  const copied = await grove.running.app.evaluate(({ clipboard }) => clipboard.readText())
  expect(copied.trim()).not.toBe('')

  await grove.list.listbox.press('Control+d')
  await expect(grove.toasts.region).toContainText('Unstarred')
  await grove.sidebar.go('Recent changes')
  await expect(grove.changes.items.first()).toBeVisible()
  await page.keyboard.press('F6')
  await page.keyboard.press('Tab')
  await expect(grove.changes.items.first()).toBeFocused()
  await page.keyboard.press('Shift+F10')
  await grove.menu.choose('Undo')
  await expect(grove.changes.items.first()).toContainText('undone')
  expect(JSON.parse(readFileSync(`${library.agentDir}/session-pins.json`, 'utf8'))).toEqual(
    library.manifest.stars,
  )
})

test('items of the trash are restored from their menu', async ({ grove }) => {
  await grove.list.open('Add retry to the client')
  await grove.list.pressDelete()
  await expect(grove.toasts.region).toContainText('Moved 1 session to trash')
  await grove.sidebar.go('Trash')
  await grove.trash.items.first().click({ button: 'right' })
  await expect(grove.menu.items).toHaveText([/^Restore/, /^Show in file manager/, /^Delete for good…/])
  await grove.menu.choose('Restore')
  await expect(grove.trash.region).toContainText('The trash is empty')
})
