import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { headerOf } from '../fixtures/journal'
import type { Library } from '../fixtures/sample-library'
import { expect, test } from '../fixtures/test'
import { takeSnapshot } from '../fixtures/tree-snapshot'

const TITLE = 'Add retry to the client'

/** A session of the samples, alone in a folder that no root holds. */
function elsewhere(library: Library, key: string): string {
  const folder = library.at('home/Downloads')
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'shared.jsonl')
  copyFileSync(library.journal(key), file)
  return file
}

test('a file of the library given as an argument is opened and selected in its list', async ({
  launch,
  library,
}) => {
  const grove = await launch({ args: [library.journal('retry')] })
  await expect(grove.session.heading(TITLE)).toBeVisible()
  await grove.waitUntilRead(library.sessionCount)
  await expect(grove.list.row(TITLE)).toHaveAttribute('aria-selected', 'true')
  await expect(grove.transcript.rows.first()).toBeVisible()
  await expect(grove.session.status('not in the library')).toHaveCount(0)
})

test('a file from anywhere else opens with everything that can be read, and is not in the list', async ({
  launch,
  library,
}) => {
  const file = elsewhere(library, 'retry')
  const folders = [library.agentDir, path.dirname(file)]
  const before = folders.map(folder => takeSnapshot(folder))
  const grove = await launch({ args: [file] })
  await grove.waitUntilRead(library.sessionCount)
  await expect(grove.session.heading(TITLE)).toBeVisible()
  await expect(grove.transcript.rows.first()).toBeVisible()
  const badge = grove.session.status('not in the library')
  await expect(badge).toHaveAttribute('title', `Opened from ${path.dirname(file)}`)
  await grove.session.show('Details')
  await expect(grove.details.part('Identity')).toContainText(file)
  await expect(grove.details.part('Identity')).toContainText('not in the library')
  await grove.session.show('Branches')
  await expect(grove.branches.rows.first()).toBeVisible()
  await expect(grove.sidebar.place('All sessions')).toContainText(String(library.sessionCount))
  expect(folders.map(folder => takeSnapshot(folder))).toEqual(before)
})

test('a file below another agent directory has the pictures beside it', async ({ grove, library }) => {
  const title = 'A palette with one accent'
  const found = library.manifest.sessions.find(session => session.title === title)
  if (!found) throw new Error(`The samples have no session ${title}.`)
  const agent = library.at('home/backup/agent')
  const file = path.join(agent, 'sessions', '-x', path.basename(found.file))
  mkdirSync(path.dirname(file), { recursive: true })
  copyFileSync(library.at(found.file), file)
  cpSync(path.join(library.agentDir, 'blobs'), path.join(agent, 'blobs'), { recursive: true })
  // Only those beside the copy are left.
  renameSync(path.join(library.agentDir, 'blobs'), path.join(library.agentDir, 'blobs-away'))
  await grove.answerFolderDialog(file)
  await grove.page.keyboard.press('Control+Shift+O')
  await expect(grove.session.heading(title)).toBeVisible()
  await grove.session.show('Artifacts')
  await grove.artifacts.part('Pictures')
  const picture = grove.artifacts.pictures.getByRole('button', { name: /^Picture, image\/png/ }).first()
  await expect(picture).toBeVisible()
  const width = () => picture.evaluate(button => button.querySelector('img')?.naturalWidth ?? 0)
  await expect.poll(width).toBeGreaterThan(0)
})

test('a second start hands its file to the window that is open', async ({ grove, library }) => {
  const { argv0, args } = await grove.running.app.evaluate(({ app }) => ({
    argv0: process.execPath,
    args: [app.getAppPath(), `--user-data-dir=${app.getPath('userData')}`],
  }))
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const second = spawn(argv0, [...sandbox, ...args, library.journal('retry')], {
    stdio: 'ignore',
    env: { ...process.env, HOME: library.home, GROVE_DATA_DIR: library.dataDir },
  })
  await once(second, 'exit')
  await expect(grove.session.heading(TITLE)).toBeVisible()
  await expect(grove.list.row(TITLE)).toHaveAttribute('aria-selected', 'true')
})

test('the dialog opens a file; cancelled, it changes nothing', async ({ grove, library }) => {
  await grove.answerFolderDialog(null)
  await grove.chooseMenu('Open a session file…')
  await grove.answerFolderDialog(library.journal('retry'))
  await grove.chooseMenu('Open a session file…')
  await expect(grove.session.heading(TITLE)).toBeVisible()
  await expect(grove.list.row(TITLE)).toHaveAttribute('aria-selected', 'true')
})

