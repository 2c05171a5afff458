import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { entryLines, headerOf, setAge } from '../fixtures/journal'
import { artifactDirectory, type Library } from '../fixtures/sample-library'
import { expect, test } from '../fixtures/test'
import { takeSnapshot } from '../fixtures/tree-snapshot'

/** Where a session's journal lies after its project moved to a folder with this directory. */
function movedTo(library: Library, key: string, directory: string): string {
  return path.join(library.sessionsDir, directory, path.basename(library.journal(key)))
}

/** The session of the renamed project that a terminal's breadcrumb names. */
function namedByBreadcrumb(library: Library): { key: string; terminal: string } {
  for (const { file, terminal } of library.manifest.breadcrumbs) {
    const session = library.manifest.sessions.find(one => one.file === file)
    if (session?.project === 'upload-service') return { key: session.key, terminal }
  }
  throw new Error('No breadcrumb names a session of the renamed project.')
}

/** The session that goes with the breadcrumb, and the one that is made to stay because it is in use. */
function whoGoes(library: Library) {
  const { key: going, terminal } = namedByBreadcrumb(library)
  const used = ['metrics', 'name'].find(key => key !== going) ?? 'metrics'
  return { going, used, terminal }
}

test('a renamed project is re-rooted from its proved suggestion; what clashes or is in use stays', async ({
  grove,
  library,
  programs,
}) => {
  test.slow()
  const { going, used, terminal } = whoGoes(library)
  const { cwd: from } = library.project('upload-service')
  const to = library.at(library.project('upload-service').folder ?? '')
  const original = readFileSync(library.journal(going))
  const artifacts = existsSync(artifactDirectory(library.journal(going)))
  const neighbours = takeSnapshot(path.join(library.sessionsDir, '-code-grove-api'))
  const holder = await programs.holder(library.journal(used))

  await grove.sidebar.project('upload-service').click()
  await grove.list.region.getByRole('button', { name: 'Re-root…' }).click()
  await expect(grove.reroot.candidate(to)).toBeChecked()
  await expect(grove.reroot.dialog).toContainText('same folder, renamed')
  await expect(grove.reroot.fact('sessions')).toHaveText('1 of 3')
  await expect(grove.reroot.fact('name clash')).toHaveText('1')
  await expect(grove.reroot.dialog).toContainText(`(process ${holder.pid})`)
  await expect(grove.reroot.dialog).toContainText('is already there')
  await grove.reroot.confirm('1 session').click()
  await expect(grove.reroot.dialog).toHaveAccessibleName('Re-rooted 1 session')
  await expect(grove.reroot.dialog).toContainText('2 sessions stay')
  await grove.reroot.done.click()

  const moved = movedTo(library, going, '-code-upload-worker')
  expect(existsSync(library.journal(going))).toBe(false)
  expect(headerOf(moved).cwd).toBe(to)
  expect(headerOf(moved).previousSessionFiles).toContain(library.journal(going))
  expect(existsSync(artifactDirectory(moved))).toBe(artifacts)
  const breadcrumb = readFileSync(path.join(library.terminalsDir, terminal), 'utf8').split('\n')
  expect(breadcrumb.slice(0, 2)).toEqual([to, moved])
  for (const key of [used, 'queue']) expect(headerOf(library.journal(key)).cwd).toBe(from)
  expect(headerOf(movedTo(library, 'queue', '-code-upload-worker')).id).toBe(library.session('clash').id)
  expect(takeSnapshot(path.join(library.sessionsDir, '-code-grove-api'))).toEqual(neighbours)

  // As omp does when it is continued in the new place, some time ago.
  const grown = { type: 'custom', id: 'dddd0001', parentId: library.session(going).leafId }
  appendFileSync(
    moved,
    `${JSON.stringify({ ...grown, timestamp: '2026-11-21T08:00:00.000Z', customType: 'x' })}\n`,
  )
  setAge(moved, 60)
  await grove.sidebar.go('Recent changes')
  await grove.changes.undo.first().click()
  await expect(grove.changes.items.first()).toContainText('undone')
  const back = readFileSync(library.journal(going))
  expect(back.subarray(0, original.length).equals(original), 'the old bytes are back').toBe(true)
  expect(back.subarray(original.length).toString('utf8')).toContain('dddd0001')
  expect(existsSync(moved)).toBe(false)
  expect(readFileSync(path.join(library.terminalsDir, terminal), 'utf8').split('\n').slice(0, 2)).toEqual([
    from,
    library.journal(going),
  ])
})

