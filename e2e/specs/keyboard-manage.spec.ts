import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { appended, entryLines, headerOf, linesOf } from '../fixtures/journal'
import { Keyboard } from '../fixtures/keyboard'
import { artifactDirectory, type Library } from '../fixtures/sample-library'
import { expect, test } from '../fixtures/test'
import { fileDifferences, takeSnapshot } from '../fixtures/tree-snapshot'
import type { Grove } from '../pages/grove'

/*
 * Everything that is done to sessions day by day, without the mouse and without `focus()`: `Keyboard` presses keys only,
 * and looks after each whether something on screen has the focus.
 */

// Hundreds of keys, with a look at the focus after each.
test.describe.configure({ timeout: 5 * 60_000 })

const BRANCHED = 'Fix the flaky upload test'
const PLAIN = 'Add retry to the client'

const clipboard = (grove: Grove) => grove.running.app.evaluate(({ clipboard }) => clipboard.readText())

const treeOf = (library: Library) =>
  takeSnapshot(library.sessionsDir, { except: ['grove-trash'], times: false })

const PINS = 'session-pins.json'

const pinsOf = (library: Library) => readFileSync(path.join(library.agentDir, PINS), 'utf8')

/** To the row of the transcript at its end. */
async function toLastRow(grove: Grove, keys: Keyboard): Promise<void> {
  await expect(grove.transcript.rows.last()).toBeInViewport()
  await keys.reach(grove.transcript.feed, 'F6')
  await keys.press('End')
  await expect(grove.transcript.rows.last()).toBeFocused()
}

test('a session is renamed in its row and in the head, starred, and its command copied', async ({
  grove,
  library,
}) => {
  const keys = new Keyboard(grove)
  const journal = library.journal('retry')
  const before = readFileSync(journal)
  await keys.toProjectRow('grove-api', PLAIN)
  await keys.press('F2')
  await expect(grove.rename.field).toBeFocused()
  await keys.type('Not this')
  await keys.press('Escape')
  await expect(grove.list.listbox).toBeFocused()
  expect(readFileSync(journal).equals(before)).toBe(true)

  await keys.press('F2')
  await keys.type('Retry, three times')
  await keys.press('Enter')
  await expect(grove.toasts.region).toContainText('Renamed to “Retry, three times”')
  await expect(grove.list.listbox).toBeFocused()
  expect(linesOf(journal)[0]).toMatchObject({ type: 'title', title: 'Retry, three times' })
  await keys.press('Control+z')
  await expect(grove.list.row(PLAIN)).toBeVisible()
  await expect.poll(() => readFileSync(journal).equals(before)).toBe(true)

  await keys.press('Enter')
  await expect(grove.session.heading(PLAIN)).toBeVisible()
  await expect(grove.transcript.feed).toBeFocused()
  await keys.press('F2')
  await expect(grove.rename.field).toBeFocused()
  await keys.press('Escape')
  await expect(grove.transcript.feed, 'where it came from').toBeFocused()
  await keys.press('F2')
  await keys.type('In the head')
  await keys.press('Enter')
  await expect(grove.session.heading('In the head')).toBeVisible()
  await expect(grove.transcript.feed).toBeFocused()
  await keys.press('Control+z')
  await expect(grove.session.heading(PLAIN)).toBeVisible()
  expect(readFileSync(journal).equals(before)).toBe(true)

  const pins = pinsOf(library)
  await keys.press('Control+d')
  await expect(grove.toasts.region).toContainText('Starred 1 session')
  expect(pinsOf(library)).toContain(library.session('retry').id)
  await keys.press('Control+z')
  await expect(grove.toasts.region).toContainText('Undone, the star of 1 session is as before')
  expect(pinsOf(library)).toBe(pins)
  await keys.press('Control+Shift+C')
  await expect.poll(() => clipboard(grove)).toContain('--resume')
})

