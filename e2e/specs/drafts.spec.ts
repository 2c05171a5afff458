import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { resizeWindow } from '../fixtures/launch'
import { artifactDirectory, type Library } from '../fixtures/sample-library'
import { expect, test } from '../fixtures/test'
import { fileDifferences, takeSnapshot } from '../fixtures/tree-snapshot'
import type { Grove } from '../pages/grove'

const WITH_DRAFT = 'Names for the upload states'
const WITHOUT = 'Add retry to the client'

const draftFile = (library: Library, key: string) =>
  path.join(artifactDirectory(library.journal(key)), 'draft.txt')

const onDisk = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : null)

async function showDraft(grove: Grove, title: string): Promise<void> {
  await grove.list.open(title)
  await grove.session.show('Draft')
}

test('what is typed is saved by itself: after a pause, on leaving the tab, and before the window closes', async ({
  grove,
  library,
}) => {
  test.slow()
  const file = draftFile(library, 'retry')
  const journal = readFileSync(library.journal('retry'))
  await showDraft(grove, WITHOUT)
  await grove.draft.write.click()
  await expect(grove.draft.text).toBeFocused()
  await grove.page.keyboard.type('Please also\nretry uploads.')
  await expect(grove.draft.region).toContainText('saved today')
  expect(onDisk(file)).toBe('Please also\nretry uploads.')
  await expect(grove.draft.region).toContainText('2 lines26 characters')

  await grove.page.keyboard.type(' Ünï 😀')
  await grove.session.show('Transcript')
  await expect.poll(() => onDisk(file)).toBe('Please also\nretry uploads. Ünï 😀')
  await grove.list.open(WITH_DRAFT)
  await showDraft(grove, WITHOUT)
  await expect(grove.draft.text).toHaveValue('Please also\nretry uploads. Ünï 😀')

  await grove.draft.text.press('Control+End')
  await grove.page.keyboard.type(' Last words.')
  await grove.running.app.close()
  expect(onDisk(file)).toBe('Please also\nretry uploads. Ünï 😀 Last words.')
  expect(readFileSync(library.journal('retry')), 'the journal is as it was').toEqual(journal)
})

test('a draft is discarded and brought back, by the toast, and a round of editing in Recent changes', async ({
  grove,
  library,
}) => {
  test.slow()
  const file = draftFile(library, 'draft-long')
  const text = library.session('draft-long').draft?.text ?? ''
  const before = takeSnapshot(library.sessionsDir)
  await showDraft(grove, WITH_DRAFT)
  await expect(grove.draft.text).toHaveValue(text)
  await grove.draft.discard.click()
  await expect(grove.toasts.region).toContainText('Draft discarded')
  await expect(grove.draft.write).toBeVisible()
  expect(onDisk(file)).toBeNull()
  await grove.toasts.undo.click()
  await expect(grove.draft.text).toHaveValue(text)
  expect(onDisk(file)).toBe(text)

  await grove.draft.text.fill('Something else.')
  await expect(grove.draft.region).toContainText('saved today')
  await grove.draft.text.press('Control+End')
  await grove.page.keyboard.type(' And more.')
  await expect.poll(() => onDisk(file)).toBe('Something else. And more.')
  await grove.sidebar.go('Recent changes')
  await grove.changes.undo.first().click()
  await expect(grove.changes.items.first()).toContainText('undone')
  expect(onDisk(file), 'the whole round is taken back').toBe(text)
  const differences = fileDifferences(before, takeSnapshot(library.sessionsDir))
  expect(differences.filter(line => !line.includes('draft.txt'))).toEqual([])
})

test('a draft that was sent already is marked so', async ({ grove, library }) => {
  const sent = library.manifest.sessions.find(session => session.tags.includes('already-sent'))
  if (!sent?.firstPrompt) throw new Error('The samples have no draft that was sent.')
  await grove.list.filterBy(sent.firstPrompt.slice(0, 40))
  await grove.list.rows.first().click()
  await grove.session.show('Draft')
  await expect(grove.draft.region).toContainText('already sent')
  await grove.draft.text.press('End')
  await grove.page.keyboard.type(' Now!')
  await expect(grove.draft.region).toContainText('saved today')
  await expect(grove.draft.region).not.toContainText('already sent')
})

