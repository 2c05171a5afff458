import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Library } from '../fixtures/sample-library'
import { expect, test } from '../fixtures/test'
import { fileDifferences, takeSnapshot } from '../fixtures/tree-snapshot'

const TITLE = 'Add retry to the client'
const PINS = 'session-pins.json'

function pins(library: Library): string {
  return readFileSync(path.join(library.agentDir, PINS), 'utf8')
}

/** The pins file as omp writes it. */
function written(ids: readonly string[]): string {
  return `[\n${ids.map(id => `\t"${id}"`).join(',\n')}\n]`
}

test('Ctrl+D stars a session as omp does, Ctrl+Z takes it back', async ({ grove, library }) => {
  const before = pins(library)
  const rest = takeSnapshot(library.agentDir, { except: [PINS] })
  const { stars } = library.manifest
  await expect(grove.sidebar.place('Starred')).toContainText(String(stars.length))
  await grove.list.open(TITLE)
  await grove.list.listbox.press('Control+d')
  await expect(grove.toasts.region).toContainText('Starred 1 session')
  await expect(grove.sidebar.place('Starred')).toContainText(String(stars.length + 1))
  await expect(grove.list.row(TITLE)).toHaveAccessibleName(/^starred /)
  expect(pins(library)).toBe(written([...stars, library.session('retry').id]))
  expect(fileDifferences(rest, takeSnapshot(library.agentDir, { except: [PINS] }))).toEqual([])

  await grove.page.keyboard.press('Control+z')
  await expect(grove.toasts.region).toContainText('Undone, the star of 1 session is as before')
  await expect(grove.sidebar.place('Starred')).toContainText(String(stars.length))
  expect(pins(library)).toBe(before)
})

test('a star is set in the row and in the head, and taken away from the menu', async ({ grove, library }) => {
  const { id } = library.session('retry')
  await grove.list.open(TITLE)
  await grove.list.row(TITLE).hover()
  await grove.list.row(TITLE).getByTitle('Star', { exact: true }).click()
  await expect(grove.toasts.region).toContainText('Starred 1 session')
  expect(pins(library)).toContain(id)
  await grove.page.getByRole('button', { name: 'Unstar', exact: true }).click()
  await expect(grove.toasts.region).toContainText('Unstarred 1 session')
  expect(pins(library)).not.toContain(id)
  await grove.session.menu('Star')
  await expect(grove.page.getByRole('button', { name: 'Unstar', exact: true })).toBeVisible()
  expect(pins(library)).toContain(id)
})
