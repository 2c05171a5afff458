import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '../fixtures/test'
import { fileDifferences, takeSnapshot } from '../fixtures/tree-snapshot'

test('all sessions of a project are starred, unstarred and moved to the trash, with exact counts', async ({
  grove,
  library,
}) => {
  test.slow()
  const { page } = grove
  const sessions = library.manifest.sessions.filter(({ project }) => project === 'grove-api')
  const pins = path.join(library.agentDir, 'session-pins.json')
  const before = readFileSync(pins, 'utf8')
  const tree = takeSnapshot(library.sessionsDir)
  await grove.sidebar.project('grove-api').click()
  await expect(grove.list.rows.first()).toBeVisible()
  await grove.list.listbox.press('Control+a')
  await expect(grove.list.selectionBar).toContainText(`${sessions.length} selected`)
  const bar = (name: string) => grove.list.selectionBar.getByRole('button', { name, exact: true })
  for (const name of ['Star', 'Move…', 'Re-root…', 'Move to trash']) await expect(bar(name)).toBeVisible()

  await bar('Star').click()
  const fresh = sessions.filter(({ id }) => !library.manifest.stars.includes(id)).length
  await expect(grove.toasts.region).toContainText(/^Starred \d+ sessions/)
  // omp's own list of names, each once.
  const ids = JSON.parse(readFileSync(pins, 'utf8')) as string[]
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toHaveLength(library.manifest.stars.length + fresh)
  await expect(bar('Unstar')).toBeVisible()
  await grove.toasts.undo.click()
  await expect(bar('Star')).toBeVisible()
  expect(readFileSync(pins, 'utf8')).toBe(before)

  // Another order: what is selected stays selected.
  await expect(grove.list.selectionBar).toContainText(`${sessions.length} selected`)
  await grove.list.listbox.press('Escape')
  await expect(grove.list.selectionBar).toHaveCount(0)

  await grove.list.select(['Add retry to the client', 'Explain the lock file protocol'])
  await expect(grove.list.selectionBar).toContainText('2 selected')
  await bar('Move to trash').click()
  await expect(grove.toasts.region).toContainText('Moved 2 sessions to trash')
  await page.keyboard.press('Control+z')
  await expect(grove.toasts.region).toContainText('Undone, 2 sessions are back')
  expect(fileDifferences(tree, takeSnapshot(library.sessionsDir, { except: ['grove-trash'] }))).toEqual([])
})

/** Sessions more than are fetched at once. */
const MANY = 260

test('Ctrl+A takes rows that were not loaded yet, and what is done is done to all', async ({
  launch,
  library,
}) => {
  test.slow()
  const { id } = library.session('search')
  const original = readFileSync(library.journal('search'), 'utf8')
  const folder = path.dirname(library.journal('search'))
  const ids = Array.from({ length: MANY }, (_, n) => `01a1f000-0000-7000-8000-${String(n).padStart(12, '0')}`)
  for (const copy of ids) {
    const name = path.basename(library.journal('search')).replace(id, copy)
    writeFileSync(path.join(folder, name), original.replaceAll(id, copy))
  }
  const grove = await launch()
  const total = library.sessionCount + MANY
  await grove.waitUntilRead(total)
  await grove.list.listbox.press('Control+a')
  await expect(grove.list.selectionBar).toContainText(`${total} selected`)
  await grove.list.listbox.press('Escape')
  await expect(grove.list.selectionBar).toHaveCount(0)

  await grove.sidebar.project('notes-cli').click()
  await grove.list.filterBy('Search without an index')
  await grove.list.listbox.press('Control+a')
  await expect(grove.list.selectionBar).toContainText(`${MANY + 1} selected`)
  await grove.list.selectionBar.getByRole('button', { name: 'Star', exact: true }).click()
  await expect(grove.toasts.region).toContainText(`Starred ${MANY + 1} sessions`)
  // omp's own list of names.
  const pins = JSON.parse(readFileSync(path.join(library.agentDir, 'session-pins.json'), 'utf8')) as string[]
  expect(new Set(pins)).toEqual(new Set([...library.manifest.stars, id, ...ids]))
  await expect(grove.list.selectionBar).toContainText(`${MANY + 1} selected`)
  await grove.toasts.undo.click()
  await expect(grove.toasts.region).toContainText(`Undone, the stars of ${MANY + 1} sessions are as before`)
  expect(JSON.parse(readFileSync(path.join(library.agentDir, 'session-pins.json'), 'utf8'))).toEqual(
    library.manifest.stars,
  )
})