test('an entry is labelled, its label cleared, and both taken back', async ({ grove, library }) => {
  const keys = new Keyboard(grove)
  const journal = library.journal('retry')
  const before = readFileSync(journal)
  await keys.open(PLAIN)
  await toLastRow(grove, keys)
  const row = grove.transcript.rows.last()
  await keys.press('Shift+L')
  await expect(grove.label.field).toBeFocused()
  await keys.press('Escape')
  await expect(row).toBeFocused()

  await keys.press('Shift+L')
  await keys.type('works from here')
  await keys.press('Enter')
  await expect(row).toContainText('works from here')
  await expect(row).toBeFocused()
  await keys.choose('Clear label')
  await expect(row).not.toContainText('works from here')
  await expect(row).toBeFocused()
  await keys.press('Control+z')
  await expect(row).toContainText('works from here')
  await keys.press('Control+z')
  await expect(row).not.toContainText('works from here')
  const { kept, lines } = appended(before, journal)
  expect(kept, 'history is never cut').toBe(true)
  expect(lines.map(({ type, label }) => [type, label ?? ''])).toEqual([
    ['label', 'works from here'],
    ['label', ''],
    ['label', 'works from here'],
    ['label', ''],
  ])

  // From the graph, with the buttons of the dialog.
  await keys.press('Alt+2')
  await keys.reach(grove.branches.graph, 'F6')
  await keys.press('End', 'Shift+L')
  await keys.type('the beginning')
  await keys.use(grove.label.set)
  await expect(grove.branches.current).toContainText('the beginning')
  await expect(grove.branches.graph).toBeFocused()
})

test('a session is forked from an entry, its command copied, and the fork taken back', async ({
  grove,
  library,
}) => {
  const keys = new Keyboard(grove)
  const folder = path.dirname(library.journal('flaky-upload'))
  const names = readdirSync(folder)
  const before = treeOf(library)
  await keys.open(BRANCHED)
  await toLastRow(grove, keys)
  await keys.press('Shift+K')
  await keys.choose('Fork from here…')
  await expect(grove.fork.artifacts).toBeVisible()
  await keys.press('Escape')
  await expect(grove.fork.question).toHaveCount(0)
  expect(treeOf(library)).toEqual(before)

  await keys.choose('Fork from here…')
  await keys.reach(grove.fork.artifacts, 'Tab')
  await keys.press('Space')
  await expect(grove.fork.artifacts).not.toBeChecked()
  await keys.press('Space')
  await expect(grove.fork.fact(/^entries$/)).toHaveText(/^\d+$/)
  const entries = Number(await grove.fork.fact(/^entries$/).textContent())
  await keys.use(grove.fork.confirm)
  await expect(grove.fork.done).toBeFocused()
  const [fork = '', ...more] = readdirSync(folder)
    .filter(name => name.endsWith('.jsonl') && !names.includes(name))
    .map(name => path.join(folder, name))
  expect(more).toEqual([])
  expect(entryLines(fork).filter(line => line !== '')).toHaveLength(entries)
  expect(existsSync(artifactDirectory(fork))).toBe(true)
  await keys.use(grove.fork.copy)
  await expect.poll(() => clipboard(grove)).toContain('--resume')
  await keys.use(grove.fork.done)
  await expect(grove.fork.result).toHaveCount(0)
  await keys.press('Control+z')
  await expect(grove.toasts.region).toContainText('Undone, the fork is in the trash')
  await keys.focusIsSeen('Undo of the open fork')
  expect(fileDifferences(before, treeOf(library))).toEqual([])
})

test('a branch is continued from the transcript and from the graph, and given back', async ({
  grove,
  library,
}) => {
  const keys = new Keyboard(grove)
  const journal = library.journal('flaky-upload')
  const before = readFileSync(journal)
  await keys.open(BRANCHED)
  await toLastRow(grove, keys)
  for (let n = 0; n < 3; n++) await keys.press('Shift+K')
  await keys.press('j')
  const previous = grove.transcript
    .row('Five tries would only hide it')
    .getByRole('button', { name: 'Previous continuation' })
  await keys.use(previous)
  const banner = grove.transcript.region.getByRole('button', { name: 'Continue this branch' })
  await keys.use(banner, 'Shift+Tab')
  await expect(grove.toasts.region).toContainText('omp resumes this branch now')
  await keys.focusIsSeen('the banner is gone')
  expect(appended(before, journal)).toMatchObject({ kept: true, lines: [{ type: 'branch_summary' }] })
  await keys.press('Control+z')
  await expect(grove.toasts.region).toContainText('Undone, omp resumes the branch that it did before')
  expect(readFileSync(journal).equals(before)).toBe(true)

  await keys.press('Alt+2')
  await keys.reach(grove.branches.graph, 'F6')
  await keys.press('/')
  await keys.type('Gave up: cannot')
  await keys.press('Enter')
  await expect(grove.branches.chosen).toContainText('Gave up: cannot reproduce it')
  await keys.reach(grove.branches.graph, 'Tab')
  await keys.choose('Continue this branch')
  const own = grove.branches.tips.filter({ hasText: 'omp resumes here' })
  // What was found is no tip: from it on there is a branch of its own now.
  await expect(own).toContainText('Continued from here')
  await expect(grove.branches.graph).toBeFocused()
  expect(appended(before, journal)).toMatchObject({ kept: true, lines: [{ type: 'branch_summary' }] })
  await keys.press('Control+z')
  await expect(own).not.toContainText('Continued from here')
  expect(readFileSync(journal).equals(before)).toBe(true)
})

