import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Locator } from 'playwright'
import { appended, headerOf, linesOf } from '../fixtures/journal'
import { artifactDirectory, type Library } from '../fixtures/sample-library'
import { expect, test } from '../fixtures/test'
import { fileDifferences, takeSnapshot } from '../fixtures/tree-snapshot'
import type { Grove } from '../pages/grove'

/*
 * Each change of a session that another process has, and of one in whose folder an omp runs that nothing ties to a session.
 * The first is refused with the name of the process; of the second it is asked.
 */

const HELD = 'Fix the flaky upload test'
const NEIGHBOUR = 'Explain the lock file protocol'
const KEY = 'flaky-upload'
const SLOT = 256

test.describe.configure({ timeout: 5 * 60_000 })

const treeOf = (library: Library) =>
  takeSnapshot(library.sessionsDir, { except: ['grove-trash'], times: false })

const draftOf = (library: Library) => path.join(artifactDirectory(library.journal(KEY)), 'draft.txt')

const onDisk = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : null)

/** Opens the session and chooses the row that its own branch ends with. */
async function toLastRow(grove: Grove): Promise<Locator> {
  await grove.list.open(HELD)
  await grove.list.clearFilter()
  await grove.session.show('Transcript')
  const row = grove.transcript.rows.last()
  await expect(row).toBeInViewport()
  await grove.transcript.feed.press('End')
  await expect(row).toBeFocused()
  return row
}

/** Chooses the tip at which omp does not resume. */
async function continueOther(grove: Grove): Promise<void> {
  await grove.session.show('Branches')
  await grove.branches.tips.filter({ hasText: 'Gave up' }).click()
  await grove.branches.chosen.getByRole('button', { name: 'Continue this branch' }).click()
}