test('a draft that omp writes is followed while nothing is typed, and never overwritten when something is', async ({
  grove,
  library,
}) => {
  test.slow()
  const file = draftFile(library, 'draft-long')
  await showDraft(grove, WITH_DRAFT)
  await expect(grove.draft.text).not.toHaveValue('')
  writeFileSync(file, 'omp was here.')
  await expect(grove.draft.text).toHaveValue('omp was here.')

  // Written while keys are pressed: what is typed is not saved yet.
  const mine = 'This is what I want to say, and it takes me a while. '
  await grove.draft.text.press('Home')
  const typing = grove.page.keyboard.type(mine, { delay: 50 })
  await expect(grove.draft.text).toHaveValue(/^This is/)
  writeFileSync(file, 'omp was here again.')
  await typing
  await expect(grove.draft.alert).toContainText('omp changed the draft while you were typing')
  expect(onDisk(file)).toBe('omp was here again.')
  await grove.draft.act('Show theirs').click()
  await expect(grove.draft.region.getByRole('textbox')).toHaveValue('omp was here again.')
  // One pane at a time and back: the same question is being thought over.
  for (const width of [800, 1440]) {
    await resizeWindow(grove.running.app, width, 900)
    await expect(grove.draft.region.getByRole('textbox')).toHaveValue('omp was here again.')
  }
  await grove.draft.act('Show mine').click()
  await expect(grove.draft.text).toHaveValue(`${mine}omp was here.`)
  expect(onDisk(file)).toBe('omp was here again.')
  await grove.draft.act('Keep mine').click()
  await expect(grove.draft.alert).toHaveCount(0)
  await expect.poll(() => onDisk(file)).toBe(`${mine}omp was here.`)

  // And the other answer, which can be thought over.
  await grove.draft.text.press('Home')
  const again = grove.page.keyboard.type('Once more from the beginning. ', { delay: 50 })
  await expect(grove.draft.text).toHaveValue(/^Once/)
  rmSync(file)
  await again
  await expect(grove.draft.alert).toContainText('omp took the draft away')
  await grove.draft.act('Leave it away').click()
  await expect(grove.draft.text).toHaveValue('')
  expect(onDisk(file)).toBeNull()
  await grove.draft.act('Put it back').click()
  await expect.poll(() => onDisk(file)).toBe(`Once more from the beginning. ${mine}omp was here.`)
})

test('a draft of 5 MB is shown by its beginning and written by nothing that is done there; it is discarded and brought back whole', async ({
  launch,
  library,
}) => {
  test.slow()
  const file = draftFile(library, 'draft-long')
  const text = `First line.\n${'Ünï 😀 words of a long draft.\n'.repeat(150_000)}`
  writeFileSync(file, text)
  const grove = await launch()
  await grove.waitUntilRead(library.sessionCount)
  await showDraft(grove, WITH_DRAFT)
  const { beginning, region } = grove.draft
  await expect(beginning).toHaveValue(/^First line\./)
  await expect(grove.draft.text).toHaveCount(0)
  await expect(region).toContainText('5.1 MB long, too long to be edited here')
  await expect(region).toContainText('omp still takes all of it')
  await expect(region).toContainText('more characters not shown.')
  await beginning.click()
  await grove.page.keyboard.type('Not to be written.')
  await grove.page.keyboard.press('Control+a')
  await grove.page.keyboard.press('Delete')
  await expect(beginning).toHaveValue(/^First line\./)

  const clipboard = () => grove.running.app.evaluate(({ clipboard }) => clipboard.readText())
  await grove.draft.copy.click()
  await expect(grove.draft.copy).toHaveText('Copied')
  expect((await clipboard()) === text, 'all of it is copied').toBe(true)
  await grove.draft.act('Copy file path').click()
  await expect(grove.toasts.region).toContainText('File path copied')
  expect(await clipboard()).toBe(file)
  await grove.session.show('Transcript')
  await grove.session.show('Draft')
  await expect(beginning).toBeVisible()
  expect(onDisk(file) === text, 'looking wrote nothing').toBe(true)

  await grove.draft.discard.click()
  await expect(grove.draft.write).toBeVisible()
  expect(onDisk(file)).toBeNull()
  await grove.toasts.undo.click()
  await expect(beginning).toHaveValue(/^First line\./)
  expect(onDisk(file) === text, 'all of it came back').toBe(true)

  // Another program made it short: it can be edited again.
  writeFileSync(file, 'Short now.')
  await expect(grove.draft.text).toHaveValue('Short now.')
  await grove.draft.text.press('End')
  await grove.page.keyboard.type(' And mine.')
  await expect.poll(() => onDisk(file)).toBe('Short now. And mine.')
})

