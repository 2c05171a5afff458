import { expect, test } from '../fixtures/test'
import { snapshotDifferences, takeSnapshot } from '../fixtures/tree-snapshot'
import type { Grove } from '../pages/grove'

const BRANCHED = 'Fix the flaky upload test'
/** Said on a branch that is not the one which is open at first. */
const ELSEWHERE = 'Passes here with five tries'

/** Goes down a list, the keyboard staying in its field, until this is the active option. */
async function goTo(grove: Grove, active: Grove['search']['active'], text: RegExp): Promise<void> {
  for (let n = 0; n < 40; n++) {
    if (text.test((await active.textContent()) ?? '')) return
    await grove.page.keyboard.press('ArrowDown')
  }
  await expect(active).toContainText(text)
}

test('the box finds sessions, messages and commands, and gives the focus back', async ({ grove }) => {
  test.slow()
  const { page, search } = grove
  await expect(grove.list.listbox).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(search.field).toBeFocused()
  await expect(
    search
      .group(/^Recent sessions/)
      .getByRole('option')
      .first(),
  ).toBeVisible()
  await page.keyboard.type('flaky upload')
  await expect(search.group(/^Sessions/)).toContainText(BRANCHED)
  await expect(search.active).toContainText(BRANCHED)
  await search.field.fill('>sett')
  await expect(search.options).toHaveCount(1)
  await expect(search.active).toContainText('Settings…')
  await page.keyboard.press('Escape')
  await expect(search.dialog).toHaveCount(0)
  await expect(grove.list.listbox).toBeFocused()

  await page.keyboard.press('Control+p')
  await page.keyboard.type('flaky upload')
  await expect(search.active).toContainText(BRANCHED)
  await expect(search.group(/^Commands/)).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(grove.session.heading(BRANCHED)).toBeVisible()
  await expect(search.dialog).toHaveCount(0)
})

test('a command of the box is run where the focus was', async ({ grove }) => {
  await grove.search.button.click()
  await grove.page.keyboard.type('>recent')
  await expect(grove.search.active).toContainText('Recent changes')
  await grove.page.keyboard.press('Enter')
  await expect(grove.changes.region).toBeVisible()
})

test('a hit opens its branch at the match, and looking writes nothing', async ({ grove, library }) => {
  test.slow()
  const before = takeSnapshot(library.agentDir)
  await grove.page.keyboard.press('Control+k')
  await grove.page.keyboard.type(ELSEWHERE)
  await expect(grove.search.group(/^Messages/)).toContainText(ELSEWHERE)
  await goTo(grove, grove.search.active, /Agent in/)
  await grove.page.keyboard.press('Enter')
  await expect(grove.session.heading(BRANCHED)).toBeVisible()
  const row = grove.transcript.row(ELSEWHERE)
  await expect(row).toBeInViewport()
  await expect(row).toBeFocused()
  await expect(grove.transcript.region).toContainText('You are reading another branch.')
  expect(snapshotDifferences(before, takeSnapshot(library.agentDir))).toEqual([])
})

test('the view groups hits by session, narrows them, and is as it was after the way back', async ({
  grove,
}) => {
  test.slow()
  const { page, searchPage } = grove
  await page.keyboard.press('Control+Shift+F')
  await expect(searchPage.field).toBeFocused()
  await page.keyboard.type('upload')
  await expect(searchPage.option(BRANCHED).first()).toBeVisible()
  await expect(searchPage.region).toContainText(/\d+ matches in \d+ sessions/)
  await searchPage.filter('Whose text').selectOption('You')
  await expect(searchPage.option(/^You/).first()).toBeVisible()
  await expect(searchPage.option(/^Agent/)).toHaveCount(0)
  await searchPage.field.focus()
  await goTo(grove, searchPage.active, /^You/)
  const chosen = (await searchPage.active.textContent()) ?? ''
  await page.keyboard.press('Enter')
  await expect(grove.transcript.feed).toBeVisible()
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(searchPage.field).toHaveValue('upload')
  await expect(searchPage.active).toHaveText(chosen)
  await expect(searchPage.filter('Whose text')).toHaveValue('user')
})

test('a wrong expression says where, and a search without hits says what was searched', async ({ grove }) => {
  const { searchPage } = grove
  await grove.sidebar.go('Search')
  await searchPage.mode('Regex')
  await searchPage.field.fill('upload(ed')
  await expect(searchPage.region.getByRole('alert')).toContainText('from character 7 on: Unterminated group')
  await searchPage.mode('Words')
  await searchPage.field.fill('nothing is written like this anywhere')
  await expect(searchPage.region).toContainText('Searched prompts, answers')
  await searchPage.act('Also thinking').click()
  await expect(searchPage.region).toContainText('titles and thinking')
})

test('find in session counts over the whole path, steps both ways, and gives the focus back', async ({
  grove,
}) => {
  test.slow()
  const { page, find } = grove
  await grove.list.open(BRANCHED)
  await expect(grove.transcript.rows.last()).toBeInViewport()
  await grove.transcript.feed.focus()
  await page.keyboard.press('Control+f')
  await expect(find.field).toBeFocused()
  await page.keyboard.type('upload')
  await expect(find.count).toHaveText(/^\d+ of \d+$/)
  const total = Number(/of (\d+)/.exec((await find.count.textContent()) ?? '')?.[1])
  expect(total).toBeGreaterThan(2)
  for (let n = 0; n < total && !/^1 of/.test((await find.count.textContent()) ?? ''); n++) {
    await page.keyboard.press('Enter')
  }
  await expect(find.count).toHaveText(`1 of ${total}`)
  await page.keyboard.press('Shift+Enter')
  await expect(find.count).toHaveText(`${total} of ${total}`)
  await page.keyboard.press('F3')
  await expect(find.count).toHaveText(`1 of ${total}`)
  await find.field.fill('nothing is written like this anywhere')
  await expect(find.count).toHaveText('None')
  await page.keyboard.press('Escape')
  await expect(find.field).toHaveCount(0)
  await expect(grove.transcript.feed.or(grove.transcript.rows).and(page.locator(':focus'))).toHaveCount(1)
})

test('the files of a session lead to its entries and to the sessions that touched them', async ({
  grove,
}) => {
  await grove.list.open(BRANCHED)
  await grove.session.show('Details')
  const files = grove.details.region.getByRole('region', { name: 'Files touched' })
  await files
    .getByRole('button', { name: /^Sessions that touched .*upload/ })
    .first()
    .click()
  await expect(grove.searchPage.filter('Touched file')).toHaveValue(/upload/)
  await expect(grove.searchPage.option(BRANCHED).first()).toBeVisible()
  await grove.searchPage.option(BRANCHED).first().click()
  await expect(grove.session.heading(BRANCHED)).toBeVisible()
  await expect(grove.transcript.feed).toBeVisible()
})
