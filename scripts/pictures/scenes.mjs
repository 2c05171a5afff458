/**
 * The scenes: each brings the window to what is drawn (`set`) and, where the next one could not begin there, away
 * again (`leave`). Everything is found by role and name, as a user finds it.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { liveScenes } from './live-scenes.mjs'
import { oddScenes as scenesOfOddFiles } from './odd-scenes.mjs'
import { button, closeDialog, list, nav, open, projectMenu, row, tab } from './scene-steps.mjs'
import { searchScenes } from './search-scenes.mjs'
import { stateScenes } from './state-scenes.mjs'

const BRANCHED = 'Fix the flaky upload test'

/** On a home without sessions. */
export const emptyScenes = [
  { name: 'first-start', set: stage => list(stage).getByText('No sessions yet').waitFor() },
]

/** On the sample library with the odd files. */
export const oddScenes = scenesOfOddFiles({ open, tab, nav, button })

/** The menu of a block's own copy button. */
async function openCopyMenu(stage) {
  const feed = stage.page.getByRole('feed', { name: 'Transcript' })
  await feed.focus()
  await stage.page.keyboard.press('Home')
  const first = feed.getByRole('article').filter({ hasText: 'The upload test fails one run in ten' }).first()
  await first.hover()
  await first.getByRole('button', { name: 'Copy', exact: true }).click()
  await stage.page.getByRole('menuitem', { name: 'Copy turn as Markdown' }).waitFor()
}

async function openEntryMenu({ page }) {
  const rows = page.getByRole('feed', { name: 'Transcript' }).getByRole('article')
  await rows.last().click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^Fork from here/ }).waitFor()
}

