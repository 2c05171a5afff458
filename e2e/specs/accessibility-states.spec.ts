import { copyFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Locator } from 'playwright'
import { problemsInBothThemes } from '../fixtures/accessibility'
import { artifactDirectory } from '../fixtures/sample-library'
import { expect, test } from '../fixtures/test'
import { OddSession } from '../pages/odd-session'

/* States that come and go, beside the screens and dialogs of `accessibility.spec.ts`. */

// axe looks at every element, in each state twice: minutes on a busy machine.
test.describe.configure({ timeout: 10 * 60_000 })

const BRANCHED = 'Fix the flaky upload test'
const PLAIN = 'Add retry to the client'

test('axe finds nothing in unfolded rows, other branches and every way to look at the graph', async ({
  grove,
}) => {
  const found: string[] = []
  const { page } = grove
  const look = async (name: string) => found.push(...(await problemsInBothThemes(grove, name)))
  await grove.list.open(BRANCHED)
  await grove.list.clearFilter()
  await expect(grove.transcript.rows.last()).toBeInViewport()
  await grove.transcript.feed.focus()
  await page.keyboard.press('Control+t')
  await page.keyboard.press('Control+o')
  await look('everything unfolded')
  await grove.transcript.prompt(/^The upload test fails one run in ten/).click()
  await expect(grove.transcript.feed.getByRole('img', { name: /^Attached/ })).toBeVisible()
  await look('a prompt with a picture')
  await page.keyboard.press('Control+t')
  await page.keyboard.press('Control+o')
  await grove.transcript.prompt(/^The upload test still/).click()
  await grove.transcript.fork().getByRole('button', { name: 'Previous continuation' }).last().click()
  await expect(grove.transcript.region).toContainText('You are reading another branch.')
  await look('another branch')

  await grove.session.show('Branches')
  for (const mode of ['No tools', 'Prompts', 'Labelled', 'All', 'Default']) {
    await grove.branches.mode(mode)
    await look(`graph, ${mode}`)
  }
  await grove.branches.region.getByRole('button', { name: 'Unfold all' }).click()
  await grove.branches.tips.filter({ hasText: 'Gave up' }).click()
  await expect(grove.branches.chosen.getByRole('button', { name: 'Continue this branch' })).toBeVisible()
  await look('a chosen tip in the unfolded graph')
  await grove.branches.find.fill('upload')
  await look('hits in the graph')
  await grove.branches.find.fill('nothing is written like this')
  await look('no hits in the graph')
  await grove.list.open('Explain the lock file protocol')
  await grove.session.show('Branches')
  await grove.branches.mode('Labelled')
  await expect(grove.branches.region).toContainText('No labels')
  await look('a graph without labels')
  await grove.branches.mode('Default')

  await grove.list.open(BRANCHED)
  await grove.session.show('Artifacts')
  await grove.artifacts.part('Subagents')
  await grove.artifacts.subagents.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(grove.session.back(BRANCHED)).toBeVisible()
  await look('a subagent as a session')
  expect(found).toEqual([])
})

