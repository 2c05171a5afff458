import { Keyboard } from '../fixtures/keyboard'
import { expect, test } from '../fixtures/test'
import { takeSnapshot } from '../fixtures/tree-snapshot'
import type { Grove } from '../pages/grove'

/*
 * Going from session to session, opening files, and leaving dialogs and menus, without the mouse and without `focus()`.
 */

// Hundreds of keys, with a look at the focus after each.
test.describe.configure({ timeout: 5 * 60_000 })

const BRANCHED = 'Fix the flaky upload test'
const PLAIN = 'Add retry to the client'

/** To the row of the transcript at its end. */
async function toLastRow(grove: Grove, keys: Keyboard): Promise<void> {
  await expect(grove.transcript.rows.last()).toBeInViewport()
  await keys.reach(grove.transcript.feed, 'F6')
  await keys.press('End')
  await expect(grove.transcript.rows.last()).toBeFocused()
}

test('from a fork to its parent, to a child, to a subagent, and back and forward', async ({
  grove,
  library,
}) => {
  const keys = new Keyboard(grove)
  const parent = 'Sketch of the response cache'
  const fork = 'Sketch of the response cache, with Redis'
  const child = 'Rename the blob directory'
  const before = takeSnapshot(library.agentDir)
  await keys.open(fork)
  await keys.press('Alt+ArrowUp')
  await expect(grove.session.heading(parent)).toBeVisible()
  await keys.focusIsSeen('going to the parent')
  await keys.press('Alt+5')
  await keys.use(grove.details.relative('Branched', child))
  await expect(grove.session.heading(child)).toBeVisible()
  await keys.focusIsSeen('going to a child')
  await keys.press('Alt+ArrowLeft')
  await expect(grove.session.heading(parent)).toBeVisible()
  await keys.press('Alt+ArrowLeft')
  await expect(grove.session.heading(fork)).toBeVisible()
  await keys.press('Alt+ArrowRight')
  await expect(grove.session.heading(parent)).toBeVisible()

  await keys.open(BRANCHED)
  await keys.press('Alt+5')
  const { subagents } = library.session('flaky-upload')
  const agent = subagents?.find(one => one.parent === null)
  if (!agent) throw new Error('The samples have no subagent.')
  await keys.use(grove.details.relative('Subagent', agent.agentId).first())
  const back = grove.session.back(BRANCHED)
  await expect(back).toBeVisible()
  await keys.focusIsSeen('going to a subagent')
  await keys.use(back, 'Shift+Tab')
  await expect(grove.session.heading(BRANCHED)).toBeVisible()
  await keys.focusIsSeen('going back')
  await keys.toRow(child)
  await keys.choose('Show relatives')
  await expect(grove.details.relative('Parent', parent)).toBeFocused()
  expect(takeSnapshot(library.agentDir), 'looking writes nothing').toEqual(before)
})

test('the list has the keyboard at the start', async ({ grove }) => {
  const keys = new Keyboard(grove)
  await expect(grove.list.listbox).toBeFocused()
  await keys.press('ArrowDown')
  await expect(grove.list.rows.nth(1)).toHaveAttribute('aria-selected', 'true')
})

test('a session file is opened, and F6 goes round the window both ways', async ({ grove, library }) => {
  const keys = new Keyboard(grove)
  await grove.answerFolderDialog(library.journal('retry'))
  await keys.press('Control+f', 'Control+Shift+O')
  await expect(grove.session.heading(PLAIN)).toBeVisible()
  await keys.focusIsSeen('a file is opened')
  await keys.reach(grove.search.button, 'F6')
  await keys.press('F6')
  await expect(grove.sidebar.place('All sessions')).toBeFocused()
  await keys.press('F6')
  await expect(grove.list.listbox).toBeFocused()
  await keys.press('F6')
  await expect(grove.transcript.feed).toBeFocused()
  await keys.press('F6')
  await expect(grove.search.button).toBeFocused()
  await keys.press('Shift+F6')
  await expect(grove.transcript.feed).toBeFocused()
  await keys.press('Shift+F6')
  await expect(grove.list.listbox).toBeFocused()
})

