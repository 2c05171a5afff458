import { readdirSync } from 'node:fs'
import { expect, test } from '../fixtures/test'
import { snapshotDifferences, takeSnapshot } from '../fixtures/tree-snapshot'
import type { Grove } from '../pages/grove'
import { TABS, type Tab } from '../pages/session-pane'

/** Chromium keeps these in a home whatever its data directory is. */
const CHROMIUMS = ['.cache', '.config', '.pki', '.local', '.dbus']

/** Every place of the sidebar, every session of the list, these tabs of each; answers how many sessions were seen. */
async function lookAtEverything(grove: Grove, sessions: number, tabs: readonly Tab[]): Promise<number> {
  for (const place of ['Starred', 'Drafts', 'Trash', 'Recent changes', 'All sessions']) {
    await grove.sidebar.go(place)
  }
  await grove.list.listbox.focus()
  await grove.list.listbox.press('Home')
  const seen = new Set<string>()
  for (let n = 0; n < sessions; n++) {
    const row = grove.list.region.getByRole('option', { selected: true })
    await expect(row).toHaveCount(1)
    await expect(row).toHaveAttribute('aria-posinset', String(n + 1))
    seen.add((await row.getAttribute('id')) ?? '')
    await grove.list.listbox.press('Enter')
    // A file that cannot be opened (a link that leads nowhere) has no tabs, and says why.
    const refused = grove.page.getByRole('alert').filter({ hasText: 'This session cannot be opened' })
    await expect(grove.session.tab('Transcript').or(refused)).toBeVisible()
    for (const tab of (await refused.isVisible()) ? [] : tabs) {
      await grove.session.show(tab)
      await expect(grove.page.getByRole('tabpanel', { name: new RegExp(`^${tab}`) })).toBeVisible()
      await expect(grove.page.getByText(/^Loading the /)).toHaveCount(0)
    }
    await grove.list.listbox.focus()
    await grove.list.listbox.press('ArrowDown')
  }
  return seen.size
}

/** The odd files are many: of each, what reads all of it. */
const LIBRARIES = [
  { kind: 'usual', tabs: TABS },
  { kind: 'odd', tabs: ['Transcript', 'Details'] },
] as const

for (const { kind, tabs } of LIBRARIES) {
  test.describe(`the ${kind} library`, () => {
    // The window asks for torn and missing pictures, and is told that there are none.
    const expectedTrouble = kind === 'odd' ? /Failed to load resource: .* 404/ : null
    test.use({ libraryKind: kind, expectedTrouble })

    test('opening, browsing everything and closing leaves every byte and time as it was', async ({
      launch,
      library,
    }) => {
      test.setTimeout(20 * 60_000)
      const beside = readdirSync(library.dir)
      const agent = takeSnapshot(library.agentDir)
      const home = takeSnapshot(library.home, { except: CHROMIUMS, times: false })
      const grove = await launch()
      await expect(grove.list.rows.first()).toBeVisible()
      await expect(grove.page.getByRole('progressbar', { name: 'Reading sessions' })).toHaveCount(0)
      const total = Number((await grove.list.rows.first().getAttribute('aria-setsize')) ?? '0')
      expect(total).toBeGreaterThanOrEqual(library.sessionCount)
      expect(await lookAtEverything(grove, total, tabs)).toBe(total)
      await grove.running.app.close()
      expect(snapshotDifferences(agent, takeSnapshot(library.agentDir))).toEqual([])
      expect(
        snapshotDifferences(home, takeSnapshot(library.home, { except: CHROMIUMS, times: false })),
      ).toEqual([])
      // Notes on project folders are Grove's own and lie in its own directory.
      const made = readdirSync(library.dir).filter(name => !beside.includes(name))
      expect(made.sort()).toEqual(['electron-data', 'grove-data'])
    })
  })
}
