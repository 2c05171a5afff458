import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Locator } from 'playwright'
import { headerOf } from '../fixtures/journal'
import { expect, test } from '../fixtures/test'
import type { Grove } from '../pages/grove'

/*
 * Nothing here touches the mouse: every step is a key that is pressed where the focus is. `focus()` and `click()`
 * are not used; a control is reached with F6, Tab, arrows and letters.
 */

const BRANCHED = 'Fix the flaky upload test'
/** More presses than lie between any two controls of the window. */
const MOST_STEPS = 60

/** Presses a key until this has the focus. */
async function reach(grove: Grove, target: Locator, key: string): Promise<void> {
  await expect(target).toBeVisible()
  for (let n = 0; n < MOST_STEPS; n++) {
    if (await target.evaluate(element => element === document.activeElement)) return
    await grove.page.keyboard.press(key)
  }
  await expect(target, `${key} leads there`).toBeFocused()
}

/** Goes to the filter of the session list, from anywhere. */
async function toFilter(grove: Grove): Promise<void> {
  await grove.page.keyboard.press('Control+k')
  await expect(grove.search.field).toBeFocused()
  await grove.page.keyboard.type('>Filter sessions')
  await grove.page.keyboard.press('Enter')
  await expect(grove.list.filter).toBeFocused()
}

/** Filters for a title and goes to its row. */
async function toRow(grove: Grove, title: string): Promise<void> {
  const { page } = grove
  await toFilter(grove)
  await page.keyboard.type(title)
  await expect(grove.list.row(title).first()).toBeVisible()
  await expect(grove.list.rows.first()).toHaveAccessibleName(new RegExp(`^(starred )?${title}`))
  await page.keyboard.press('ArrowDown')
  await expect(grove.list.listbox).toBeFocused()
}

/** Opens a place of the library with F6 and arrows. */
async function toPlace(grove: Grove, item: Locator): Promise<void> {
  await toFilter(grove)
  await grove.page.keyboard.press('Shift+F6')
  await grove.page.keyboard.press('Home')
  await reach(grove, item, 'ArrowDown')
  await grove.page.keyboard.press('Enter')
}

test('browsing, reading, switching branches, a subagent and an artifact, by keyboard alone', async ({
  grove,
  library,
}) => {
  test.slow()
  const { page } = grove
  await toPlace(grove, grove.sidebar.project('infra'))
  await expect(grove.list.heading).toHaveText('infra')
  await page.keyboard.press('F6')
  await expect(grove.list.listbox).toBeFocused()
  await page.keyboard.type('rot')
  await expect(grove.session.heading('Rotate the certificates')).toBeVisible()

  await toPlace(grove, grove.sidebar.place('All sessions'))
  await toRow(grove, BRANCHED)
  await page.keyboard.press('Enter')
  await expect(grove.session.heading(BRANCHED)).toBeVisible()
  await expect(grove.transcript.rows.last()).toBeInViewport()

  // The fork of the transcript: to the prompt before it, one row on, and its switch.
  await reach(grove, grove.session.tab('Transcript'), 'Tab')
  await reach(grove, grove.transcript.feed, 'Tab')
  await page.keyboard.press('End')
  for (let n = 0; n < 3; n++) await page.keyboard.press('Shift+K')
  await page.keyboard.press('j')
  const previous = grove.transcript
    .row('Five tries would only hide it')
    .getByRole('button', { name: 'Previous continuation' })
  await reach(grove, previous, 'Tab')
  await page.keyboard.press('Enter')
  await expect(grove.transcript.row('Passes here with five tries.')).toBeVisible()

  // The graph: find a tip, Enter shows its path.
  await page.keyboard.press('Alt+2')
  await reach(grove, grove.branches.graph, 'Tab')
  await page.keyboard.press('/')
  await page.keyboard.type('Gave up: cannot')
  await page.keyboard.press('Enter')
  await expect(grove.branches.chosen).toContainText('Gave up: cannot reproduce it')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(grove.transcript.row('Gave up: cannot reproduce it').last()).toBeInViewport()

  // An artifact, then the nested subagent and back.
  await page.keyboard.press('Alt+3')
  await reach(grove, grove.artifacts.files, 'Tab')
  await page.keyboard.press('End')
  await expect(grove.artifacts.preview('local/runs.json')).toBeVisible()
  await reach(grove, grove.artifacts.region.getByRole('radio', { name: /^Files/ }), 'Shift+Tab')
  await page.keyboard.press('ArrowRight')
  await reach(grove, grove.artifacts.subagents, 'Tab')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(grove.session.back(BRANCHED)).toBeVisible()
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(grove.session.heading(BRANCHED)).toBeVisible()

  // Damage: to its numbers and bytes.
  await toRow(grove, library.title('broken-middle'))
  await page.keyboard.press('Enter')
  await page.keyboard.press('Alt+5')
  await reach(grove, grove.details.health.getByRole('button', { name: 'View raw' }), 'Tab')
  await page.keyboard.press('Enter')
  await expect(grove.details.rawBytes(9)).toBeVisible()
})

