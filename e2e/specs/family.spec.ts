import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { headerOf, setAge } from '../fixtures/journal'
import { expect, test } from '../fixtures/test'
import { takeSnapshot } from '../fixtures/tree-snapshot'
import type { Grove } from '../pages/grove'

const PARENT = 'Sketch of the response cache'
const FORK = 'Sketch of the response cache, with Redis'
const BRANCHED = 'Rename the blob directory'
const ORPHAN = 'Cache headers only'
const WITH_AGENTS = 'Fix the flaky upload test'

/** The parent's own row: its fork's title begins alike. */
async function openParent(grove: Grove): Promise<void> {
  await grove.list.filterBy(PARENT)
  await grove.list.rows.and(grove.page.getByRole('option', { name: new RegExp(`^${PARENT} `) })).click()
  await expect(grove.session.heading(PARENT)).toBeVisible()
}

test('a parent lists its fork and its branched file; each leads there, and back', async ({
  grove,
  library,
}) => {
  const before = takeSnapshot(library.agentDir)
  await grove.list.open(FORK)
  await expect(grove.session.origin(`Forked from ${PARENT}`)).toBeVisible()
  await grove.session.origin(`Forked from ${PARENT}`).click()
  await expect(grove.session.heading(PARENT)).toBeVisible()
  await grove.session.show('Details')
  await expect(grove.details.relatives).toHaveCount(2)
  await expect(grove.details.relative('Fork', FORK)).toBeVisible()
  await grove.details.relative('Branched', BRANCHED).click()
  await expect(grove.session.heading(BRANCHED)).toBeVisible()
  await expect(grove.session.back(PARENT)).toBeVisible()
  await grove.session.back(PARENT).click()
  await expect(grove.session.heading(PARENT)).toBeVisible()
  await grove.session.back(FORK).click()
  await expect(grove.session.heading(FORK)).toBeVisible()
  await expect(grove.session.origin(`Forked from ${PARENT}`)).toBeVisible()
  expect(takeSnapshot(library.agentDir)).toEqual(before)
})

test('siblings share their parent; rows say what they were made from', async ({ grove }) => {
  await grove.list.open(BRANCHED)
  await expect(grove.session.origin(`Branched from ${PARENT}`)).toBeVisible()
  await grove.session.show('Details')
  await expect(grove.details.relative('Parent', PARENT)).toBeVisible()
  await expect(grove.details.relative('Same parent', FORK)).toBeVisible()
  await grove.list.filterBy(FORK)
  await expect(grove.list.row(FORK).getByTitle(`Forked from ${PARENT}`)).toHaveText('fork')
  await grove.list.filterBy(BRANCHED)
  await expect(grove.list.row(BRANCHED).getByTitle(`Branched from ${PARENT}`)).toHaveText('branched')
})

test('a parent that is not there is said to be not found, and leads nowhere', async ({ grove, library }) => {
  await grove.list.open(ORPHAN)
  await grove.session.show('Details')
  const { parentSession } = headerOf(library.journal('fork-stale'))
  const line = grove.details.relatives.filter({ hasText: 'parent not found' })
  await expect(line).toContainText(parentSession ?? 'no parent in the header')
  await expect(line.getByRole('button')).toHaveCount(0)
  await grove.list.filterBy(ORPHAN)
  await expect(grove.list.row(ORPHAN).getByTitle(/not in the library/)).toHaveText('fork')
})

test('a child that is begun meanwhile appears in the family of its parent', async ({ grove, library }) => {
  await openParent(grove)
  await grove.session.show('Details')
  await expect(grove.details.relatives).toHaveCount(2)
  const parent = library.journal('cache')
  const { cwd } = headerOf(parent)
  const file = path.join(path.dirname(parent), '2026-11-30T10-00-00-000Z_child.jsonl')
  const header = { type: 'session', version: 3, id: 'child', timestamp: '2026-11-30T10:00:00.000Z', cwd }
  const said = { role: 'user', content: 'Begun from the cache' }
  const entry = {
    type: 'message',
    id: 'eeee0001',
    parentId: null,
    timestamp: header.timestamp,
    message: said,
  }
  writeFileSync(file, `${JSON.stringify({ ...header, parentSession: parent })}\n${JSON.stringify(entry)}\n`)
  setAge(file, 3600)
  await expect(grove.details.relative('Child', 'Begun from the cache')).toBeVisible()
  await grove.details.relative('Child', 'Begun from the cache').click()
  await expect(grove.session.origin(`Child of ${PARENT}`)).toHaveCount(0)
  await expect(grove.session.back(PARENT)).toBeVisible()
})

