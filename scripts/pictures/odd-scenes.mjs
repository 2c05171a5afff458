/** Scenes of odd files: what is said of them above the transcript, in the graph, in Details and in the list. */
export const oddScenes = ({ open, tab, nav, button }) => [
  {
    name: 'odd-list',
    async set(stage) {
      await nav(stage, 'odd').click()
      await stage.page.getByRole('textbox', { name: 'Filter sessions' }).fill('')
    },
  },
  {
    name: 'odd-hole',
    async set(stage) {
      await open(stage, 'a hole in the middle of a chain')
      await stage.page.getByRole('feed', { name: 'Transcript' }).waitFor()
    },
  },
  { name: 'odd-hole-branches', set: stage => tab(stage, 'Branches') },
  {
    name: 'odd-hole-details',
    async set(stage) {
      await tab(stage, 'Transcript')
      await button(stage, 'Details').click()
    },
  },
  {
    name: 'odd-many-branches',
    async set(stage) {
      await open(stage, '500 branches')
      await tab(stage, 'Branches')
      await stage.page.getByRole('treegrid', { name: 'Branches' }).getByRole('row').first().waitFor()
    },
  },
  {
    // Files whose header tells no folder, and what is named like a session and is none.
    name: 'odd-no-folder',
    async set(stage) {
      await nav(stage, 'unknown').click()
      await stage.page.getByRole('heading', { level: 2, name: 'unknown' }).waitFor()
      await stage.page.getByRole('option').first().click()
    },
  },
  {
    name: 'odd-drafts',
    async set(stage) {
      await nav(stage, 'Drafts').click()
      await stage.page.getByRole('option').first().click()
    },
  },
]