test('deleting, undoing, restoring and emptying, by keyboard alone', async ({ grove, library }) => {
  test.slow()
  const { page } = grove
  await toRow(grove, BRANCHED)
  await page.keyboard.press('Space')
  await page.keyboard.press('Delete')
  await expect(grove.toasts.region).toContainText('Moved 1 session to trash')
  await page.keyboard.press('Control+z')
  await expect(grove.toasts.region).toContainText('Undone, 1 session is back')
  expect(existsSync(library.journal('flaky-upload'))).toBe(true)

  await toPlace(grove, grove.sidebar.project('grove-api'))
  await toRow(grove, BRANCHED)
  await page.keyboard.press('Enter')
  await toRow(grove, 'Migrate the config loader')
  await page.keyboard.press('Space')
  await page.keyboard.press('Delete')
  await expect(grove.toasts.region).toContainText('Moved 1 session to trash')

  await toPlace(grove, grove.sidebar.place('Trash'))
  await expect(grove.trash.items).toHaveCount(1)
  await page.keyboard.press('F6')
  await reach(grove, grove.trash.restore('Migrate the config loader'), 'Tab')
  await page.keyboard.press('Enter')
  await expect(grove.trash.region).toContainText('The trash is empty')
  expect(existsSync(library.journal('config'))).toBe(true)

  await toPlace(grove, grove.sidebar.place('All sessions'))
  await toRow(grove, 'Migrate the config loader')
  await page.keyboard.press('Space')
  await page.keyboard.press('Delete')
  await expect(grove.list.row('Migrate the config loader')).toHaveCount(0)
  await toPlace(grove, grove.sidebar.place('Trash'))
  await page.keyboard.press('F6')
  await reach(grove, grove.trash.emptyButton, 'Tab')
  await page.keyboard.press('Enter')
  await reach(grove, grove.trash.confirmEmpty, 'Tab')
  await page.keyboard.press('Enter')
  await expect(grove.trash.region).toContainText('The trash is empty')
  expect(existsSync(library.journal('config'))).toBe(false)
})

test('re-rooting through the native dialog and undoing it, by keyboard alone', async ({ grove, library }) => {
  test.slow()
  const { page } = grove
  const to = library.at('home/code/elsewhere')
  mkdirSync(to)
  await grove.answerFolderDialog(to)
  await toPlace(grove, grove.sidebar.project('old-app'))
  await expect(grove.list.heading).toHaveText('old-app')
  const open = grove.list.region.getByRole('button', { name: 'Re-root…' })
  await reach(grove, open, 'Tab')
  await page.keyboard.press('Enter')
  await reach(grove, grove.reroot.chooseFolder, 'Tab')
  await page.keyboard.press('Enter')
  await expect(grove.reroot.candidate(to)).toBeChecked()
  await reach(grove, grove.reroot.confirm('3 sessions'), 'Tab')
  await page.keyboard.press('Enter')
  await expect(grove.reroot.dialog).toHaveAccessibleName('Re-rooted 3 sessions')
  const moved = path.join(library.sessionsDir, '-code-elsewhere', path.basename(library.journal('old-login')))
  expect(headerOf(moved).cwd).toBe(to)
  await page.keyboard.press('Enter')
  await expect(grove.reroot.dialog).toHaveCount(0)

  await toPlace(grove, grove.sidebar.place('Recent changes'))
  await page.keyboard.press('F6')
  await reach(grove, grove.changes.undo.first(), 'Tab')
  await page.keyboard.press('Enter')
  await expect(grove.changes.items.first()).toContainText('undone')
  expect(existsSync(library.journal('old-login'))).toBe(true)
})
