import { existsSync } from 'node:fs'
import { expect, test } from '../fixtures/test'
import { takeSnapshot } from '../fixtures/tree-snapshot'

const TITLE = 'Add retry to the client'

test('a session that a process holds open is not deleted, and the process is named', async ({
  grove,
  library,
  programs,
}) => {
  const holder = await programs.holder(library.journal('retry'))
  const before = takeSnapshot(library.agentDir)
  await grove.list.open(TITLE)
  await grove.list.pressDelete()
  await expect(grove.deleteDialog.dialog).toHaveAccessibleName('Nothing can be deleted now')
  await expect(grove.deleteDialog.dialog).toContainText(`(process ${holder.pid}) has`)
  await grove.deleteDialog.close.click()
  expect(takeSnapshot(library.agentDir)).toEqual(before)

  await holder.stop()
  await grove.list.pressDelete()
  await expect(grove.toasts.region).toContainText('Moved 1 session to trash')
  expect(existsSync(library.journal('retry'))).toBe(false)
})

test('a silent omp keeps the session that its terminal’s breadcrumb names', async ({
  grove,
  library,
  programs,
}) => {
  const { cwd } = library.project('grove-api')
  programs.breadcrumb('tmux-%77', cwd, library.journal('retry'))
  const omp = await programs.omp({ cwd, tmuxPane: '%77' })
  const before = takeSnapshot(library.agentDir)
  await grove.list.open(TITLE)
  await grove.list.pressDelete()
  await expect(grove.deleteDialog.dialog).toHaveAccessibleName('Nothing can be deleted now')
  await expect(grove.deleteDialog.dialog).toContainText(`omp (process ${omp.pid})`)
  await expect(grove.deleteDialog.dialog).toContainText('tmux-%77')
  await grove.deleteDialog.close.click()
  expect(takeSnapshot(library.agentDir)).toEqual(before)
  // Of its neighbours the breadcrumb says nothing: they go at once.
  await grove.list.open('Profile the start')
  await grove.list.pressDelete()
  await expect(grove.toasts.region).toContainText('Moved 1 session to trash')
})

test('where an omp runs that nothing ties to a session, deleting asks first', async ({
  grove,
  library,
  programs,
}) => {
  const omp = await programs.omp({ cwd: library.project('grove-api').cwd })
  await grove.list.open(TITLE)
  await grove.list.pressDelete()
  await expect(grove.deleteDialog.dialog).toContainText('1 session may be in use')
  await expect(grove.deleteDialog.dialog).toContainText(`omp (process ${omp.pid})`)
  await expect(grove.deleteDialog.confirm('1 session')).toBeDisabled()
  await grove.deleteDialog.cancel.click()
  expect(existsSync(library.journal('retry'))).toBe(true)

  await grove.list.pressDelete()
  await grove.deleteDialog.maybe.check()
  await grove.deleteDialog.confirm('1 session').click()
  await expect(grove.toasts.region).toContainText('Moved 1 session to trash')
  expect(existsSync(library.journal('retry'))).toBe(false)
})
