import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { entryLines, headerOf } from '../fixtures/journal'
import { artifactDirectory, type Library } from '../fixtures/sample-library'
import { expect, test } from '../fixtures/test'
import { fileDifferences, takeSnapshot, withoutPaths } from '../fixtures/tree-snapshot'

const TITLE = 'Fix the flaky upload test'

/** Journals beside a session that were not there before. */
function newJournals(library: Library, key: string, before: readonly string[]): string[] {
  const folder = path.dirname(library.journal(key))
  return readdirSync(folder)
    .filter(name => name.endsWith('.jsonl') && !before.includes(name))
    .map(name => path.join(folder, name))
}

test('a session is forked with its artifacts; the fork opens, says how to resume, and is undone', async ({
  grove,
  library,
}) => {
  test.slow()
  const source = library.journal('flaky-upload')
  const folder = path.dirname(source)
  const names = readdirSync(folder)
  const before = takeSnapshot(library.sessionsDir)
  await grove.list.open(TITLE)
  await grove.page.getByRole('button', { name: 'Fork', exact: true }).click()
  await expect(grove.fork.fact(/^entries$/)).toHaveText(/^\d+$/)
  await expect(grove.fork.fact(/^artifact files$/)).not.toHaveText('0')
  await expect(grove.fork.artifacts).toBeChecked()
  await expect(grove.fork.artifacts).toHaveAccessibleName(/^Copy artifacts \(\d+ files, [\d.]+ [KM]B\)$/)
  await grove.fork.confirm.click()
  await expect(grove.fork.result).toContainText('Resume with:')
  await expect(grove.fork.result).toContainText(/omp .*--resume/)

  const [fork, ...more] = newJournals(library, 'flaky-upload', names)
  expect(more).toEqual([])
  if (fork === undefined) throw new Error('There is no new journal.')
  expect(headerOf(fork)).toMatchObject({
    parentSession: headerOf(source).id,
    cwd: headerOf(source).cwd,
  })
  expect(entryLines(fork)).toEqual(entryLines(source))
  expect(existsSync(artifactDirectory(fork))).toBe(true)
  const kept = [fork, artifactDirectory(fork)].map(one => path.relative(library.sessionsDir, one))
  const now = withoutPaths(takeSnapshot(library.sessionsDir), kept)
  expect(fileDifferences(before, now), 'the original and its neighbours').toEqual([])

  await grove.fork.copy.click()
  const copied = await grove.running.app.evaluate(({ clipboard }) => clipboard.readText())
  expect(copied).toContain('--resume')
  await grove.fork.done.click()
  await expect(grove.toasts.region).toContainText('Forked 1 session')
  await expect(grove.session.heading(TITLE)).toBeVisible()
  await grove.toasts.undo.last().click()
  await expect(grove.toasts.region).toContainText('Undone, the fork is in the trash')
  expect(newJournals(library, 'flaky-upload', names)).toEqual([])
  expect(
    fileDifferences(before, takeSnapshot(library.sessionsDir, { except: ['grove-trash'] })),
    'nothing of it is left',
  ).toEqual([])
})

test('from an entry, and without artifacts, the fork holds the path to it and says what it lacks', async ({
  grove,
  library,
}) => {
  test.slow()
  const names = readdirSync(path.dirname(library.journal('flaky-upload')))
  await grove.list.open(TITLE)
  await grove.transcript.prompt(/^The upload test still/).click({ button: 'right' })
  await grove.menu.choose('Fork from here…')
  await expect(grove.fork.question).toHaveAccessibleName('Fork from this entry')
  await expect(grove.fork.fact(/^entries$/)).toHaveText(/^\d+$/)
  const entries = Number(await grove.fork.fact(/^entries$/).textContent())
  expect(entries).toBeLessThan(library.session('flaky-upload').entryCount)
  await grove.fork.artifacts.uncheck()
  await expect(grove.fork.fact(/^artifact files$/)).toHaveText('0')
  await grove.fork.confirm.click()
  await grove.fork.undo.waitFor()
  const [fork = ''] = newJournals(library, 'flaky-upload', names)
  expect(entryLines(fork).filter(line => line !== '')).toHaveLength(entries)
  expect(readFileSync(library.journal('flaky-upload'), 'utf8')).toContain(
    entryLines(fork)[0] ?? 'no entry at all',
  )
  expect(existsSync(artifactDirectory(fork))).toBe(false)
  await grove.fork.undo.click()
  await expect(grove.toasts.region).toContainText('Undone, the fork is in the trash')
  expect(existsSync(fork)).toBe(false)
})
