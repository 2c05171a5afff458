import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { artifactDirectory, type Library } from '../fixtures/sample-library'
import { expect, test } from '../fixtures/test'
import {
  bytesBelow,
  fileDifferences,
  type TreeSnapshot,
  takeSnapshot,
  withoutPaths,
} from '../fixtures/tree-snapshot'
import type { Grove } from '../pages/grove'

const FIRST = 'Fix the flaky upload test'
const SECOND = 'Migrate the config loader'

/** Journal and artifact directory of a session, below the sessions directory. */
function unitOf(library: Library, key: string): string[] {
  const journal = path.relative(library.sessionsDir, library.journal(key))
  return [journal, artifactDirectory(journal)]
}

function bytesOf(snapshot: TreeSnapshot, paths: readonly string[]): number {
  return paths.reduce((sum, one) => sum + bytesBelow(snapshot, one), 0)
}

/** Something outside that a careless deletion would follow a link to. */
function linkOutside(library: Library, key: string): { folder: string; link: string } {
  const folder = library.at('home/keep')
  mkdirSync(path.join(folder, 'deep'), { recursive: true })
  writeFileSync(path.join(folder, 'deep/outside.txt'), 'Not part of any session.\n')
  const link = path.join(artifactDirectory(library.journal(key)), 'link-outside')
  symlinkSync(folder, link)
  return { folder, link }
}

async function showBoth(grove: Grove): Promise<void> {
  await grove.sidebar.project('grove-api').click()
  await expect(grove.list.row(FIRST)).toBeVisible()
}

test('two sessions with artifacts and nested subagents are deleted; one is undone, one restored', async ({
  grove,
  library,
}) => {
  test.slow()
  const before = takeSnapshot(library.sessionsDir)
  await showBoth(grove)
  for (const [key, title] of [
    ['flaky-upload', FIRST],
    ['config', SECOND],
  ] as const) {
    await grove.list.row(title).click()
    await grove.list.pressDelete()
    await expect(grove.toasts.region).toContainText('Moved 1 session to trash')
    await expect(grove.list.row(title)).toHaveCount(0)
    expect(existsSync(library.journal(key))).toBe(false)
    expect(existsSync(artifactDirectory(library.journal(key)))).toBe(false)
  }
  const gone = [...unitOf(library, 'flaky-upload'), ...unitOf(library, 'config')]
  const except = [...gone, 'grove-trash']
  expect(
    fileDifferences(withoutPaths(before, except), takeSnapshot(library.sessionsDir, { except })),
    'neighbours are untouched',
  ).toEqual([])

  await grove.sidebar.go('Recent changes')
  await expect(grove.changes.items).toHaveCount(2)
  // Newest first: the first session's deletion is the second.
  await grove.changes.items.nth(1).getByRole('button', { name: /^Undo/ }).click()
  await expect(grove.changes.items.nth(1)).toContainText('undone')

  await grove.sidebar.go('Trash')
  await expect(grove.trash.items).toHaveCount(1)
  await grove.trash.restore(SECOND).click()
  await expect(grove.trash.region).toContainText('The trash is empty')

  expect(
    fileDifferences(before, takeSnapshot(library.sessionsDir, { except: ['grove-trash'] })),
    'everything is back as it was, to the byte and time',
  ).toEqual([])
  await showBoth(grove)
  await grove.list.row(FIRST).click()
  await expect(grove.session.heading(FIRST)).toBeVisible()
})

test('emptying the trash frees exactly the listed bytes and follows no link', async ({ grove, library }) => {
  test.slow()
  const { folder } = linkOutside(library, 'flaky-upload')
  const outside = takeSnapshot(folder)
  const before = takeSnapshot(library.sessionsDir)
  const blobs = takeSnapshot(path.join(library.agentDir, 'blobs'))
  const gone = [...unitOf(library, 'flaky-upload'), ...unitOf(library, 'config')]
  const bytes = bytesOf(before, gone)

  await showBoth(grove)
  await grove.list.select([FIRST, SECOND])
  await expect(grove.list.selectionBar).toContainText('2 selected')
  await grove.list.selectionBar.getByRole('button', { name: 'Move to trash' }).click()
  await expect(grove.toasts.region).toContainText('Moved 2 sessions to trash')

  await grove.sidebar.go('Trash')
  await expect(grove.trash.items).toHaveCount(2)
  await expect(grove.trash.items.filter({ hasText: FIRST })).toContainText('subagents')
  await grove.trash.emptyButton.click()
  await expect(grove.trash.dialog).toContainText(`${bytes.toLocaleString('en')} bytes exactly.`)
  await grove.trash.confirmEmpty.click()
  await expect(grove.toasts.region).toContainText('Deleted 2 sessions for good')
  await expect(grove.trash.region).toContainText('The trash is empty')

  const after = takeSnapshot(library.sessionsDir)
  expect(bytesOf(before, ['.', ...topLevel(before)]) - bytesOf(after, ['.', ...topLevel(after)])).toBe(bytes)
  expect(
    fileDifferences(
      withoutPaths(before, gone),
      takeSnapshot(library.sessionsDir, { except: ['grove-trash'] }),
    ),
    'neighbours are untouched',
  ).toEqual([])
  expect(takeSnapshot(folder), 'what a link led to').toEqual(outside)
  expect(readFileSync(path.join(folder, 'deep/outside.txt'), 'utf8')).toContain('Not part of any session.')
  expect(takeSnapshot(path.join(library.agentDir, 'blobs')), 'shared pictures stay').toEqual(blobs)

  await grove.sidebar.go('Recent changes')
  await expect(grove.changes.items.first()).toContainText(/good|Emptied|Deleted/)
})

test('the toast takes a deletion back, with a click and with Ctrl+Z', async ({ grove, library }) => {
  const before = takeSnapshot(library.sessionsDir)
  await showBoth(grove)
  await grove.list.row(FIRST).click()
  await grove.list.pressDelete()
  await grove.toasts.undo.click()
  await expect(grove.toasts.region).toContainText('Undone, 1 session is back')
  await expect(grove.list.row(FIRST)).toBeVisible()
  await grove.list.row(SECOND).click()
  await grove.list.pressDelete()
  await expect(grove.list.row(SECOND)).toHaveCount(0)
  await grove.page.keyboard.press('Control+z')
  await expect(grove.list.row(SECOND)).toBeVisible()
  expect(fileDifferences(before, takeSnapshot(library.sessionsDir, { except: ['grove-trash'] }))).toEqual([])
})

test('Delete after a filter hid the session that was selected moves the row that is shown', async ({
  grove,
  library,
}) => {
  await showBoth(grove)
  await grove.list.row(FIRST).click()
  await grove.list.filterBy(SECOND)
  await expect(grove.list.row(FIRST)).toHaveCount(0)
  await grove.list.filter.press('ArrowDown')
  await expect(grove.list.row(SECOND)).toHaveAttribute('aria-selected', 'true')
  await grove.page.keyboard.press('Delete')
  await expect(grove.toasts.region).toContainText('Moved 1 session to trash')
  await expect(grove.list.row(SECOND)).toHaveCount(0)
  expect([existsSync(library.journal('flaky-upload')), existsSync(library.journal('config'))]).toEqual([
    true,
    false,
  ])
})

function topLevel(snapshot: TreeSnapshot): string[] {
  return [...snapshot.keys()].filter(name => name !== '.' && !name.includes('/'))
}