test('axe finds nothing in any menu, and while sessions are moved and re-rooted', async ({
  grove,
  library,
  programs,
}) => {
  const found: string[] = []
  const { page } = grove
  const look = async (name: string) => found.push(...(await problemsInBothThemes(grove, name)))
  const menu = async (name: string, open: () => Promise<void>) => {
    await open()
    await expect(grove.menu.menu).toBeVisible()
    await look(name)
    await page.keyboard.press('Escape')
    await expect(grove.menu.menu).toHaveCount(0)
  }
  const onRight = (target: Locator) => () => target.click({ button: 'right' })
  await menu('theme menu', () => page.getByRole('button', { name: 'Theme' }).click())
  await menu('sort menu', () => grove.list.region.getByRole('button', { name: /^Sort: / }).click())
  await menu('project menu', onRight(grove.sidebar.project('grove-api')))
  await grove.sidebar.project('grove-api').click()
  await grove.list.select([BRANCHED, PLAIN])
  await menu('menu of a selection', onRight(grove.list.row(PLAIN)))
  await grove.list.row(BRANCHED).click()
  await menu('session menu', () => page.getByRole('button', { name: 'More about this session' }).click())
  await menu('copy menu', async () => {
    const row = grove.transcript.rows.last()
    await row.hover()
    await row.getByRole('button', { name: 'Copy', exact: true }).click()
  })
  await grove.session.show('Branches')
  await menu('graph menu', onRight(grove.branches.rows.filter({ hasText: 'Write the changelog' })))
  await grove.session.show('Artifacts')
  await menu('artifact menu', onRight(grove.artifacts.file('local/plan.md')))
  await grove.sidebar.go('Drafts')
  await menu('draft menu', onRight(grove.drafts.rows.first()))
  await grove.sidebar.projectFilter.fill('no such project')
  await look('no project matches')
  await grove.sidebar.projectFilter.fill('')

  const dialog = page.getByRole('dialog')
  const to = library.at('home/code/elsewhere')
  mkdirSync(to)
  await grove.answerFolderDialog(to)
  const holder = await programs.holder(library.journal('retry'))
  await grove.sidebar.project('grove-api').click()
  await grove.list.select([BRANCHED, PLAIN])
  await grove.list.selectionBar.getByRole('button', { name: 'Move…' }).click()
  await grove.move.folder('~/code/infra').check()
  await expect(dialog).toContainText(`process ${holder.pid}`)
  await look('move, one stays')
  await grove.move.confirm('1 session').click()
  await expect(grove.move.dialog).toHaveAccessibleName('Moved 1 session')
  await look('moved, one stayed')
  await grove.move.undo.click()
  await expect(grove.toasts.region).toContainText('Undone')

  await programs.omp({ cwd: library.project('infra').cwd })
  await grove.sidebar.projectMenu('infra', 'Re-root project…')
  await grove.reroot.chooseFolder.click()
  await expect(dialog.getByRole('checkbox', { name: /^I closed/ })).toBeVisible()
  await look('re-root that asks')
  await page.keyboard.press('Escape')
  await grove.sidebar.projectMenu('old-app', 'Re-root project…')
  await grove.reroot.chooseFolder.click()
  await grove.reroot.confirm('3 sessions').click()
  await expect(grove.reroot.dialog).toHaveAccessibleName('Re-rooted 3 sessions')
  await look('re-rooted')
  await grove.reroot.done.click()
  for (const project of library.manifest.projects.filter(({ state }) => state === 'unreachable')) {
    await grove.sidebar.projectMenu(path.basename(project.cwd), 'Re-root project…')
    await expect(dialog).toBeVisible()
    await expect(page.getByText('Looking for the folder.')).toHaveCount(0)
    await look('re-root of an unreachable folder')
    await page.keyboard.press('Escape')
  }
  await grove.sidebar.go('Recent changes')
  await menu('menu of a change', onRight(grove.changes.items.first()))
  await grove.list.open('Profile the start')
  await grove.list.pressDelete()
  await grove.sidebar.go('Trash')
  await menu('menu of the trash', onRight(grove.trash.items.first()))
  expect(found).toEqual([])
})

