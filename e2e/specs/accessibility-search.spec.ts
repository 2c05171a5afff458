import { problemsInBothThemes as inBothThemes } from '../fixtures/accessibility'
import { resizeWindow } from '../fixtures/launch'
import { expect, test } from '../fixtures/test'

// axe looks at every element, in each state twice: minutes on a busy machine.
test.describe.configure({ timeout: 10 * 60_000 })

const BRANCHED = 'Fix the flaky upload test'
const NOWHERE = 'nothing is written like this anywhere'

test('axe finds nothing in the one box', async ({ grove }) => {
  const { page, search } = grove
  await page.keyboard.press('Control+p')
  await expect(search.options.first()).toBeVisible()
  const found = await inBothThemes(grove, 'recent sessions in the box')
  await page.keyboard.press('Escape')
  await expect(search.dialog).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await search.field.fill('rename')
  await expect(search.group(/^Messages, /)).toBeVisible()
  found.push(...(await inBothThemes(grove, 'sessions, messages and commands in the box')))
  await search.field.fill('>sett')
  await expect(search.group(/^Commands/)).toBeVisible()
  found.push(...(await inBothThemes(grove, 'commands in the box')))
  await search.field.fill(NOWHERE)
  await expect(search.group(/^(Sessions|Messages)/)).toHaveCount(0)
  found.push(...(await inBothThemes(grove, 'nothing in the box')))
  expect(found).toEqual([])
})

test('axe finds nothing in the search view and its states, wide and narrow', async ({ grove }) => {
  const { searchPage } = grove
  const found: string[] = []
  for (const [width, height] of [
    [1440, 900],
    [800, 600],
  ] as const) {
    await resizeWindow(grove.running.app, width, height)
    await grove.page.keyboard.press('Control+Shift+f')
    const look = async (name: string) =>
      found.push(...(await inBothThemes(grove, `${name} at ${width}x${height}`)))
    await searchPage.field.fill('')
    await expect(searchPage.region).toContainText('Every message of every session')
    await look('nothing typed')
    await searchPage.field.fill('upload')
    await expect(searchPage.options.nth(3)).toBeVisible()
    await searchPage.field.press('ArrowDown')
    await look('results')
    await searchPage.field.fill(NOWHERE)
    await expect(searchPage.act('Also thinking')).toBeVisible()
    await look('no hits')
    await searchPage.mode('Regex')
    await searchPage.field.fill('upload(ed')
    await expect(searchPage.region.getByRole('alert')).toBeVisible()
    await look('a wrong expression')
    await searchPage.mode('Words')
    await searchPage.filter('Touched file').fill('upload.ts')
    await searchPage.field.fill('')
    await expect(searchPage.options.first()).toBeVisible()
    await look('sessions that touched a file')
    await searchPage.filter('Touched file').fill('')
  }
  expect(found).toEqual([])
})

test('axe finds nothing while one finds in a session, and in the files it touched', async ({ grove }) => {
  const { page, find } = grove
  await grove.list.open(BRANCHED)
  await grove.transcript.feed.focus()
  await page.keyboard.press('Control+f')
  await find.field.fill('upload')
  await expect(find.count).toHaveText(/^\d+ of \d+$/)
  await page.keyboard.press('Enter')
  const found = await inBothThemes(grove, 'finding')
  await find.field.fill(NOWHERE)
  await expect(find.count).toHaveText('None')
  found.push(...(await inBothThemes(grove, 'finding nothing')))
  await page.keyboard.press('Escape')
  await grove.session.show('Details')
  await expect(
    page.getByRole('region', { name: 'Files touched' }).getByRole('listitem').first(),
  ).toBeVisible()
  found.push(...(await inBothThemes(grove, 'files touched')))
  expect(found).toEqual([])
})