test.describe('held by another process', () => {
  test('of a session only the slot of its title is written, which is said', async ({
    grove,
    library,
    programs,
  }) => {
    const journal = library.journal(KEY)
    const before = readFileSync(journal)
    const others = treeOf(library)
    await programs.holder(journal)
    await grove.list.open(HELD)
    await grove.list.clearFilter()
    await grove.list.listbox.press('F2')
    await grove.rename.field.fill('Named while it is open')
    await grove.page.keyboard.press('Enter')
    await expect(grove.toasts.region).toContainText('Renamed to “Named while it is open”')
    await expect(grove.toasts.region).toContainText(
      'Another program has the session: only the title at its start is written',
    )
    const after = readFileSync(journal)
    expect(after.length).toBe(before.length)
    expect(after.subarray(SLOT).equals(before.subarray(SLOT)), 'all but the slot').toBe(true)
    expect(linesOf(journal)[0]).toMatchObject({ type: 'title', title: 'Named while it is open' })
    await grove.page.keyboard.press('Control+z')
    await expect(grove.session.heading(HELD)).toBeVisible()
    expect(readFileSync(journal).equals(before)).toBe(true)
    expect(fileDifferences(others, treeOf(library))).toEqual([])
  })

  test('labels, branches and drafts stay as they are, each with the process that has the session', async ({
    grove,
    library,
    programs,
  }) => {
    const holder = await programs.holder(library.journal(KEY))
    const named = `(process ${holder.pid}) has`
    const before = takeSnapshot(library.agentDir)
    await toLastRow(grove)
    await expect(grove.session.use).toContainText(named)
    await grove.page.keyboard.press('Shift+L')
    await grove.label.field.fill('not now')
    await grove.label.set.click()
    await expect(grove.toasts.region.getByText('The label was not changed')).toContainText(named)
    await continueOther(grove)
    await expect(grove.toasts.region.getByText('The branch was not continued')).toContainText(named)
    await grove.session.show('Draft')
    await expect(grove.page.getByRole('tabpanel', { name: /^Draft/ })).toContainText(named)
    await expect(grove.draft.write).toHaveCount(0)
    expect(takeSnapshot(library.agentDir)).toEqual(before)
  })

  test('a draft that is being edited when a process takes the session can only be read until it is let go', async ({
    grove,
    library,
    programs,
  }) => {
    await grove.list.open(HELD)
    await grove.session.show('Draft')
    await grove.draft.write.click()
    await grove.page.keyboard.type('In time. ')
    await expect.poll(() => onDisk(draftOf(library))).toBe('In time. ')
    const holder = await programs.holder(library.journal(KEY))
    await expect(grove.draft.region).toContainText(`(process ${holder.pid}) has`)
    await expect(grove.draft.text).not.toBeEditable()
    await expect(grove.draft.discard).toBeDisabled()
    await grove.draft.text.press('Control+End')
    await grove.page.keyboard.type('Too late. ')
    await expect(grove.draft.text).toHaveValue('In time. ')
    expect(onDisk(draftOf(library))).toBe('In time. ')
    await holder.stop()
    await expect(grove.draft.text).toBeEditable()
    await grove.draft.text.press('Control+End')
    await grove.page.keyboard.type('And on.')
    await expect.poll(() => onDisk(draftOf(library))).toBe('In time. And on.')
  })

  test('move, re-root and delete say who has it, and there is nothing to confirm', async ({
    grove,
    library,
    programs,
  }) => {
    const to = library.at('home/code/elsewhere')
    mkdirSync(to)
    await grove.answerFolderDialog(to)
    const holder = await programs.holder(library.journal(KEY))
    const named = `(process ${holder.pid}) has`
    const before = takeSnapshot(library.agentDir)
    await grove.list.open(HELD)
    await grove.session.menu('Move…')
    await grove.move.folder('~/code/infra').check()
    await expect(grove.move.dialog).toContainText(named)
    await expect(grove.move.dialog.getByRole('button', { name: 'Move', exact: true })).toBeDisabled()
    await grove.page.keyboard.press('Escape')
    await grove.session.menu('Re-root…')
    await grove.reroot.chooseFolder.click()
    await expect(grove.reroot.dialog).toContainText(named)
    await expect(grove.reroot.dialog.getByRole('button', { name: 'Re-root', exact: true })).toBeDisabled()
    await grove.page.keyboard.press('Escape')
    await grove.list.pressDelete()
    await expect(grove.deleteDialog.dialog).toHaveAccessibleName('Nothing can be deleted now')
    await expect(grove.deleteDialog.dialog).toContainText(named)
    await grove.deleteDialog.close.click()
    expect(takeSnapshot(library.agentDir)).toEqual(before)
  })

  test('of many, those that are free are moved, re-rooted and deleted; the held one stays, with its reason', async ({
    grove,
    library,
    programs,
  }) => {
    const to = library.at('home/code/elsewhere')
    mkdirSync(to)
    await grove.answerFolderDialog(to)
    const held = library.journal(KEY)
    const holder = await programs.holder(held)
    const named = `(process ${holder.pid}) has`
    const bytes = readFileSync(held)
    const before = treeOf(library)
    const free = library.journal('locks')
    await grove.sidebar.project('grove-api').click()
    await expect(grove.list.heading).toHaveText('grove-api')
    const bar = (name: string) => grove.list.selectionBar.getByRole('button', { name, exact: true })
    // An earlier Undo may still be told of: the disk says.
    const isBack = () => expect.poll(() => fileDifferences(before, treeOf(library))).toEqual([])

    await grove.list.select([HELD, NEIGHBOUR])
    await bar('Move…').click()
    await grove.move.folder('~/code/infra').check()
    await expect(grove.move.dialog).toContainText('1 session stays')
    await expect(grove.move.dialog).toContainText(named)
    await grove.move.confirm('1 session').click()
    await expect(grove.move.dialog).toHaveAccessibleName('Moved 1 session')
    await expect(grove.move.dialog).toContainText(named)
    expect([existsSync(held), existsSync(free)]).toEqual([true, false])
    await grove.move.undo.click()
    await isBack()

    await grove.list.select([HELD, NEIGHBOUR])
    await bar('Re-root…').click()
    await grove.reroot.chooseFolder.click()
    await expect(grove.reroot.dialog).toContainText(named)
    await grove.reroot.confirm('1 session').click()
    await expect(grove.reroot.dialog).toHaveAccessibleName('Re-rooted 1 session')
    const moved = path.join(library.sessionsDir, '-code-elsewhere', path.basename(free))
    expect(headerOf(moved).cwd).toBe(to)
    await grove.reroot.undo.click()
    await isBack()

    await grove.list.select([HELD, NEIGHBOUR])
    await grove.list.pressDelete()
    await expect(grove.deleteDialog.dialog).toContainText('1 session stays')
    await expect(grove.deleteDialog.dialog).toContainText(named)
    await grove.deleteDialog.confirm('1 session').click()
    await expect(grove.toasts.region).toContainText('Moved 1 session to trash')
    expect([existsSync(held), existsSync(free)]).toEqual([true, false])
    expect(readFileSync(held).equals(bytes)).toBe(true)
    await grove.page.keyboard.press('Control+z')
    await isBack()
  })
})