test('axe finds nothing where drafts cannot be saved, files lie elsewhere, and files are gone', async ({
  grove,
  library,
  programs,
}) => {
  const found: string[] = []
  const { page } = grove
  const look = async (name: string) => found.push(...(await problemsInBothThemes(grove, name)))
  await programs.holder(library.journal('flaky-upload'))
  await programs.omp({ cwd: library.project('infra').cwd })
  await grove.list.open(BRANCHED)
  await grove.session.show('Draft')
  await expect(page.getByRole('tabpanel', { name: /^Draft/ })).toContainText('The session is in use')
  await look('a draft that is only read')
  await grove.list.open('Names for the upload states')
  await grove.session.show('Draft')
  await grove.draft.discard.click()
  await expect(grove.draft.write).toBeVisible()
  await look('a draft that was discarded')

  const directory = artifactDirectory(library.journal('locks'))
  renameSync(directory, `${directory}-away`)
  writeFileSync(directory, 'in the way')
  await grove.list.open(library.title('locks'))
  await grove.session.show('Draft')
  await grove.draft.write.click()
  await page.keyboard.type('Keep this.')
  await expect(grove.draft.alert).toContainText('Not saved:')
  await look('a draft that cannot be saved')
  renameSync(directory, library.at('home/was-in-the-way'))
  renameSync(`${directory}-away`, directory)
  await grove.draft.act('Try again').click()
  await expect(grove.draft.alert).toHaveCount(0)
  const sent = library.manifest.sessions.find(session => session.tags.includes('already-sent'))
  if (!sent?.firstPrompt) throw new Error('The samples have no draft that was sent.')
  await grove.list.open(sent.firstPrompt.slice(0, 40))
  await grove.session.show('Draft')
  await expect(grove.draft.region).toContainText('already sent')
  await look('a draft that was sent already')
  writeFileSync(
    path.join(artifactDirectory(library.journal('draft-long')), 'draft.txt'),
    'Words. '.repeat(20_000),
  )
  await grove.list.open(library.title('draft-long'))
  await grove.session.show('Draft')
  await expect(grove.draft.beginning).toBeVisible()
  await look('a draft that is too long to be edited')

  const folder = library.at('home/Downloads')
  mkdirSync(folder)
  const file = path.join(folder, 'shared.jsonl')
  copyFileSync(library.journal('retry'), file)
  await grove.answerFolderDialog(file)
  await page.keyboard.press('Control+Shift+O')
  await expect(grove.session.heading(PLAIN)).toBeVisible()
  await look('a file from elsewhere')
  writeFileSync(path.join(folder, 'log.jsonl'), '{"level":"info"}\n')
  await grove.answerFolderDialog(path.join(folder, 'log.jsonl'))
  await page.keyboard.press('Control+Shift+O')
  await expect(grove.toasts.region).toContainText('is no session')
  await look('a toast that tells of trouble')

  await grove.list.open('Profile the start')
  await expect(grove.session.heading('Profile the start')).toBeVisible()
  const profiled = library.manifest.sessions.find(({ title }) => title === 'Profile the start')
  if (!profiled) throw new Error('The samples have no such session.')
  renameSync(library.at(profiled.file), path.join(folder, 'away.jsonl'))
  await expect(page.getByText('The file of this session is gone from the disk.')).toBeVisible()
  await look('a session whose file is gone')

  await grove.sidebar.go('All sessions')
  await grove.list.clearFilter()
  await page.keyboard.press('Control+Shift+B')
  await look('the list is hidden')
  await page.keyboard.press('Control+Shift+B')
  await page.keyboard.press('Control+b')
  await look('the sidebar is hidden')
  await page.keyboard.press('Control+b')
  await page.emulateMedia({ forcedColors: 'active' })
  await look('forced colours')
  await page.emulateMedia({ forcedColors: 'none' })
  expect(found).toEqual([])
})

test.describe('with odd files', () => {
  test.use({ libraryKind: 'odd' })

  test('axe finds nothing where trees have holes, lines are damaged, files are none, and branches are many', async ({
    launch,
    library,
  }) => {
    const grove = await launch()
    const found: string[] = []
    const look = async (name: string) => found.push(...(await problemsInBothThemes(grove, name)))
    await grove.list.open('a hole in the middle of a chain')
    await expect(grove.transcript.rows.first()).toBeVisible()
    await look('a hole in the transcript')
    await grove.session.show('Branches')
    await look('a hole in the graph')
    await grove.session.show('Details')
    await look('a hole in the details')
    await grove.list.open('500 branches')
    await grove.session.show('Branches')
    await expect(grove.branches.rows.first()).toBeVisible()
    await look('500 branches')
    await grove.list.clearFilter()
    await look('a list of odd files')
    const nothing = library.manifest.odd.find(({ kind }) => kind === 'a symlink to nothing')
    if (!nothing) throw new Error('The samples have no such file.')
    await new OddSession(grove, library, nothing).open()
    await look('a row that is no session')
    await grove.sidebar.go('Drafts')
    await grove.drafts.rows.first().click()
    await look('odd drafts')
    expect(found).toEqual([])
  })
})