test('drafts are written, discarded, brought back, listed, copied and opened', async ({ grove, library }) => {
  const keys = new Keyboard(grove)
  const file = path.join(artifactDirectory(library.journal('retry')), 'draft.txt')
  const onDisk = () => (existsSync(file) ? readFileSync(file, 'utf8') : null)
  await keys.open(PLAIN)
  await keys.press('Alt+4')
  await keys.use(grove.draft.write)
  await expect(grove.draft.text).toBeFocused()
  await keys.type('Please also retry uploads.')
  await expect.poll(onDisk).toBe('Please also retry uploads.')
  await keys.use(grove.draft.discard, 'Shift+Tab')
  await expect(grove.draft.write).toBeVisible()
  await keys.focusIsSeen('the draft is gone')
  expect(onDisk()).toBeNull()
  await keys.press('Control+z')
  await expect(grove.draft.text).toHaveValue('Please also retry uploads.')
  await keys.focusIsSeen('the draft is back')
  expect(onDisk()).toBe('Please also retry uploads.')

  await keys.toPlace(grove.sidebar.place('Drafts'))
  await keys.reach(grove.drafts.listbox, 'F6')
  await keys.toOption(grove.drafts.row(PLAIN))
  await keys.use(grove.drafts.act('Copy'), 'Shift+Tab')
  await expect(grove.toasts.region).toContainText('Draft copied')
  expect(await clipboard(grove)).toBe('Please also retry uploads.')
  await keys.reach(grove.drafts.listbox, 'Tab')
  await keys.press('Enter')
  await expect(grove.session.heading(PLAIN)).toBeVisible()
  await expect(grove.draft.text).toBeFocused()
  await keys.press('Alt+ArrowLeft')
  await keys.reach(grove.drafts.listbox, 'F6')
  await keys.toOption(grove.drafts.row(PLAIN))
  await keys.press('Delete')
  await expect(grove.drafts.row(PLAIN)).toHaveCount(0)
  await keys.focusIsSeen('a row of drafts is gone')
  expect(onDisk()).toBeNull()
  await keys.press('Control+z')
  await expect(grove.drafts.row(PLAIN)).toBeVisible()
  expect(onDisk()).toBe('Please also retry uploads.')
})

test('many are selected by ranges, one by one and all, starred, and moved to the trash, with Undo', async ({
  grove,
  library,
}) => {
  const keys = new Keyboard(grove)
  const before = treeOf(library)
  const pins = pinsOf(library)
  const total = library.manifest.sessions.filter(({ project }) => project === 'grove-api').length
  await keys.toPlace(grove.sidebar.project('grove-api'))
  await keys.press('F6', 'Home')
  await keys.press('Shift+ArrowDown', 'Shift+ArrowDown')
  await expect(grove.list.selectionBar).toContainText('3 selected')
  await keys.press('Control+ArrowDown', 'Control+ArrowDown', 'Control+Space')
  await expect(grove.list.selectionBar).toContainText('4 selected')
  await keys.press('Control+Space')
  await expect(grove.list.selectionBar).toContainText('3 selected')
  await keys.press('Escape')
  await expect(grove.list.selectionBar).toHaveCount(0)
  await expect(grove.list.listbox).toBeFocused()

  await keys.press('Control+a')
  await expect(grove.list.selectionBar).toContainText(`${total} selected`)
  await keys.choose(`Star ${total} sessions`)
  await expect(grove.toasts.region).toContainText(/^Starred \d+ sessions/)
  await expect(grove.list.listbox).toBeFocused()
  for (const { id } of library.manifest.sessions.filter(({ project }) => project === 'grove-api'))
    expect(pinsOf(library)).toContain(id)
  await keys.press('Control+z')
  await expect.poll(() => pinsOf(library)).toBe(pins)

  await keys.press('Escape', 'Home', 'Shift+ArrowDown')
  await expect(grove.list.selectionBar).toContainText('2 selected')
  await keys.press('Delete')
  await expect(grove.toasts.region).toContainText('Moved 2 sessions to trash')
  await expect(grove.list.rows.first()).toHaveAttribute('aria-setsize', String(total - 2))
  await keys.focusIsSeen('two rows are gone')
  await keys.press('Control+z')
  await expect(grove.toasts.region).toContainText('Undone, 2 sessions are back')
  expect(fileDifferences(before, treeOf(library))).toEqual([])
})

