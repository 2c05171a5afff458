import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '../fixtures/test'
import { takeSnapshot } from '../fixtures/tree-snapshot'

test.use({ libraryKind: 'empty' })

test('the first start without any session says where Grove looked and what to do', async ({
  grove,
  library,
}) => {
  await expect(grove.list.region).toContainText('No sessions yet')
  await expect(grove.list.region).toContainText(library.agentDir)
  await expect(grove.list.region.getByRole('button', { name: 'Add a folder…' })).toBeVisible()
  await expect(grove.statusBar).toContainText('0 sessions in 0 projects')
  expect(
    readdirSync(library.home).filter(name => !/^\.(config|cache)$/.test(name)),
    'nothing of omp is made by looking',
  ).toEqual([])
})

test('a session that omp writes after the start appears by itself', async ({ grove, library }) => {
  await expect(grove.list.region).toContainText('No sessions yet')
  const directory = path.join(library.sessionsDir, '-code-first')
  mkdirSync(directory, { recursive: true })
  const id = '01a1f7c5-d560-721f-bc24-839b56680712'
  const header = {
    type: 'session',
    version: 3,
    id,
    timestamp: '2026-11-20T07:05:00.000Z',
    cwd: path.join(library.home, 'code/first'),
  }
  const prompt = {
    type: 'message',
    id: 'a1b2c3d4',
    parentId: null,
    timestamp: '2026-11-20T07:05:01.000Z',
    message: { role: 'user', content: [{ type: 'text', text: 'Write the first test' }] },
  }
  writeFileSync(
    path.join(directory, `2026-11-20T07-05-00-000Z_${id}.jsonl`),
    `${JSON.stringify(header)}\n${JSON.stringify(prompt)}\n`,
  )
  await expect(grove.list.row('Write the first test')).toBeVisible({ timeout: 45_000 })
  await expect(grove.sidebar.project('first')).toBeVisible()
})

test('a folder that is added in Settings is read, and leaves again', async ({ grove, library }) => {
  const added = library.at('elsewhere')
  mkdirSync(path.join(added, 'sessions'), { recursive: true })
  const before = takeSnapshot(added)
  await grove.answerFolderDialog(added)
  await grove.list.region.getByRole('button', { name: 'Add a folder…' }).click()
  await expect(grove.toasts.region).toContainText(`Added ${added}`)
  await expect(grove.list.region).toContainText(added)
  await grove.page.keyboard.press('Control+,')
  const settings = grove.page.getByRole('dialog', { name: 'Settings' })
  await expect(settings).toContainText(added)
  await settings.getByRole('button', { name: /^Remove .* from Grove$/ }).click()
  await expect(settings).not.toContainText(added)
  expect(takeSnapshot(added)).toEqual(before)
})
