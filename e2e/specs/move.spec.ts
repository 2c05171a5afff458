import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { entryLines, headerOf } from '../fixtures/journal'
import { artifactDirectory } from '../fixtures/sample-library'
import { expect, test } from '../fixtures/test'
import { fileDifferences, takeSnapshot } from '../fixtures/tree-snapshot'

const FIRST = 'Fix the flaky upload test'
const SECOND = 'Add retry to the client'

test('two sessions are moved to another project with all that belongs to them, and back', async ({
  grove,
  library,
  programs,
}) => {
  test.slow()
  const before = takeSnapshot(library.sessionsDir, { times: false })
  const holder = await programs.holder(library.journal('retry'))
  const entries = entryLines(library.journal('flaky-upload'))
  const { cwd, directory } = library.project('infra')
  await grove.sidebar.project('grove-api').click()
  await grove.list.select([FIRST, SECOND])
  await grove.list.row(FIRST).click({ button: 'right' })
  await grove.page.getByRole('menuitem', { name: 'Move 2 sessions…' }).click()
  await expect(grove.move.folder('Keep the folder')).toBeChecked()
  await expect(grove.move.dialog.getByRole('button', { name: 'Move', exact: true })).toBeDisabled()
  await grove.move.filter.fill('infra')
  await grove.move.folder('~/code/infra').check()
  await expect(grove.move.dialog).toContainText('1 session stays')
  await expect(grove.move.dialog).toContainText(`(process ${holder.pid})`)
  await grove.move.confirm('1 session').click()
  await expect(grove.move.dialog).toHaveAccessibleName('Moved 1 session')

  const moved = path.join(library.sessionsDir, directory, path.basename(library.journal('flaky-upload')))
  expect(headerOf(moved).cwd).toBe(cwd)
  expect(entryLines(moved)).toEqual(entries)
  expect(existsSync(artifactDirectory(moved))).toBe(true)
  expect(existsSync(library.journal('flaky-upload'))).toBe(false)
  expect(existsSync(library.journal('retry'))).toBe(true)

  await grove.move.undo.click()
  await expect(grove.toasts.region).toContainText('Undone, 1 session is back')
  expect(fileDifferences(before, takeSnapshot(library.sessionsDir, { times: false }))).toEqual([])
})

test('a session with pictures is moved to another agent directory, its pictures with it, and back', async ({
  launch,
  library,
}) => {
  test.slow()
  const profile = library.at('home/.omp/profiles/work/agent')
  mkdirSync(path.join(profile, 'sessions'), { recursive: true })
  const before = takeSnapshot(library.agentDir, { times: false })
  const original = readFileSync(library.journal('flaky-upload'))
  const grove = await launch()
  await grove.waitUntilRead(library.sessionCount)
  await grove.list.open(FIRST)
  await grove.session.menu('Move…')
  await grove.move.root('omp, work').check()
  await expect(grove.move.folder('Keep the folder')).toBeChecked()
  await grove.move.confirm('1 session').click()
  await expect(grove.move.dialog).toHaveAccessibleName('Moved 1 session')
  await grove.move.done.click()
  // The open session goes along.
  await expect(grove.session.heading(FIRST)).toBeVisible()
  await expect(grove.transcript.rows.last()).toBeVisible()

  const relative = path.relative(library.sessionsDir, library.journal('flaky-upload'))
  const moved = path.join(profile, 'sessions', relative)
  expect(existsSync(library.journal('flaky-upload'))).toBe(false)
  expect(headerOf(moved).cwd).toBe(library.session('flaky-upload').cwd)
  const hashes = [...new Set(original.toString('utf8').match(/(?<=blob:sha256:)[0-9a-f]{64}/g) ?? [])]
  const stored = hashes.filter(hash => existsSync(path.join(library.agentDir, 'blobs', hash)))
  expect(stored.length).toBeGreaterThan(0)
  for (const hash of stored) {
    const blob = readFileSync(path.join(profile, 'blobs', hash))
    expect(blob).toEqual(readFileSync(path.join(library.agentDir, 'blobs', hash)))
  }
  await grove.list.open(FIRST)
  await grove.transcript.prompt(/^The upload test fails one run in ten/).click()
  await expect(grove.transcript.feed.getByRole('img', { name: /^Attached, image\/png/ })).toBeInViewport()

  await grove.sidebar.go('Recent changes')
  await grove.changes.undo.first().click()
  await expect(grove.changes.items.first()).toContainText('undone')
  expect(readFileSync(library.journal('flaky-upload'))).toEqual(original)
  expect(existsSync(moved)).toBe(false)
  expect(fileDifferences(before, takeSnapshot(library.agentDir, { times: false }))).toEqual([])
})

