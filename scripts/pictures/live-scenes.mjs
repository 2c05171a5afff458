/** Scenes of what changes around a session: its relatives, the programs that have it, files that are dragged to it. */
export const liveScenes = ({ open, tab, list, nav }) => [
  {
    name: 'family',
    async set(stage) {
      await open(stage, 'Rename the blob directory')
      await tab(stage, 'Details')
      const family = stage.page.getByRole('region', { name: 'Family' })
      await family.getByRole('listitem').first().waitFor()
      await family.evaluate(element => element.scrollIntoView())
    },
  },
  {
    name: 'parent-not-found',
    async set(stage) {
      await open(stage, 'Cache headers only')
      await tab(stage, 'Details')
      const family = stage.page.getByRole('region', { name: 'Family' })
      await family.getByText('parent not found').waitFor()
      await family.evaluate(element => element.scrollIntoView())
    },
  },
  {
    name: 'in-use-waiting',
    async set(stage) {
      await stage.hold(stage.journal('fork-by-id'))
      await open(stage, 'Sketch of the response cache, with Redis')
      await stage.page.getByRole('note', { name: 'In use' }).waitFor()
    },
  },
  {
    name: 'in-use-running',
    async set(stage) {
      await stage.hold(stage.journal('result-last'))
      await open(stage, 'Profile the start')
      await stage.page.getByRole('note', { name: 'In use' }).waitFor()
    },
  },
  {
    name: 'drag-file',
    set: stage => stage.drag(stage.journal('retry'), list(stage)),
    leave: stage => stage.drop(list(stage)),
  },
  {
    name: 'drag-folder',
    set: stage => stage.drag(stage.home, nav(stage, 'old-app')),
    leave: ({ page }) => page.evaluate(() => dispatchEvent(new DragEvent('dragleave'))),
  },
]
