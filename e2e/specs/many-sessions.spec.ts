/**
 * Ten thousand sessions in the window. Asserted is the work: what is listed, mounted and found. How long it took and how much
 * memory it needs is printed; `GROVE_MANY_MEGABYTES=2000 npm test -- e2e many-sessions` measures a library of that size.
 */
import { NEEDLE, titleOf, writeManySessions } from '../fixtures/many-sessions'
import { expect, test } from '../fixtures/test'
import { memoryOf, WorkWatch } from '../fixtures/work-figures'
import type { Grove } from '../pages/grove'

const SESSIONS = 10_000
const MEGABYTES = Number(process.env.GROVE_MANY_MEGABYTES ?? 60)
/** A window of 900 pixels shows some twelve rows; as many are kept above and below. */
const ROWS_AT_MOST = 60

test.use({ libraryKind: 'empty' })
test.describe.configure({ timeout: 20 * 60_000 })

async function tell(grove: Grove, watch: WorkWatch, what: string): Promise<void> {
  const { main, page } = await watch.take()
  const memory = await memoryOf(grove.running.app)
  const text = ({ p99, longest }: typeof main) => `p99 ${p99} ms, longest ${longest} ms`
  const megabytes = memory === null ? '' : `; all processes ${Math.round(memory / 1e6)} MB`
  console.info(`    ${what}: main ${text(main)}; page ${text(page)}${megabytes}`)
}

const firstDrawn = (grove: Grove) =>
  grove.page.evaluate(() =>
    Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1),
  )

test('ten thousand sessions are listed, scrolled, filtered and found with few rows mounted', async ({
  library,
  launch,
}) => {
  writeManySessions(library, { sessions: SESSIONS, bytes: MEGABYTES * 1_000_000 })
  let grove = await launch()
  let watch = await WorkWatch.start(grove.running.app, grove.page)
  await expect(grove.list.row(titleOf(SESSIONS - 1))).toBeVisible()
  console.info(`    first start: drawn ${await firstDrawn(grove)} ms after the page began`)
  await expect(grove.statusBar).toContainText('10,000 sessions in 40 projects', { timeout: 60_000 })
  await tell(grove, watch, 'first start, rows')
  await grove.waitUntilRead(SESSIONS)
  await tell(grove, watch, 'first start, counts')

  const mounted = () => grove.list.rows.count()
  expect(await mounted()).toBeLessThan(ROWS_AT_MOST)
  await grove.list.listbox.press('End')
  await expect(grove.list.row(titleOf(0))).toBeVisible()
  expect(await mounted()).toBeLessThan(ROWS_AT_MOST)
  for (let n = 0; n < 20; n++) await grove.list.listbox.press('PageUp')
  await grove.list.listbox.press('Home')
  await expect(grove.list.row(titleOf(SESSIONS - 1))).toBeVisible()
  await tell(grove, watch, 'scrolling')

  await grove.list.filterBy(titleOf(4321))
  await expect(grove.list.rows).toHaveCount(1)
  await grove.list.clearFilter()
  await expect(grove.list.row(titleOf(SESSIONS - 1))).toBeVisible()
  await tell(grove, watch, 'filtering')

  await grove.page.keyboard.press('Control+k')
  await grove.search.field.fill(titleOf(17))
  await expect(grove.search.group(/^Sessions/)).toContainText(titleOf(17))
  await grove.search.field.fill(NEEDLE)
  await expect(grove.search.group(/^Messages, /)).toContainText(NEEDLE, { timeout: 10 * 60_000 })
  await grove.page.keyboard.press('Enter')
  await expect(grove.session.heading(titleOf(0))).toBeVisible()
  await tell(grove, watch, 'indexing and searching')

  await grove.running.app.close()
  grove = await launch()
  watch = await WorkWatch.start(grove.running.app, grove.page)
  await grove.waitUntilRead(SESSIONS)
  console.info(`    second start: drawn ${await firstDrawn(grove)} ms after the page began`)
  await tell(grove, watch, 'second start')
  expect(await mounted()).toBeLessThan(ROWS_AT_MOST)
})
