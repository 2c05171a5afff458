/** Scenes of searching: the one box, the search view and its states, finding in a session. */

const BRANCHED = 'Fix the flaky upload test'

export const searchScenes = ({ open, tab, nav, button, closeDialog }) => {
  const box = ({ page }) => page.getByRole('dialog').getByRole('combobox')
  const field = ({ page }) => page.getByRole('combobox', { name: 'Search for' })
  const results = ({ page }) => page.getByRole('listbox', { name: 'Results' })

  return [
    {
      name: 'search-box',
      async set(stage) {
        await open(stage, BRANCHED)
        await tab(stage, 'Transcript')
        await stage.page.keyboard.press('Control+k')
        await box(stage).fill('rename')
        await stage.page.getByRole('group', { name: /^Messages, / }).waitFor()
      },
      leave: closeDialog,
    },
    {
      name: 'search-box-commands',
      async set(stage) {
        await stage.page.keyboard.press('Control+k')
        await box(stage).fill('>copy')
        await stage.page.getByRole('group', { name: 'Commands' }).waitFor()
      },
      leave: closeDialog,
    },
    {
      name: 'search-box-empty',
      async set(stage) {
        await stage.page.keyboard.press('Control+p')
        await stage.page.getByRole('dialog').getByRole('option').first().waitFor()
      },
      leave: closeDialog,
    },
    {
      name: 'search-nothing-typed',
      async set(stage) {
        await nav(stage, 'Search').click()
        await stage.page.getByText('Search all that was said').last().waitFor()
      },
    },
    {
      name: 'search-view',
      async set(stage) {
        await field(stage).fill('upload')
        await results(stage).getByRole('option').nth(3).waitFor()
        await field(stage).press('ArrowDown')
      },
    },
    {
      name: 'search-no-hits',
      async set(stage) {
        await field(stage).fill('nothing is written like this')
        await button(stage, 'Also thinking').waitFor()
      },
    },
    {
      name: 'search-wrong-expression',
      async set(stage) {
        await stage.page.getByText('Regex', { exact: true }).click()
        await field(stage).fill('upload(ed|ing')
        await stage.page.getByRole('alert').waitFor()
      },
      async leave(stage) {
        await stage.page.getByText('Words', { exact: true }).click()
        await field(stage).fill('')
      },
    },
    {
      // As it is told while a library is read for the first time; the sample library is read at once.
      name: 'search-indexing',
      async set(stage) {
        await stage.app.evaluate(({ BrowserWindow }) => {
          const coverage = { indexed: 1204, all: 10_000, running: true, problem: null }
          BrowserWindow.getAllWindows()[0]?.webContents.send('grove:event', 'search.coverage', coverage)
        })
        await stage.page.getByText('the rest is being read').waitFor()
      },
    },
    {
      name: 'find-in-session',
      async set(stage) {
        await open(stage, BRANCHED)
        await tab(stage, 'Transcript')
        await stage.page.getByRole('feed', { name: 'Transcript' }).focus()
        await stage.page.keyboard.press('Control+f')
        await stage.page.getByRole('textbox', { name: 'Find in session' }).fill('upload')
        await stage.page.getByText(/^\d+ of \d+/).waitFor()
        await stage.page.keyboard.press('Enter')
      },
      leave: stage => stage.page.getByRole('textbox', { name: 'Find in session' }).press('Escape'),
    },
    {
      name: 'files-touched',
      async set(stage) {
        await tab(stage, 'Details')
        await stage.page
          .getByRole('region', { name: 'Files touched' })
          .getByRole('listitem')
          .first()
          .scrollIntoViewIfNeeded()
      },
      leave: stage => tab(stage, 'Transcript'),
    },
  ]
}