test('a draft that grows beyond what is opened to be edited is edited and saved on, until it is left', async ({
  grove,
  library,
}) => {
  test.slow()
  const file = draftFile(library, 'retry')
  const pasted = 'A line that was pasted.\n'.repeat(4_500)
  await showDraft(grove, WITHOUT)
  await grove.draft.write.click()
  await grove.running.app.evaluate(({ clipboard }, text) => clipboard.writeText(text), pasted)
  await grove.draft.text.press('Control+v')
  await expect(grove.draft.region).toContainText('longer than 100,000 characters')
  await grove.page.keyboard.type('Typed.')
  await expect.poll(() => onDisk(file) === `${pasted}Typed.`).toBe(true)
  await grove.page.keyboard.type(' Last words.')
  await grove.session.show('Transcript')
  await expect.poll(() => onDisk(file) === `${pasted}Typed. Last words.`).toBe(true)
  await grove.session.show('Draft')
  await expect(grove.draft.beginning).toHaveValue(/^A line that was pasted\./)
  await grove.page.keyboard.type('Nothing more.')
  await grove.session.show('Transcript')
  expect(onDisk(file) === `${pasted}Typed. Last words.`, 'all that was typed is there').toBe(true)
})

test('a draft that cannot be saved says why, keeps the text, and is saved when it is tried again', async ({
  grove,
  library,
}) => {
  const file = draftFile(library, 'locks')
  const directory = path.dirname(file)
  rmSync(directory, { recursive: true, force: true })
  writeFileSync(directory, 'in the way')
  await showDraft(grove, library.title('locks'))
  await grove.draft.write.click()
  await grove.page.keyboard.type('Keep this.')
  await expect(grove.draft.alert).toContainText('Not saved:')
  await grove.sidebar.go('Trash')
  await expect(grove.trash.region).toBeVisible()
  await grove.page.keyboard.press('Alt+ArrowLeft')
  await grove.session.show('Draft')
  await expect(grove.draft.text).toHaveValue('Keep this.')
  rmSync(directory)
  await grove.draft.act('Try again').click()
  await expect.poll(() => onDisk(file)).toBe('Keep this.')
  await expect(grove.draft.alert).toHaveCount(0)
})

test('of a session in use, and of one that is unreadable, the draft is not edited, and the reason is said', async ({
  launch,
  library,
  programs,
}) => {
  writeFileSync(draftFile(library, 'draft-long'), Buffer.from([0x61, 0xff, 0xfe, 0x62]))
  const holder = await programs.holder(library.journal('retry'))
  const grove = await launch()
  await grove.waitUntilRead(library.sessionCount)
  await showDraft(grove, WITH_DRAFT)
  await expect(grove.draft.alert).toContainText('UTF-8')
  await showDraft(grove, WITHOUT)
  await expect(grove.page.getByRole('tabpanel', { name: /^Draft/ })).toContainText(`process ${holder.pid}`)
  await expect(grove.draft.write).toHaveCount(0)
})