test('two are moved and re-rooted from the bar of the selection, and taken back from the report and the list', async ({
  grove,
  library,
}) => {
  const keys = new Keyboard(grove)
  const before = treeOf(library)
  const to = library.at('home/code/elsewhere')
  mkdirSync(to)
  await grove.answerFolderDialog(to)
  await keys.toPlace(grove.sidebar.project('grove-api'))
  await keys.press('F6', 'Home', 'Shift+ArrowDown')
  const bar = (name: string) => grove.list.selectionBar.getByRole('button', { name, exact: true })

  await keys.reach(bar('Move…'), 'Shift+Tab')
  await keys.press('Enter')
  await expect(grove.move.folder('Keep the folder')).toBeFocused()
  await keys.press('Escape')
  await expect(bar('Move…')).toBeFocused()
  await keys.press('Enter')
  await keys.use(grove.move.chooseFolder)
  await expect(grove.move.folder(to)).toBeChecked()
  await keys.use(grove.move.confirm('2 sessions'))
  await expect(grove.move.dialog).toHaveAccessibleName('Moved 2 sessions')
  const moved = readdirSync(path.join(library.sessionsDir, '-code-elsewhere')).filter(one =>
    one.endsWith('.jsonl'),
  )
  expect(moved).toHaveLength(2)
  for (const name of moved)
    expect(headerOf(path.join(library.sessionsDir, '-code-elsewhere', name)).cwd).toBe(to)
  await keys.use(grove.move.undo)
  await expect(grove.toasts.region).toContainText('Undone, 2 sessions are back')
  await expect(grove.move.dialog).toHaveCount(0)
  await keys.focusIsSeen('the move dialog is gone')
  expect(fileDifferences(before, treeOf(library))).toEqual([])

  await keys.toPlace(grove.sidebar.project('grove-api'))
  await keys.press('F6', 'Home', 'Shift+ArrowDown')
  await keys.use(bar('Re-root…'), 'Shift+Tab')
  await keys.use(grove.reroot.chooseFolder)
  await expect(grove.reroot.candidate(to)).toBeChecked()
  await keys.use(grove.reroot.confirm('2 sessions'))
  await expect(grove.reroot.dialog).toHaveAccessibleName('Re-rooted 2 sessions')
  await keys.use(grove.reroot.done)
  await expect(grove.reroot.dialog).toHaveCount(0)
  await keys.focusIsSeen('the re-root dialog is gone')

  await keys.toPlace(grove.sidebar.place('Recent changes'))
  await keys.press('F6')
  await keys.reach(grove.changes.items.first(), 'Tab')
  await keys.press('ArrowDown')
  await expect(grove.changes.items.nth(1)).toBeFocused()
  await keys.press('Home')
  await keys.choose('Undo')
  await expect(grove.changes.items.first()).toContainText('undone')
  await keys.focusIsSeen('a change is undone')
  expect(fileDifferences(before, treeOf(library))).toEqual([])
})

test('blocks, turns and the path are copied as Markdown', async ({ grove, library }) => {
  const keys = new Keyboard(grove)
  const before = takeSnapshot(library.agentDir)
  await keys.open(BRANCHED)
  await toLastRow(grove, keys)
  await keys.press('c')
  await expect(grove.toasts.region).toContainText('Block copied as text')
  await keys.press('Shift+C')
  await expect(grove.toasts.region).toContainText('Block copied as Markdown')
  const block = await clipboard(grove)
  await keys.choose('Copy turn as Markdown')
  await expect(grove.toasts.region).toContainText('Turn copied as Markdown')
  const turn = await clipboard(grove)
  expect(turn).toMatch(/^## You/)
  expect(turn).toContain(block.trim().split('\n')[0] ?? 'no line')
  await keys.press('Control+Shift+M')
  await expect(grove.toasts.region).toContainText('Transcript copied as Markdown')
  expect(await clipboard(grove)).toContain(turn.trimEnd())
  expect(takeSnapshot(library.agentDir), 'copying writes nothing').toEqual(before)
})
