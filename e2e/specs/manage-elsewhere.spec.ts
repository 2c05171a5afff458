import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { headerOf, setAge } from '../fixtures/journal'
import { expect, test } from '../fixtures/test'
import { fileDifferences, takeSnapshot } from '../fixtures/tree-snapshot'

const TITLE = 'Add retry to the client'

test('a session of a file from elsewhere is moved to the trash, and to another folder, and back each time', async ({
  launch,
  library,
}) => {
  test.slow()
  const downloads = library.at('home/Downloads')
  mkdirSync(downloads)
  const file = path.join(downloads, path.basename(library.journal('retry')))
  copyFileSync(library.journal('retry'), file)
  // What was just written counts as in use.
  setAge(file, 3600)
  const bytes = readFileSync(file)
  const trees = () =>
    [downloads, library.sessionsDir].map(one => takeSnapshot(one, { except: ['grove-trash'], times: false }))
  const before = trees()
  const isAsBefore = () => {
    const now = trees()
    for (const [at, tree] of before.entries()) expect(fileDifferences(tree, now[at] ?? new Map())).toEqual([])
  }
  const grove = await launch({ args: [file] })
  await expect(grove.session.heading(TITLE)).toBeVisible()
  await grove.waitUntilRead(library.sessionCount)

  await grove.session.menu('Move to trash')
  await expect(grove.toasts.region).toContainText('Moved 1 session to trash')
  expect(existsSync(file)).toBe(false)
  await grove.sidebar.go('Trash')
  await expect(grove.trash.items).toHaveCount(1)
  await grove.trash.restore(TITLE).click()
  await expect(grove.trash.region).toContainText('The trash is empty')
  isAsBefore()

  const { cwd } = library.project('infra')
  await grove.answerFolderDialog(file)
  await grove.page.keyboard.press('Control+Shift+O')
  await expect(grove.session.heading(TITLE)).toBeVisible()
  await grove.session.menu('Move…')
  await grove.move.folder('~/code/infra').check()
  await grove.move.confirm('1 session').click()
  await expect(grove.move.dialog).toHaveAccessibleName('Moved 1 session')
  // It was put there on purpose: its header names the folder, and the file stays.
  expect(headerOf(file).cwd).toBe(cwd)
  await grove.move.undo.click()
  await expect(grove.toasts.region).toContainText('Undone, 1 session is back')
  isAsBefore()
  expect(readFileSync(file).equals(bytes)).toBe(true)
})

test('a subagent says that it goes only with its session', async ({ grove, library }) => {
  const before = takeSnapshot(library.agentDir)
  await grove.list.open('Fix the flaky upload test')
  await grove.session.show('Details')
  const { subagents } = library.session('flaky-upload')
  const agent = subagents?.find(one => one.parent === null)
  if (!agent) throw new Error('The samples have no subagent.')
  await grove.details.relative('Subagent', agent.agentId).first().click()
  await expect(grove.session.back('Fix the flaky upload test')).toBeVisible()
  await grove.session.menu('Move to trash')
  await expect(grove.toasts.region).toContainText('belongs to another session')
  expect(takeSnapshot(library.agentDir)).toEqual(before)
})