test('subagents belong to their session, nested ones to each other', async ({ grove, library }) => {
  const { subagents } = library.session('flaky-upload')
  const nested = subagents?.find(({ parent }) => parent !== null)
  if (!subagents || !nested) throw new Error('The samples have no nested subagent.')
  await grove.list.open(WITH_AGENTS)
  await grove.session.show('Details')
  for (const { agentId } of subagents.filter(agent => !('advisor' in agent && agent.advisor)))
    await expect(grove.details.relative('Subagent', agentId).first()).toBeVisible()
  await grove.details.relative('Subagent', nested.agentId).click()
  await expect(grove.session.back(WITH_AGENTS)).toBeVisible()
  await grove.session.show('Details')
  await expect(grove.details.relative('Belongs to', nested.parent ?? '')).toBeVisible()
  await expect(grove.details.relative('Belongs to', WITH_AGENTS)).toBeVisible()
  await grove.details.relative('Belongs to', nested.parent ?? '').click()
  await grove.session.show('Details')
  await expect(grove.details.relative('Subagent', nested.agentId)).toBeVisible()
})

test('the parent and the relatives are reached by keyboard, and Alt+Left leads back', async ({ grove }) => {
  const { page } = grove
  await page.keyboard.press('Control+f')
  await page.keyboard.type(FORK)
  await expect(grove.list.row(FORK)).toBeVisible()
  await expect(grove.list.rows).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(grove.session.heading(FORK)).toBeVisible()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(grove.session.heading(PARENT)).toBeVisible()
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(grove.session.heading(FORK)).toBeVisible()

  // From the menu of the row: the first relative has the keyboard.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menuitem', { name: 'Show relatives' })).toBeVisible()
  await page.keyboard.type('Show rel')
  await page.keyboard.press('Enter')
  await expect(grove.details.relative('Parent', PARENT)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(grove.session.heading(PARENT)).toBeVisible()
})

test('a session without a parent says so when it is asked for', async ({ grove }) => {
  await openParent(grove)
  await grove.chooseMenu('Go to parent session')
  await expect(grove.toasts.region).toContainText('This session came from no other.')
  await expect(grove.session.heading(PARENT)).toBeVisible()
})

test.describe('odd parents', () => {
  test.use({ libraryKind: 'odd' })

  test('by id, by path, through a link and by an earlier path the parent is found; a deleted one is not', async ({
    launch,
  }) => {
    test.slow()
    const grove = await launch()
    const parent = 'parent of the forks'
    await grove.sidebar.project('odd-tree').click()
    const ways = [
      ['fork by id', 'Forked from'],
      ['fork by path', 'Branched from'],
      ['fork by a path through a symlink', 'Branched from'],
      ['fork by a path before the parent moved', 'Branched from'],
    ] as const
    for (const [title, words] of ways) {
      await grove.list.row(title).click()
      await expect(grove.session.heading(title)).toBeVisible()
      await expect(grove.session.origin(`${words} ${parent}`)).toBeVisible()
    }
    for (const title of ['fork of a deleted parent', 'fork of a deleted file']) {
      await grove.list.row(title).click()
      await expect(grove.session.heading(title)).toBeVisible()
      await grove.session.show('Details')
      await expect(grove.details.relatives.filter({ hasText: 'parent not found' })).toHaveCount(1)
    }
    await grove.list.row(parent).click()
    await grove.session.show('Details')
    await expect(grove.details.relatives).toHaveCount(4)
    await expect(grove.details.relatives.filter({ hasText: /^Fork/ })).toHaveCount(1)
    await expect(grove.details.relatives.filter({ hasText: /^Branched/ })).toHaveCount(3)
  })
})