test('the drafts of all sessions are listed, filtered, opened, copied and discarded', async ({
  launch,
  library,
}) => {
  test.slow()
  const lost = path.join(library.sessionsDir, '-code-infra', '2026-01-05T10-00-00-000Z_0192-lost')
  mkdirSync(lost, { recursive: true })
  writeFileSync(path.join(lost, 'draft.txt'), 'Nobody sent this.\nNobody will.')
  const grove = await launch()
  await grove.waitUntilRead(library.sessionCount)
  const drafts = library.manifest.sessions.filter(session => session.draft !== null)
  await grove.sidebar.go('Drafts')
  await expect(grove.drafts.rows).toHaveCount(drafts.length + 1)
  await expect(grove.drafts.row(WITH_DRAFT)).toContainText('grove-api')
  await expect(grove.drafts.rows.filter({ hasText: 'already sent' })).toHaveCount(1)

  const orphan = grove.drafts.rows.filter({ hasText: 'its session is gone' })
  await expect(orphan).toContainText('Nobody sent this.')
  await orphan.click()
  await expect(grove.drafts.act('Open')).toBeDisabled()
  await expect(grove.drafts.act('Discard')).toBeDisabled()
  await grove.drafts.act('Copy').click()
  await expect(grove.toasts.region).toContainText('Draft copied')
  expect(await grove.running.app.evaluate(({ clipboard }) => clipboard.readText())).toBe(
    'Nobody sent this.\nNobody will.',
  )

  await grove.drafts.filter.fill('nobody sent')
  await expect(grove.drafts.rows).toHaveCount(1)
  await grove.drafts.filter.fill('nothing is written like this')
  await expect(grove.drafts.region).toContainText('No draft matches')
  await grove.drafts.filter.fill('')
  await grove.drafts.row(WITH_DRAFT).dblclick()
  await expect(grove.session.heading(WITH_DRAFT)).toBeVisible()
  await expect(grove.draft.text).toBeFocused()
  await grove.page.keyboard.press('Alt+ArrowLeft')
  await grove.drafts.menu(WITH_DRAFT, 'Discard')
  await expect(grove.toasts.region).toContainText('Draft discarded')
  await expect(grove.drafts.rows).toHaveCount(drafts.length)
  expect(onDisk(draftFile(library, 'draft-long'))).toBeNull()
})

test('drafts are walked through, opened, discarded and brought back by keyboard alone', async ({
  grove,
  library,
}) => {
  test.slow()
  const { page } = grove
  const drafts = library.manifest.sessions.filter(session => session.draft !== null)
  await grove.chooseMenu('Drafts')
  await expect(grove.drafts.rows).toHaveCount(drafts.length)
  await page.keyboard.press('F6')
  for (
    let n = 0;
    n < 3 && !(await grove.drafts.listbox.evaluate(list => list === document.activeElement));
    n++
  )
    await page.keyboard.press('F6')
  await expect(grove.drafts.listbox).toBeFocused()
  await page.keyboard.type('names')
  await expect(grove.drafts.region.getByRole('option', { selected: true })).toContainText(WITH_DRAFT)
  await page.keyboard.press('Enter')
  await expect(grove.draft.text).toBeFocused()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' By keyboard.')
  const text = `${library.session('draft-long').draft?.text ?? ''} By keyboard.`
  await expect.poll(() => onDisk(draftFile(library, 'draft-long'))).toBe(text)

  await page.keyboard.press('Alt+ArrowLeft')
  await expect(grove.drafts.rows).toHaveCount(drafts.length)
  await page.keyboard.press('F6')
  for (
    let n = 0;
    n < 3 && !(await grove.drafts.listbox.evaluate(list => list === document.activeElement));
    n++
  )
    await page.keyboard.press('F6')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await expect(grove.toasts.region).toContainText(`${drafts.length} drafts discarded`)
  await expect(grove.drafts.region).toContainText('No drafts')
  for (const { key } of drafts) expect(onDisk(draftFile(library, key))).toBeNull()
  for (const _ of drafts) {
    await page.keyboard.press('Control+z')
    await expect(grove.toasts.region).toContainText('the draft is as before')
  }
  await expect(grove.drafts.rows).toHaveCount(drafts.length)
  for (const { key } of drafts) expect(onDisk(draftFile(library, key))).not.toBeNull()
})