test('a session is moved to a folder of one’s choice by keyboard alone', async ({ grove, library }) => {
  const to = library.at('home/code/elsewhere')
  mkdirSync(to)
  await grove.answerFolderDialog(to)
  await grove.list.open('A palette with one accent')
  await grove.session.menu('Move…')
  await expect(grove.move.folder('Keep the folder')).toBeFocused()
  for (
    let n = 0;
    n < 40 && !(await grove.move.chooseFolder.evaluate(one => one === document.activeElement));
    n++
  )
    await grove.page.keyboard.press('Tab')
  await grove.page.keyboard.press('Enter')
  await expect(grove.move.folder(to)).toBeChecked()
  const confirm = grove.move.confirm('1 session')
  await expect(confirm).toBeVisible()
  for (let n = 0; n < 40 && !(await confirm.evaluate(one => one === document.activeElement)); n++)
    await grove.page.keyboard.press('Tab')
  await grove.page.keyboard.press('Enter')
  await expect(grove.move.dialog).toHaveAccessibleName('Moved 1 session')
  const moved = path.join(library.sessionsDir, '-code-elsewhere', path.basename(library.journal('palette')))
  expect(headerOf(moved).cwd).toBe(to)
  await grove.page.keyboard.press('Enter')
  await expect(grove.move.dialog).toHaveCount(0)
})

test('where an omp runs that nothing ties to a session, a move there is asked about first, and so is its undo', async ({
  grove,
  library,
  programs,
}) => {
  test.slow()
  const before = takeSnapshot(library.sessionsDir, { times: false })
  const { cwd, directory } = library.project('infra')
  const omp = await programs.omp({ cwd })
  await grove.sidebar.project('grove-api').click()
  await grove.list.select([FIRST, SECOND])
  await grove.list.row(FIRST).click({ button: 'right' })
  await grove.page.getByRole('menuitem', { name: 'Move 2 sessions…' }).click()
  await grove.move.filter.fill('infra')
  await grove.move.folder('~/code/infra').check()
  await expect(grove.move.dialog).toContainText('2 sessions may be in use')
  await expect(grove.move.dialog).toContainText(`omp (process ${omp.pid}) runs in ${cwd}`)
  await expect(grove.move.dialog.getByRole('button', { name: 'Move', exact: true })).toBeDisabled()
  await grove.move.maybe.check()
  await grove.move.confirm('2 sessions').click()
  await expect(grove.move.dialog).toHaveAccessibleName('Moved 2 sessions')
  const keys = ['flaky-upload', 'retry']
  const there = () =>
    keys.map(key =>
      existsSync(path.join(library.sessionsDir, directory, path.basename(library.journal(key)))),
    )
  expect(there()).toEqual([true, true])

  const moved = takeSnapshot(library.agentDir)
  await grove.move.undo.click()
  await expect(grove.maybe.dialog).toHaveAccessibleName('These sessions may be in use')
  await expect(grove.maybe.dialog).toContainText(FIRST)
  await expect(grove.maybe.dialog).toContainText(SECOND)
  await expect(grove.maybe.dialog).toContainText(`process ${omp.pid}`)
  await grove.maybe.cancel.click()
  await expect(grove.maybe.dialog).toHaveCount(0)
  expect(takeSnapshot(library.agentDir)).toEqual(moved)

  await grove.sidebar.go('Recent changes')
  await grove.changes.undo.first().click()
  await expect(grove.maybe.confirm).toHaveText('Undo all the same')
  await grove.maybe.confirm.click()
  await expect(grove.toasts.region).toContainText('Undone, 2 sessions are back')
  expect(fileDifferences(before, takeSnapshot(library.sessionsDir, { times: false }))).toEqual([])
})