test('a file dropped on the window is opened; what can be dropped is said meanwhile', async ({
  grove,
  library,
}) => {
  const file = elsewhere(library, 'retry')
  const drop = await grove.dragFile(file)
  await drop.over(grove.list.region)
  await expect(grove.page.getByText(/^Drop a session file to open it/)).toBeVisible()
  await drop.release(grove.list.region)
  await expect(grove.page.getByText(/^Drop a session file to open it/)).toHaveCount(0)
  await expect(grove.session.heading(TITLE)).toBeVisible()
})

test('a link to a session of the library is that session', async ({ grove, library }) => {
  const link = library.at('home/link.jsonl')
  symlinkSync(library.journal('retry'), link)
  await grove.answerFolderDialog(link)
  await grove.page.keyboard.press('Control+Shift+O')
  await expect(grove.session.heading(TITLE)).toBeVisible()
  await expect(grove.list.row(TITLE)).toHaveAttribute('aria-selected', 'true')
})

test('what is no session is told with the reason, and nothing happens', async ({ grove, library }) => {
  const folder = library.at('home/odd')
  mkdirSync(path.join(folder, 'folder.jsonl'), { recursive: true })
  const at = (name: string) => path.join(folder, name)
  writeFileSync(at('notes.txt'), 'hello')
  writeFileSync(at('log.jsonl'), '{"level":"info"}\n')
  writeFileSync(at('empty.jsonl'), '')
  const odd = [
    [at('missing.jsonl'), /missing\.jsonl.*ENOENT/],
    [at('folder.jsonl'), /folder\.jsonl is a folder/],
    [at('notes.txt'), /ends in \.jsonl/],
    [at('log.jsonl'), /log\.jsonl is no session/],
    [at('empty.jsonl'), /empty\.jsonl is no session/],
  ] as const
  const before = takeSnapshot(library.home)
  for (const [file, reason] of odd) {
    await grove.answerFolderDialog(file)
    await grove.page.keyboard.press('Control+Shift+O')
    await expect(grove.toasts.region.getByText(reason)).toBeVisible()
    await expect(grove.page.getByText('Choose a session')).toBeVisible()
  }
  expect(takeSnapshot(library.home)).toEqual(before)
})

test('an argument that cannot be opened is told when the window is there', async ({ launch, library }) => {
  const grove = await launch({ args: [library.at('home/gone.jsonl')] })
  await expect(grove.toasts.region.getByText(/gone\.jsonl.*ENOENT/)).toBeVisible()
  await grove.waitUntilRead(library.sessionCount)
})

test('of several files that cannot be opened, each message begins with the name of its file', async ({
  launch,
  library,
}) => {
  const names = ['one.jsonl', 'two.jsonl']
  const grove = await launch({ args: names.map(name => library.at(`home/very/deep/folder/${name}`)) })
  for (const name of names) {
    await expect(grove.toasts.region.getByText(name, { exact: true })).toBeVisible()
  }
})

test('a file that may not be read says so', async ({ grove, library }) => {
  test.skip(process.getuid?.() === 0, 'root may read any file')
  const file = elsewhere(library, 'retry')
  chmodSync(file, 0)
  await grove.answerFolderDialog(file)
  await grove.page.keyboard.press('Control+Shift+O')
  await expect(grove.toasts.region.getByText(/EACCES/)).toBeVisible()
})

test('a folder dropped on a missing project fills the dialog, and nothing moves before it is confirmed', async ({
  grove,
  library,
}) => {
  const to = library.at('home/code/elsewhere')
  mkdirSync(to)
  const before = takeSnapshot(library.agentDir)
  const drop = await grove.dragFile(to)
  const project = grove.sidebar.project('old-app')
  await drop.over(project)
  await expect(grove.page.getByText('Drop the folder that old-app is in now')).toBeVisible()
  await drop.release(project)
  await expect(grove.reroot.candidate(to)).toBeChecked()
  await expect(grove.reroot.confirm('3 sessions')).toBeVisible()
  expect(takeSnapshot(library.agentDir)).toEqual(before)
  await grove.reroot.confirm('3 sessions').click()
  await expect(grove.reroot.dialog).toHaveAccessibleName('Re-rooted 3 sessions')
  const moved = path.join(library.sessionsDir, '-code-elsewhere', path.basename(library.journal('old-login')))
  expect(headerOf(moved).cwd).toBe(to)
})

test('a folder dropped anywhere else says what can be done with it', async ({ grove, library }) => {
  const to = library.at('home/code/elsewhere')
  mkdirSync(to)
  const before = takeSnapshot(library.agentDir)
  for (const target of [grove.list.region, grove.sidebar.project('grove-api')]) {
    const drop = await grove.dragFile(to)
    await drop.over(target)
    await drop.release(target)
    await expect(
      grove.toasts.region.getByText(/is a folder.*drop the folder on a project/).first(),
    ).toBeVisible()
    await expect(grove.reroot.dialog).toHaveCount(0)
  }
  expect(takeSnapshot(library.agentDir)).toEqual(before)
})
