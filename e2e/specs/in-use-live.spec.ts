import { existsSync } from 'node:fs'
import { setAge } from '../fixtures/journal'
import { expect, test } from '../fixtures/test'
import { takeSnapshot } from '../fixtures/tree-snapshot'

/** Ends with the agent's answer. */
const ANSWERED = 'Add retry to the client'

/** A prompt as omp appends it: it waits for its answer. */
function prompt(parentId: string): string {
  const message = { role: 'user', content: [{ type: 'text', text: 'One more question' }] }
  const entry = { type: 'message', id: 'dddd0001', parentId, timestamp: '2026-11-20T09:00:00.000Z', message }
  return `${JSON.stringify(entry)}\n`
}

test('a process that takes a session and lets it go is told in the row and the head, by name and number', async ({
  grove,
  library,
  programs,
}) => {
  await grove.list.open(ANSWERED)
  const row = grove.list.row(ANSWERED)
  await expect(row).toHaveAccessibleName(/ complete /)
  await expect(grove.session.status('complete')).toBeVisible()
  const before = takeSnapshot(library.agentDir)

  const holder = await programs.holder(library.journal('retry'))
  await expect(row).toHaveAccessibleName(/ waiting for you /)
  await expect(grove.session.status('waiting for you')).toBeVisible()
  const named = `(process ${holder.pid}) has`
  await expect(grove.session.use).toContainText(named)
  await expect(row.getByText('waiting for you')).toHaveAttribute('title', new RegExp(`process ${holder.pid}`))
  await grove.session.show('Details')
  await expect(grove.details.part('Identity')).toContainText(named)

  await holder.stop()
  await expect(row).toHaveAccessibleName(/ complete /)
  await expect(grove.session.status('complete')).toBeVisible()
  await expect(grove.session.use).toHaveCount(0)
  await expect(grove.details.part('Identity')).toContainText('No program is known to have it.')
  expect(takeSnapshot(library.agentDir)).toEqual(before)
})

test('a session whose last message waits is running; with the answer there it waits for its user', async ({
  grove,
  library,
  programs,
}) => {
  const journal = library.journal('retry')
  await programs.holder(journal)
  await grove.list.open(ANSWERED)
  const row = grove.list.row(ANSWERED)
  await expect(row).toHaveAccessibleName(/ waiting for you /)

  const { leafId } = library.session('retry')
  const appender = await programs.appender(journal)
  await appender.append(prompt(leafId))
  await expect(grove.session.status('running')).toBeVisible()
  await expect(row).toHaveAccessibleName(/ running /)

  const message = { role: 'assistant', content: [{ type: 'text', text: 'Here it is.' }], stopReason: 'stop' }
  const entry = {
    type: 'message',
    id: 'dddd0002',
    parentId: 'dddd0001',
    timestamp: '2026-11-20T09:01:00.000Z',
  }
  await appender.append(`${JSON.stringify({ ...entry, message })}\n`)
  await expect(grove.session.status('waiting for you')).toBeVisible()
  await expect(row).toHaveAccessibleName(/ waiting for you /)
})

test('an interrupted session that nobody has is interrupted, and running while somebody has it', async ({
  grove,
  library,
  programs,
}) => {
  const interrupted = library.manifest.sessions.find(({ tags }) => tags.includes('interrupted'))
  if (interrupted?.title == null) throw new Error('The samples have no interrupted session.')
  await grove.list.filterBy(interrupted.title)
  const row = grove.list.row(interrupted.title)
  await expect(row).toHaveAccessibleName(/ interrupted /)
  const holder = await programs.holder(library.at(interrupted.file))
  await expect(row).toHaveAccessibleName(/ running /)
  await holder.stop()
  await expect(row).toHaveAccessibleName(/ interrupted /)
})

test('a silent omp has the session that its terminal names; its neighbours are free', async ({
  grove,
  library,
  programs,
}) => {
  const { cwd } = library.project('grove-api')
  programs.breadcrumb('tmux-%81', cwd, library.journal('retry'))
  const omp = await programs.omp({ cwd, tmuxPane: '%81' })
  await grove.list.open(ANSWERED)
  await expect(grove.list.row(ANSWERED)).toHaveAccessibleName(/ waiting for you /)
  await expect(grove.session.use).toContainText(`omp (process ${omp.pid}) in terminal tmux-%81`)
  await grove.list.open('Profile the start')
  await expect(grove.session.heading('Profile the start')).toBeVisible()
  await expect(grove.session.use).toHaveCount(0)
  await expect(grove.list.row('Profile the start')).not.toHaveAccessibleName(/waiting|in use|running/)
})

test('where an omp runs that nothing ties to a session, its sessions may be in use', async ({
  grove,
  library,
  programs,
}) => {
  const omp = await programs.omp({ cwd: library.project('infra').cwd })
  await grove.sidebar.project('infra').click()
  const rows = grove.list.rows
  await expect(rows).toHaveCount(library.sessionsOf('infra').length)
  await expect(rows.filter({ hasText: 'maybe in use' })).toHaveCount(await rows.count())
  await grove.list.row('Rotate the certificates').click()
  await expect(grove.session.status('maybe in use')).toBeVisible()
  await expect(grove.session.use).toContainText(`omp (process ${omp.pid}) runs in`)
  await omp.stop()
  await expect(rows.filter({ hasText: 'maybe in use' })).toHaveCount(0)
})

test('a file that was just written to counts as in use for some seconds, and says so', async ({
  grove,
  library,
}) => {
  await grove.list.filterBy(ANSWERED)
  const row = grove.list.row(ANSWERED)
  await expect(row).toHaveAccessibleName(/ complete /)
  setAge(library.journal('retry'), 0)
  await expect(row).toHaveAccessibleName(/ waiting for you /)
  await expect(row.getByText('waiting for you')).toHaveAttribute(
    'title',
    /was written to within the last 10 s/,
  )
  setAge(library.journal('retry'), 3600)
  await expect(row).toHaveAccessibleName(/ complete /)
})

test('what is refused because of a process names it', async ({ grove, library, programs }) => {
  const holder = await programs.holder(library.journal('retry'))
  const before = takeSnapshot(library.agentDir)
  await grove.list.open(ANSWERED)
  await expect(grove.session.status('waiting for you')).toBeVisible()
  await grove.list.pressDelete()
  await expect(grove.deleteDialog.dialog).toContainText(`(process ${holder.pid}) has`)
  await grove.deleteDialog.close.click()
  expect(takeSnapshot(library.agentDir)).toEqual(before)
  expect(existsSync(library.journal('retry'))).toBe(true)
})