/** On the sample library, in this order. */
export const sampleScenes = [
  { name: 'start', set: stage => row(stage, BRANCHED).waitFor() },
  {
    name: 'changes-empty',
    async set(stage) {
      await nav(stage, 'Recent changes').click()
      await stage.page.getByText('No changes yet').waitFor()
    },
    leave: stage => nav(stage, 'All sessions').click(),
  },
  {
    name: 'transcript',
    async set(stage) {
      await open(stage, BRANCHED)
      await stage.page
        .getByRole('complementary', { name: 'Prompts' })
        .getByRole('button', { name: /^The upload test still/ })
        .click()
      await stage.page.getByText('Five tries would only hide it').first().waitFor()
    },
  },
  {
    name: 'transcript-picture',
    async set(stage) {
      await stage.page
        .getByRole('complementary', { name: 'Prompts' })
        .getByRole('button', { name: /^The upload test fails/ })
        .click()
      await stage.page.getByRole('img', { name: /^Attached/ }).waitFor()
    },
  },
  {
    name: 'transcript-unfolded',
    async set(stage) {
      const feed = stage.page.getByRole('feed', { name: 'Transcript' })
      await feed.focus()
      await stage.page.keyboard.press('Control+t')
      await stage.page.keyboard.press('Control+o')
      await stage.page
        .getByRole('complementary', { name: 'Prompts' })
        .getByRole('button', { name: /^The upload test still/ })
        .click()
      await stage.page.getByText('Five tries would only hide it').first().waitFor()
    },
    async leave({ page }) {
      await page.getByRole('feed', { name: 'Transcript' }).focus()
      await page.keyboard.press('Control+t')
      await page.keyboard.press('Control+o')
    },
  },
  {
    name: 'other-branch',
    async set(stage) {
      const { page } = stage
      await open(stage, BRANCHED)
      await page
        .getByRole('complementary', { name: 'Prompts' })
        .getByRole('button', { name: /^The upload test still/ })
        .click()
      await page.getByRole('button', { name: 'Previous continuation', disabled: false }).first().click()
      await page.getByText('You are reading another branch.').waitFor()
    },
    leave: stage => button(stage, 'Show omp’s branch').click(),
  },
  {
    name: 'branches',
    async set(stage) {
      await tab(stage, 'Branches')
      await stage.page.getByRole('treegrid', { name: 'Branches' }).getByText('Write the changelog').waitFor()
    },
  },
  {
    name: 'artifacts',
    async set(stage) {
      await tab(stage, 'Artifacts')
      await stage.page.getByRole('row', { name: /^local\/plan\.md/ }).click()
      await stage.page.getByRole('region', { name: 'Preview of local/plan.md' }).waitFor()
    },
  },
  {
    name: 'subagents',
    async set(stage) {
      await stage.page.getByText(/^Subagents \d+$/).click()
      await stage.page.getByRole('treegrid', { name: 'Subagents' }).getByRole('row').first().waitFor()
    },
  },
  {
    name: 'pictures',
    async set(stage) {
      await open(stage, 'A palette with one accent')
      await tab(stage, 'Artifacts')
      await stage.page.getByText(/^Pictures \d+$/).click()
      await stage.page
        .getByRole('button', { name: /^Picture, / })
        .first()
        .click()
    },
  },
  {
    name: 'details',
    set: async stage => {
      await open(stage, BRANCHED)
      await tab(stage, 'Details')
    },
  },
  {
    name: 'many-branches',
    set: async stage => {
      await open(stage, 'Migrate the config loader')
      await tab(stage, 'Branches')
    },
  },
  {
    name: 'damaged',
    async set(stage) {
      await open(stage, 'The runner restarts at night')
      await button(stage, 'Details').waitFor()
    },
  },
  {
    name: 'damaged-lines',
    async set(stage) {
      await tab(stage, 'Details')
      await button(stage, 'View raw').click()
    },
  },
  ...liveScenes({ open, tab, list, nav }),
  {
    name: 'draft',
    set: async stage => {
      await open(stage, 'Names for the upload states')
      await tab(stage, 'Draft')
    },
  },
  {
    name: 'draft-conflict',
    async set(stage) {
      await open(stage, 'Names for the upload states')
      await tab(stage, 'Draft')
      const text = stage.page.getByRole('textbox', { name: 'Text of the draft' })
      await text.press('Home')
      const typing = stage.page.keyboard.type('Typed while omp writes the same draft. ', { delay: 50 })
      await stage.page.waitForFunction(() => document.activeElement?.value?.startsWith('Typed'))
      writeFileSync(
        join(stage.journal('draft-long').replace(/\.jsonl$/, ''), 'draft.txt'),
        'What omp wrote meanwhile.\n',
      )
      await typing
      await button(stage, 'Show theirs').waitFor()
    },
    leave: stage => button(stage, 'Keep mine').click(),
  },
  {
    name: 'drafts',
    async set(stage) {
      await nav(stage, 'Drafts').click()
      await stage.page.getByRole('option', { name: /^Names for/ }).click()
    },
    leave: stage => nav(stage, 'All sessions').click(),
  },
  ...searchScenes({ open, tab, nav, button, closeDialog }),
  ...stateScenes({ open, tab, list, nav, row, button, closeDialog }),
  {
    name: 'move',
    async set(stage) {
      await open(stage, BRANCHED)
      await row(stage, BRANCHED).click({ button: 'right' })
      await stage.page.getByRole('menuitem', { name: /^Move…/ }).click()
      await stage.page.getByRole('radio', { name: /infra/ }).check()
      await button(stage, 'Move 1 session').waitFor()
    },
    leave: closeDialog,
  },
  {
    name: 'copy-menu',
    async set(stage) {
      await open(stage, BRANCHED)
      await openCopyMenu(stage)
    },
    again: openCopyMenu,
    leave: stage => stage.page.keyboard.press('Escape'),
  },
  {
    name: 'no-draft',
    set: async stage => {
      await open(stage, 'Add retry to the client')
      await tab(stage, 'Draft')
    },
  },
  {
    name: 'subagent-session',
    async set(stage) {
      await open(stage, BRANCHED)
      await tab(stage, 'Artifacts')
      await stage.page.getByText(/^Subagents \d+$/).click()
      await stage.page.getByRole('row', { name: /^Scout / }).click()
      await button(stage, 'Open session').click()
      await stage.page.getByRole('button', { name: /^Back to / }).waitFor()
    },
  },
  {
    name: 'project-missing',
    async set(stage) {
      await open(stage, BRANCHED)
      await nav(stage, 'old-app').click()
      await list(stage).getByText('is gone.').waitFor()
    },
  },
  {
    name: 'no-hits',
    async set(stage) {
      await stage.page.getByRole('textbox', { name: 'Filter sessions' }).fill('nothing is called this')
      await list(stage)
        .getByText(/^No session matches/)
        .waitFor()
    },
    leave: stage => stage.page.getByRole('textbox', { name: 'Filter sessions' }).fill(''),
  },
  {
    name: 'selection',
    async set(stage) {
      await nav(stage, 'grove-api').click()
      await row(stage, BRANCHED).click()
      await row(stage, 'Add retry to the client').click({ modifiers: ['Control'] })
      await stage.page.getByRole('toolbar', { name: 'Selected sessions' }).waitFor()
    },
    async leave(stage) {
      await row(stage, BRANCHED).click()
    },
  },
  {
    name: 'session-menu',
    async set(stage) {
      await row(stage, BRANCHED).click({ button: 'right' })
      await stage.page.getByRole('menuitem', { name: /^Move to trash/ }).waitFor()
    },
    async again(stage) {
      await button(stage, 'More about this session').click()
      await stage.page.getByRole('menuitem', { name: /^Move to trash/ }).waitFor()
    },
    leave: stage => stage.page.keyboard.press('Escape'),
  },
  {
    name: 'rename',
    async set(stage) {
      await row(stage, BRANCHED).click()
      await list(stage).getByRole('listbox').press('F2')
      await stage.page.getByRole('textbox', { name: /^New title of / }).waitFor()
    },
    leave: stage => stage.page.keyboard.press('Escape'),
  },
  {
    name: 'entry-menu',
    async set(stage) {
      await open(stage, BRANCHED)
      await openEntryMenu(stage)
    },
    again: openEntryMenu,
    leave: stage => stage.page.keyboard.press('Escape'),
  },
  {
    name: 'label',
    async set(stage) {
      const { page } = stage
      await open(stage, BRANCHED)
      await page.getByRole('feed', { name: 'Transcript' }).focus()
      await page.keyboard.press('End')
      await page.keyboard.press('Shift+L')
      await page.getByRole('dialog').getByRole('textbox', { name: 'Label' }).fill('works from here')
    },
    leave: closeDialog,
  },
  {
    name: 'trash-empty',
    async set(stage) {
      await nav(stage, 'Trash').click()
      await stage.page.getByText('The trash is empty').waitFor()
    },
    async leave(stage) {
      await nav(stage, 'grove-api').click()
      await open(stage, BRANCHED)
    },
  },
  {
    name: 'fork',
    async set(stage) {
      await button(stage, 'Fork').click()
      await stage.page.getByRole('checkbox', { name: /^Copy artifacts/ }).waitFor()
    },
  },
  {
    name: 'forked',
    async set(stage) {
      await stage.page.getByRole('dialog').getByRole('button', { name: 'Fork', exact: true }).click()
      await stage.page.getByRole('dialog', { name: 'Forked', exact: true }).waitFor()
    },
    async leave(stage) {
      await stage.page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
      await stage.page.getByRole('dialog').waitFor({ state: 'detached' })
      await nav(stage, 'grove-api').click()
    },
  },
  {
    name: 'project-menu',
    async set(stage) {
      await nav(stage, 'old-app').click({ button: 'right' })
      await stage.page.getByRole('menuitem', { name: 'Re-root project…' }).waitFor()
    },
    leave: stage => stage.page.keyboard.press('Escape'),
  },
  { name: 'settings', set: stage => stage.page.keyboard.press('Control+,'), leave: closeDialog },
  {
    name: 'shortcuts',
    async set(stage) {
      await list(stage).getByRole('listbox').focus()
      await stage.page.keyboard.press('?')
      await stage.page.getByRole('dialog').waitFor()
    },
    leave: closeDialog,
  },
  {
    name: 'about',
    async set(stage) {
      await stage.menu('About Grove')
      await stage.page.getByRole('dialog').waitFor()
    },
    leave: closeDialog,
  },
  {
    name: 'reroot-unreachable',
    async set(stage) {
      await projectMenu(stage, 'scratch', 'Re-root project…')
      await stage.page.getByRole('dialog').getByText('cannot be reached').waitFor()
    },
    leave: closeDialog,
  },
  {
    name: 'reroot-prefix',
    async set(stage) {
      await projectMenu(stage, 'web', 'Re-root project…')
      await stage.page
        .getByRole('dialog')
        .getByRole('radio', { name: /^Everything below/ })
        .waitFor()
      await button(stage, 'Re-root 1 session').waitFor()
    },
    leave: closeDialog,
  },
  {
    name: 'reroot',
    async set(stage) {
      await stage.hold(stage.journal('metrics'))
      await projectMenu(stage, 'upload-service', 'Re-root project…')
      await button(stage, 'Re-root 1 session').waitFor()
    },
  },
  {
    name: 'reroot-report',
    async set(stage) {
      await button(stage, 'Re-root 1 session').click()
      await stage.page.getByRole('dialog', { name: 'Re-rooted 1 session' }).waitFor()
    },
    leave: stage => button(stage, 'Done').click(),
  },
  {
    name: 'reroot-maybe-in-use',
    async set(stage) {
      const to = join(stage.home, 'code/elsewhere')
      mkdirSync(to)
      await stage.answerFolderDialog(to)
      await stage.omp(join(stage.home, 'code/infra'))
      await projectMenu(stage, 'infra', 'Re-root project…')
      await button(stage, 'Choose folder…').click()
      await stage.page.getByRole('checkbox', { name: /I closed/ }).waitFor()
    },
    leave: closeDialog,
  },
  {
    name: 'delete-refused',
    async set(stage) {
      await stage.hold(stage.journal('retry'))
      await open(stage, 'Add retry to the client')
      await list(stage).getByRole('listbox').press('Delete')
      await stage.page.getByRole('dialog').waitFor()
    },
    leave: closeDialog,
  },
  {
    name: 'delete-asks',
    async set(stage) {
      await open(stage, 'The power cut')
      await list(stage).getByRole('listbox').press('Delete')
      await stage.page.getByRole('dialog').waitFor()
    },
    leave: closeDialog,
  },
  {
    name: 'toast',
    async set(stage) {
      await nav(stage, 'grove-api').click()
      await row(stage, 'Migrate the config loader').click()
      await list(stage).getByRole('listbox').press('Delete')
      await stage.page
        .getByRole('status', { name: 'Messages' })
        .getByText(/^Moved 1 session/)
        .hover()
    },
  },
  {
    name: 'trash',
    async set(stage) {
      await row(stage, 'Names for the upload states').click()
      await list(stage).getByRole('listbox').press('Delete')
      await nav(stage, 'Trash').click()
      await stage.page.getByRole('button', { name: 'Restore Names for the upload states' }).waitFor()
    },
  },
  {
    name: 'empty-trash',
    async set(stage) {
      await button(stage, 'Empty trash…').click()
      await stage.page.getByRole('dialog').waitFor()
    },
    leave: closeDialog,
  },
  {
    name: 'changes',
    async set(stage) {
      await nav(stage, 'Recent changes').click()
      await stage.page
        .getByRole('region', { name: 'Recent changes', exact: true })
        .getByRole('listitem')
        .nth(2)
        .waitFor()
    },
  },
  { name: 'starred', set: stage => nav(stage, 'Starred').click() },
]
