/** Scenes of states that come and go: drafts in trouble, files from elsewhere, menus, zoom and forced colours. */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const BRANCHED = 'Fix the flaky upload test'

export const stateScenes = ({ open, tab, list, nav, row, button, closeDialog }) => {
  const text = ({ page }) => page.getByRole('textbox', { name: 'Text of the draft' })
  const folderOf = (stage, key) => stage.journal(key).replace(/\.jsonl$/, '')
  const closeMenu = ({ page }) => page.keyboard.press('Escape')

  /** One menu: on what it is opened, and an item by which it is known. */
  const menu = (name, before, at, item) => {
    const again = async stage => {
      await at(stage).click({ button: 'right' })
      await stage.page.getByRole('menuitem', { name: item }).waitFor()
    }
    const set = async stage => {
      await before(stage)
      await again(stage)
    }
    return { name, set, again, leave: closeMenu }
  }

  return [
    {
      name: 'continued',
      async set(stage) {
        const { page } = stage
        await open(stage, BRANCHED)
        await tab(stage, 'Transcript')
        await page
          .getByRole('complementary', { name: 'Prompts' })
          .getByRole('button', { name: /^The upload test still/ })
          .click()
        await page.getByRole('button', { name: 'Previous continuation', disabled: false }).first().click()
        await button(stage, 'Continue this branch').click()
        // Held while it is pointed at.
        await page.getByRole('status', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).hover()
      },
      leave: ({ page }) =>
        page.getByRole('status', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click(),
    },
    {
      name: 'draft-already-sent',
      async set(stage) {
        await open(stage, 'wake up and check the nightly')
        await tab(stage, 'Draft')
        await stage.page.getByText('already sent').last().waitFor()
      },
    },
    {
      name: 'draft-not-saved',
      async set(stage) {
        // A file where the folder of the draft would be.
        writeFileSync(folderOf(stage, 'retry'), '')
        await open(stage, 'Add retry to the client')
        await tab(stage, 'Draft')
        await button(stage, 'Write a draft').click()
        await text(stage).pressSequentially('Try it with a delay that grows.')
        await stage.page.getByText('Not saved:').waitFor()
      },
      async leave(stage) {
        rmSync(folderOf(stage, 'retry'))
        await button(stage, 'Discard').click()
      },
    },
    {
      name: 'draft-theirs',
      async set(stage) {
        await open(stage, 'Names for the upload states')
        await tab(stage, 'Draft')
        await text(stage).press('Home')
        const typing = stage.page.keyboard.type('Typed while omp writes it once more. ', { delay: 50 })
        await stage.page.waitForFunction(() =>
          document.activeElement?.value?.startsWith('Typed while omp writes it'),
        )
        writeFileSync(join(folderOf(stage, 'draft-long'), 'draft.txt'), 'What omp wrote this time.\n')
        await typing
        await button(stage, 'Show theirs').click()
      },
    },
    {
      name: 'draft-set-aside',
      async set(stage) {
        await button(stage, 'Use theirs').click()
        await button(stage, 'Put it back').waitFor()
      },
      leave: stage => button(stage, 'Put it back').click(),
    },
    {
      name: 'draft-read-only',
      async set(stage) {
        await open(stage, 'Sketch of the response cache, with Redis')
        await tab(stage, 'Draft')
        await stage.page.getByRole('note', { name: 'In use' }).waitFor()
      },
    },
    {
      name: 'outside-file',
      async set(stage) {
        const folder = join(stage.home, 'Downloads')
        mkdirSync(folder, { recursive: true })
        copyFileSync(stage.journal('config'), join(folder, 'shared.jsonl'))
        await stage.drag(join(folder, 'shared.jsonl'), list(stage))
        await stage.drop(list(stage))
        await stage.page.getByRole('heading', { level: 2, name: 'Migrate the config loader' }).waitFor()
      },
    },
    {
      name: 'files-refused',
      async set(stage) {
        for (const name of ['empty.jsonl', 'notes.txt']) {
          const file = join(stage.home, 'Downloads', name)
          writeFileSync(file, '')
          await stage.drag(file, list(stage))
          await stage.drop(list(stage))
          const messages = stage.page.getByRole('status', { name: 'Messages' })
          await messages.getByText(name, { exact: true }).hover()
        }
      },
    },
    menu(
      'artifact-menu',
      async stage => {
        await open(stage, BRANCHED)
        await tab(stage, 'Artifacts')
        await stage.page.getByText(/^Files \d+$/).click()
      },
      ({ page }) => page.getByRole('row', { name: /^local\/plan\.md/ }),
      'Show in file manager',
    ),
    menu(
      'graph-menu',
      async stage => tab(stage, 'Branches'),
      ({ page }) => page.getByRole('treegrid', { name: 'Branches' }).getByText('Write the changelog'),
      /^Fork from here/,
    ),
    menu(
      'draft-menu',
      async stage => nav(stage, 'Drafts').click(),
      ({ page }) => page.getByRole('option', { name: /^Names for/ }),
      'Open',
    ),
    {
      name: 'zoomed',
      async set(stage) {
        await open(stage, BRANCHED)
        await tab(stage, 'Transcript')
        await stage.zoom(2)
      },
    },
    { name: 'zoomed-branches', set: stage => tab(stage, 'Branches') },
    {
      name: 'zoomed-fork',
      async set(stage) {
        await button(stage, 'Fork').click()
        await stage.page.getByRole('checkbox', { name: /^Copy artifacts/ }).waitFor()
      },
      async leave(stage) {
        await closeDialog(stage)
        await stage.zoom(1)
      },
    },
    {
      name: 'forced-colours',
      async set(stage) {
        await open(stage, BRANCHED)
        await tab(stage, 'Transcript')
        await stage.page.emulateMedia({ forcedColors: 'active' })
      },
    },
    { name: 'forced-colours-branches', set: stage => tab(stage, 'Branches') },
    {
      name: 'forced-colours-dialog',
      async set(stage) {
        await row(stage, BRANCHED).click({ button: 'right' })
        await stage.page.getByRole('menuitem', { name: /^Move…/ }).click()
        await stage.page.getByRole('radio', { name: /infra/ }).check()
        await button(stage, 'Move 1 session').waitFor()
      },
      async leave(stage) {
        await closeDialog(stage)
        await stage.page.emulateMedia({ forcedColors: 'none' })
        await tab(stage, 'Transcript')
      },
    },
  ]
}
