import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '../fixtures/test'
import { fileDifferences, takeSnapshot } from '../fixtures/tree-snapshot'

test.describe('with a home of its own', () => {
  test.use({ libraryKind: 'empty' })

  test('a root that cannot be read is said to be so, with the reason', async ({ launch, library }) => {
    mkdirSync(library.agentDir, { recursive: true })
    writeFileSync(library.sessionsDir, 'a file where the sessions should be')
    const grove = await launch()
    await expect(grove.sidebar.roots).toContainText('unreadable')
    await expect(grove.list.region).toContainText('No sessions yet')
    await grove.page.keyboard.press('Control+,')
    const settings = grove.page.getByRole('dialog', { name: 'Settings' })
    await expect(settings.getByText('unreadable', { exact: true })).toBeVisible()
    await expect(settings).toContainText('not a folder')
  })
})

test('a session whose file vanishes while it is open says so and stays readable', async ({
  grove,
  library,
}) => {
  const title = library.title('search')
  await grove.list.open(title)
  await expect(grove.transcript.rows.first()).toBeVisible()
  renameSync(library.journal('search'), library.at('vanished.jsonl'))
  await expect(grove.page.getByRole('main')).toContainText(
    'is gone from the disk. What was loaded stays readable.',
  )
  await expect(grove.transcript.rows.first()).toBeVisible()
  await expect(grove.list.row(title)).toHaveCount(0)
})

test('deleting a file that vanished meanwhile tells of it and changes nothing', async ({
  grove,
  library,
}) => {
  const title = library.title('search')
  await grove.list.open(title)
  await expect(grove.transcript.rows.first()).toBeVisible()
  rmSync(library.journal('search'))
  const before = takeSnapshot(library.agentDir)
  await grove.list.pressDelete()
  // Seen before the key is pressed, or by it.
  await expect(
    grove.toasts.region
      .getByText(/no longer|not there|gone|not in the library/)
      .or(grove.deleteDialog.dialog)
      .or(grove.page.getByRole('main').getByText('is gone from the disk'))
      .first(),
  ).toBeVisible()
  expect(fileDifferences(before, takeSnapshot(library.agentDir))).toEqual([])
})

test('a trash that cannot be made is told, and nothing is lost', async ({ grove, library }) => {
  // A file stands where the trash would be.
  writeFileSync(path.join(library.sessionsDir, 'grove-trash'), 'in the way')
  const before = takeSnapshot(library.agentDir)
  await grove.list.open(library.title('search'))
  await grove.list.pressDelete()
  await expect(grove.toasts.region).toContainText(/Not moved to trash: .*grove-trash is not a folder/)
  await expect(grove.list.row(library.title('search'))).toBeVisible()
  expect(fileDifferences(before, takeSnapshot(library.agentDir))).toEqual([])
})

test('a read-only directory refuses a change with the reason, and nothing is lost', async ({
  library,
  launch,
}) => {
  // Root may write anywhere, so only a mount makes a directory read-only for it.
  const directory = path.join(library.sessionsDir, '-code-notes-cli')
  const mounted =
    spawnSync('mount', ['--bind', directory, directory]).status === 0 &&
    spawnSync('mount', ['-o', 'remount,bind,ro', directory]).status === 0
  test.skip(!mounted, 'no right to mount here, and root may write any directory')
  try {
    const before = takeSnapshot(directory)
    const grove = await launch()
    await grove.waitUntilRead(library.sessionCount)
    await grove.list.open(library.title('search'))
    await grove.list.pressDelete()
    await expect(grove.toasts.region).toContainText(/read-only|may not|stays/)
    await expect(grove.list.row(library.title('search'))).toBeVisible()
    expect(fileDifferences(before, takeSnapshot(directory))).toEqual([])
  } finally {
    spawnSync('umount', [directory])
  }
})
