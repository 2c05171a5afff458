import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { artifactDirectory, type Library } from '../fixtures/sample-library'
import { expect, test } from '../fixtures/test'
import { snapshotDifferences, takeSnapshot } from '../fixtures/tree-snapshot'

/*
 * Sessions that omp archived: seen as such, read and found like any other, and never written.
 */

const TITLE = 'Fix the flaky upload test'
const KEY = 'flaky-upload'
/** Said in it, on a branch of its own. */
const SAID = 'Passes here with five tries'

test.describe.configure({ timeout: 5 * 60_000 })

/** As omp's `gc` does it: the journal packed, the artifacts as they are. Answers the archive's folder. */
function archive(library: Library, key: string): string {
  const journal = library.journal(key)
  const folder = path.join(library.agentDir, 'archive', 'sessions', path.basename(path.dirname(journal)))
  mkdirSync(folder, { recursive: true })
  const packed = path.join(folder, `${path.basename(journal)}.gz`)
  writeFileSync(packed, gzipSync(readFileSync(journal), { level: 9 }))
  rmSync(journal)
  renameSync(artifactDirectory(journal), artifactDirectory(path.join(folder, path.basename(journal))))
  return path.join(library.agentDir, 'archive')
}

test('an archived session is marked, read, and found, and looking writes nothing', async ({
  library,
  launch,
}) => {
  archive(library, KEY)
  const before = takeSnapshot(library.agentDir)
  const grove = await launch()
  await grove.waitUntilRead(library.sessionCount)
  await grove.sidebar.go('Archived')
  await expect(grove.list.heading).toHaveText('Archived')
  await expect(grove.list.rows).toHaveCount(1)
  await expect(grove.list.row(TITLE)).toContainText('archived')
  await grove.list.row(TITLE).click()
  await expect(grove.session.heading(TITLE)).toBeVisible()
  await expect(grove.session.status('archived')).toBeVisible()
  await expect(grove.transcript.rows.last()).toBeInViewport()
  await grove.session.show('Artifacts')
  await expect(grove.session.tab('Artifacts')).toHaveAttribute('aria-selected', 'true')
  await grove.session.show('Branches')
  await expect(grove.branches.tips.first()).toBeVisible()

  await grove.page.keyboard.press('Control+k')
  await grove.page.keyboard.type(SAID)
  await expect(grove.search.group(/^Messages/)).toContainText(SAID)
  await grove.search
    .option(/Agent in/)
    .first()
    .click()
  await expect(grove.session.heading(TITLE)).toBeVisible()
  await expect(grove.transcript.row(SAID)).toBeInViewport()

  await grove.page.keyboard.press('Control+Shift+F')
  await grove.searchPage.field.fill(SAID)
  await grove.searchPage.mode('Exact')
  await expect(grove.searchPage.option(TITLE).first()).toBeVisible()
  expect(snapshotDifferences(before, takeSnapshot(library.agentDir))).toEqual([])
})

test('what would change an archived session is refused and says why; a fork is a session of its own', async ({
  library,
  launch,
}) => {
  const folder = archive(library, KEY)
  const before = takeSnapshot(folder)
  const grove = await launch()
  await grove.waitUntilRead(library.sessionCount)
  await grove.sidebar.go('Archived')
  await grove.list.row(TITLE).click()
  await expect(grove.session.heading(TITLE)).toBeVisible()

  await grove.list.listbox.press('F2')
  await expect(grove.rename.field).toHaveCount(0)
  await grove.list.row(TITLE).click({ button: 'right' })
  for (const item of ['Rename', 'Copy resume command']) await expect(grove.menu.item(item)).toBeDisabled()
  await expect(grove.menu.item('Fork')).toBeEnabled()
  await grove.page.keyboard.press('Escape')
  await expect(grove.page.getByRole('button', { name: 'Resume' })).toBeDisabled()

  await grove.session.show('Draft')
  await expect(grove.page.getByText('archived by omp and only read').first()).toBeVisible()

  await grove.list.listbox.press('Delete')
  await expect(grove.page.getByText('archived sessions are only read').first()).toBeVisible()
  await grove.page.keyboard.press('Escape')
  expect(snapshotDifferences(before, takeSnapshot(folder))).toEqual([])

  await grove.page.getByRole('button', { name: 'Fork', exact: true }).click()
  await grove.fork.confirm.click()
  await expect(grove.fork.result).toBeVisible()
  await grove.fork.done.click()
  await grove.sidebar.go('All')
  await grove.list.filterBy(TITLE)
  await expect(grove.list.row(TITLE)).toHaveCount(2)
  expect(snapshotDifferences(before, takeSnapshot(folder))).toEqual([])
})