test.describe('in a folder where an omp runs that nothing ties to a session', () => {
  test('it is asked before a title, a label or a branch is changed; both answers hold', async ({
    grove,
    library,
    programs,
  }) => {
    const journal = library.journal(KEY)
    const before = readFileSync(journal)
    const omp = await programs.omp({ cwd: library.project('grove-api').cwd })
    /** Asks for a change twice: it is left, then made. */
    const twice = async (act: string, ask: () => Promise<void>) => {
      const now = takeSnapshot(library.agentDir)
      await ask()
      await expect(grove.maybe.dialog).toContainText(`process ${omp.pid}`)
      await expect(grove.maybe.confirm).toHaveText(`${act} all the same`)
      await grove.maybe.cancel.click()
      await expect(grove.maybe.dialog).toHaveCount(0)
      expect(takeSnapshot(library.agentDir), `${act}, and the answer is no`).toEqual(now)
      await ask()
      await grove.maybe.confirm.click()
      await expect(grove.maybe.dialog).toHaveCount(0)
    }
    await toLastRow(grove)
    await twice('Set the label', async () => {
      await toLastRow(grove)
      await grove.page.keyboard.press('Shift+L')
      await grove.label.field.fill('all the same')
      await grove.label.set.click()
    })
    await expect(grove.transcript.rows.last()).toContainText('all the same')
    const labelled = readFileSync(journal)
    expect(appended(before, journal)).toMatchObject({ kept: true, lines: [{ label: 'all the same' }] })

    await twice('Continue this branch', () => continueOther(grove))
    await expect(grove.branches.tips.filter({ hasText: 'omp resumes here' })).toContainText('Gave up')
    expect(appended(labelled, journal)).toMatchObject({ kept: true, lines: [{ type: 'branch_summary' }] })

    const continued = readFileSync(journal)
    await twice('Rename', async () => {
      await grove.list.listbox.press('F2')
      await grove.rename.field.fill('Named all the same')
      await grove.page.keyboard.press('Enter')
    })
    await expect(grove.session.heading('Named all the same')).toBeVisible()
    expect(linesOf(journal)[0]).toMatchObject({ title: 'Named all the same' })
    expect(readFileSync(journal).subarray(SLOT, continued.length)).toEqual(continued.subarray(SLOT))
  })

  test('a draft is saved only after the word that the session was closed there', async ({
    grove,
    library,
    programs,
  }) => {
    const omp = await programs.omp({ cwd: library.project('grove-api').cwd })
    const before = takeSnapshot(library.agentDir)
    await grove.list.open(HELD)
    await expect(grove.session.status('maybe in use')).toBeVisible()
    await grove.session.show('Draft')
    await grove.draft.write.click()
    await grove.page.keyboard.type('Only when I say so.')
    await expect(grove.draft.alert).toContainText('Not saved:')
    await expect(grove.draft.alert).toContainText(`process ${omp.pid}`)
    await grove.draft.act('Try again').click()
    await expect(grove.draft.alert).toContainText(`process ${omp.pid}`)
    expect(takeSnapshot(library.agentDir)).toEqual(before)
    await grove.draft.act('I closed it there, save').click()
    await expect.poll(() => onDisk(draftOf(library))).toBe('Only when I say so.')
    await expect(grove.draft.alert).toHaveCount(0)
  })

  test('move, re-root and delete ask, change nothing on no, and go on with the word of the user', async ({
    grove,
    library,
    programs,
  }) => {
    const to = library.at('home/code/elsewhere')
    mkdirSync(to)
    await grove.answerFolderDialog(to)
    const { cwd } = library.project('grove-api')
    let omp = await programs.omp({ cwd })
    const before = treeOf(library)
    const journal = library.journal(KEY)
    /** Takes the newest change back: while the omp runs it is asked first, and nothing done on no; then when it ended. */
    const undoneWhenItEnded = async () => {
      await grove.sidebar.go('Recent changes')
      await grove.changes.undo.first().click()
      await expect(grove.maybe.dialog).toContainText(`process ${omp.pid}`)
      await grove.page.keyboard.press('Escape')
      await expect(grove.maybe.dialog).toHaveCount(0)
      await omp.stop()
      await grove.changes.undo.first().click()
      await expect(grove.changes.items.first()).toContainText('undone')
      expect(fileDifferences(before, treeOf(library))).toEqual([])
      omp = await programs.omp({ cwd })
      await grove.sidebar.go('All sessions')
    }
    /** The question inside a dialog: refused first, then answered. */
    const answer = async (dialog: Locator, confirm: Locator, ask: () => Promise<void>) => {
      await ask()
      await expect(dialog).toContainText('1 session may be in use')
      await expect(dialog).toContainText(`process ${omp.pid}`)
      await grove.page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      expect(fileDifferences(before, treeOf(library))).toEqual([])
      await ask()
      await dialog.getByRole('checkbox', { name: /^I closed it there/ }).check()
      await confirm.click()
    }
    await grove.list.open(HELD)
    await grove.list.clearFilter()
    await answer(grove.move.dialog, grove.move.confirm('1 session'), async () => {
      await grove.session.menu('Move…')
      await grove.move.folder('~/code/infra').check()
    })
    await expect(grove.move.dialog).toHaveAccessibleName('Moved 1 session')
    expect(existsSync(journal)).toBe(false)
    await grove.move.done.click()
    await undoneWhenItEnded()

    await grove.list.open(HELD)
    await grove.list.clearFilter()
    await answer(grove.reroot.dialog, grove.reroot.confirm('1 session'), async () => {
      await grove.session.menu('Re-root…')
      await grove.reroot.chooseFolder.click()
    })
    await expect(grove.reroot.dialog).toHaveAccessibleName('Re-rooted 1 session')
    expect(headerOf(path.join(library.sessionsDir, '-code-elsewhere', path.basename(journal))).cwd).toBe(to)
    await grove.reroot.done.click()
    await undoneWhenItEnded()

    await grove.list.open(HELD)
    await grove.list.clearFilter()
    await answer(grove.deleteDialog.dialog, grove.deleteDialog.confirm('1 session'), () =>
      grove.list.pressDelete(),
    )
    await expect(grove.toasts.region).toContainText('Moved 1 session to trash')
    expect(existsSync(journal)).toBe(false)
    await omp.stop()
    await grove.page.keyboard.press('Control+z')
    await expect.poll(() => fileDifferences(before, treeOf(library))).toEqual([])
  })
})