test('a renamed project is re-rooted through the native dialog; what clashes or is in use stays', async ({
  grove,
  library,
  programs,
}) => {
  test.slow()
  const { going, used } = whoGoes(library)
  const to = library.at('home/code/elsewhere')
  const directory = '-code-elsewhere'
  mkdirSync(to)
  mkdirSync(path.join(library.sessionsDir, directory))
  // Of another project, so that this one stays at three sessions.
  copyFileSync(library.journal('search'), movedTo(library, 'queue', directory))
  const entries = entryLines(library.journal(going))
  const holder = await programs.holder(library.journal(used))

  await grove.answerFolderDialog(null)
  await grove.sidebar.projectMenu('upload-service', 'Re-root project…')
  await expect(grove.reroot.confirm('1 session')).toBeVisible()
  await grove.reroot.chooseFolder.click()
  await expect(grove.reroot.candidates).toHaveCount(1)
  await grove.answerFolderDialog(to)
  await grove.reroot.chooseFolder.click()
  await expect(grove.reroot.candidate(to)).toBeChecked()
  await expect(grove.reroot.fact('sessions')).toHaveText('1 of 3')
  await expect(grove.reroot.fact('name clash')).toHaveText('1')
  await expect(grove.reroot.dialog).toContainText(`(process ${holder.pid})`)
  await grove.reroot.confirm('1 session').click()
  await expect(grove.reroot.dialog).toHaveAccessibleName('Re-rooted 1 session')

  const moved = movedTo(library, going, directory)
  expect(headerOf(moved).cwd).toBe(to)
  expect(entryLines(moved), 'entries are carried over as they are').toEqual(entries)
  expect(existsSync(library.journal(used))).toBe(true)
  expect(existsSync(library.journal('queue'))).toBe(true)

  await grove.reroot.undo.click()
  await expect(grove.toasts.region).toContainText('Undone, 1 session is back')
  expect(existsSync(library.journal(going))).toBe(true)
  expect(existsSync(moved)).toBe(false)
})

test('a path prefix takes the three projects below it in one plan', async ({ grove, library }) => {
  test.slow()
  const keys = ['landing', 'invoices', 'guide']
  const before = new Map(keys.map(key => [key, readFileSync(library.journal(key))]))
  const prefix = library.at('home/clients/acme')
  const to = library.at('home/clients/acme-corp')
  await grove.sidebar.projectMenu('web', 'Re-root project…')
  await grove.reroot.scope(/^Everything below .*: 3 projects, 3 sessions$/).check()
  await grove.reroot.candidate(to).check()
  await expect(grove.reroot.fact('sessions')).toHaveText('3 of 3')
  await grove.reroot.confirm('3 sessions').click()
  await expect(grove.reroot.dialog).toHaveAccessibleName('Re-rooted 3 sessions')
  await grove.reroot.done.click()

  for (const key of keys) {
    const { cwd, directory } = library.project(library.session(key).project)
    const moved = movedTo(library, key, directory.replace('-clients-acme-', '-clients-acme-corp-'))
    expect(headerOf(moved).cwd).toBe(cwd.replace(prefix, to))
    expect(existsSync(library.journal(key))).toBe(false)
  }
  for (const name of ['web', 'api', 'docs']) {
    await expect(grove.sidebar.project(name, 'missing')).toHaveCount(0)
    await expect(grove.sidebar.project(name)).toBeVisible()
  }

  await grove.sidebar.go('Recent changes')
  await grove.changes.undo.first().click()
  await expect(grove.changes.items.first()).toContainText('undone')
  for (const key of keys) expect(readFileSync(library.journal(key))).toEqual(before.get(key))
})

test('for an unreachable folder nothing is offered, and nothing changes', async ({ grove, library }) => {
  const before = takeSnapshot(library.agentDir)
  await grove.sidebar.projectMenu('scratch', 'Re-root project…')
  await expect(grove.reroot.dialog).toContainText('cannot be reached')
  await expect(grove.reroot.candidates).toHaveCount(0)
  await expect(grove.reroot.dialog.getByRole('button', { name: 'Re-root', exact: true })).toBeDisabled()
  await grove.page.keyboard.press('Escape')
  await expect(grove.reroot.dialog).toHaveCount(0)
  expect(takeSnapshot(library.agentDir)).toEqual(before)
})

test('where an omp runs that nothing ties to a session, re-rooting asks first', async ({
  grove,
  library,
  programs,
}) => {
  const to = library.at('home/code/elsewhere')
  mkdirSync(to)
  await grove.list.open('A palette with one accent')
  const omp = await programs.omp({ cwd: library.project('design-tokens').cwd })
  await grove.answerFolderDialog(to)
  await grove.session.menu('Re-root')
  await grove.reroot.chooseFolder.click()
  await expect(grove.reroot.dialog).toContainText('1 session may be in use')
  await expect(grove.reroot.dialog).toContainText(`omp (process ${omp.pid})`)
  await expect(grove.reroot.dialog.getByRole('button', { name: 'Re-root', exact: true })).toBeDisabled()
  await grove.reroot.dialog.getByRole('checkbox').check()
  await grove.reroot.confirm('1 session').click()
  await expect(grove.reroot.dialog).toHaveAccessibleName('Re-rooted 1 session')
  expect(headerOf(movedTo(library, 'palette', '-code-elsewhere')).cwd).toBe(to)
})