test('each dialog and each menu gives the focus back with Esc', async ({ grove, library, programs }) => {
  const keys = new Keyboard(grove)
  const dialog = grove.page.getByRole('dialog')
  /** Opens something, leaves it with Esc, and is again where it was. */
  const andBack = async (place: Grove['list']['listbox'], open: () => Promise<void>, shown = dialog) => {
    await expect(place).toBeFocused()
    await open()
    await expect(shown).toBeVisible()
    await keys.focusIsSeen('it is open')
    await expect.poll(() => shown.evaluate(one => one.contains(document.activeElement))).toBe(true)
    await keys.press('Escape')
    await expect(shown).toHaveCount(0)
    await expect(place).toBeFocused()
  }
  const { listbox } = grove.list
  await programs.holder(library.journal('retry'))
  await programs.omp({ cwd: library.project('infra').cwd })
  await keys.toProjectRow('grove-api', PLAIN)
  for (const key of ['Control+,', '?']) await andBack(listbox, () => keys.press(key))
  await andBack(listbox, () => keys.press('Shift+F10'), grove.menu.menu)
  for (const item of ['Fork…', 'Move…', 'Re-root…', 'Move to trash'])
    await andBack(listbox, () => keys.choose(item))
  await keys.toProjectRow('infra', 'Rotate the certificates')
  await keys.press('F2')
  await keys.type('Another')
  await andBackFromMaybe(grove, keys)

  await keys.toPlace(grove.sidebar.place('All sessions'))
  await keys.open(BRANCHED)
  await toLastRow(grove, keys)
  const row = grove.transcript.rows.last()
  await andBack(row, () => keys.press('Shift+F10'), grove.menu.menu)
  await andBack(row, () => keys.press('Shift+L'))
  await andBack(row, () => keys.choose('Fork from here…'))
  await keys.press('Alt+2')
  await keys.reach(grove.branches.graph, 'F6')
  await andBack(grove.branches.graph, () => keys.press('Shift+F10'), grove.menu.menu)
  await keys.press('Alt+3')
  await keys.reach(grove.artifacts.files, 'Tab')
  await keys.press('End')
  await andBack(grove.artifacts.files, () => keys.press('Shift+F10'), grove.menu.menu)

  const project = grove.sidebar.project('grove-api')
  await keys.reach(grove.search.button, 'F6')
  await keys.press('F6', 'Home')
  await keys.reach(project, 'ArrowDown')
  await andBack(project, () => keys.press('Shift+F10'), grove.menu.menu)
  await andBack(project, () => keys.choose('Re-root project…'))

  await keys.toRow(BRANCHED)
  await keys.press('Delete')
  await expect(grove.toasts.region).toContainText('Moved 1 session to trash')
  await keys.toPlace(grove.sidebar.place('Trash'))
  await keys.press('F6')
  await keys.reach(grove.trash.emptyButton, 'Tab')
  await andBack(grove.trash.emptyButton, () => keys.press('Enter'))
  await keys.reach(grove.trash.items.first(), 'Tab')
  await andBack(grove.trash.items.first(), () => keys.press('Shift+F10'), grove.menu.menu)
  await keys.choose('Restore')
  await expect(grove.trash.region).toContainText('The trash is empty')
  await keys.focusIsSeen('the trash is empty')
})

/** The question about use, which the field of a title leads to. */
async function andBackFromMaybe(grove: Grove, keys: Keyboard): Promise<void> {
  await keys.press('Enter')
  await expect(grove.maybe.dialog).toBeVisible()
  await keys.focusIsSeen('the question is open')
  await keys.press('Escape')
  await expect(grove.maybe.dialog).toHaveCount(0)
  await expect(grove.list.listbox).toBeFocused()
}
