import { expect, test } from '../fixtures/test'

test('sessions are browsed by project, each with its count and the state of its folder', async ({
  grove,
  library,
}) => {
  await expect(grove.sidebar.place('All sessions')).toContainText(String(library.sessionCount))
  for (const [key, name, state] of [
    ['grove-api', 'grove-api', ''],
    ['infra', 'infra', ''],
    ['old-app', 'old-app', 'missing'],
    ['upload-service', 'upload-service', 'missing'],
    ['scratch', 'scratch', 'unreachable'],
    ['shop-desktop', 'shop-desktop', 'other system'],
  ] as const) {
    const item = grove.sidebar.project(name, state)
    await expect(item).toContainText(new RegExp(`${library.sessionsOf(key).length}$`))
  }
  await grove.sidebar.project('infra').click()
  await expect(grove.list.heading).toHaveText('infra')
  await expect(grove.list.rows).toHaveCount(library.sessionsOf('infra').length)
  await expect(grove.list.row('The runner restarts at night')).toBeVisible()
  await grove.sidebar.project('design-tokens').click()
  await expect(grove.list.rows).toHaveCount(library.sessionsOf('design-tokens').length)
})

test('a missing folder is said to be gone, and nothing is concluded from it', async ({ grove, library }) => {
  await grove.sidebar.project('old-app').click()
  await expect(grove.list.region).toContainText('is gone.')
  await expect(grove.list.region.getByRole('button', { name: 'Re-root…' })).toBeVisible()
  await expect(grove.list.rows).toHaveCount(library.sessionsOf('old-app').length)
})

test('projects are filtered by folder and the list by what is typed', async ({ grove }) => {
  await grove.sidebar.projectFilter.fill('acme')
  await expect(grove.sidebar.project('infra')).toHaveCount(0)
  await expect(grove.sidebar.project('web')).toBeVisible()
  await grove.sidebar.projectFilter.fill('notes')
  await expect(grove.sidebar.project('notes-cli')).toBeVisible()
  await grove.sidebar.projectFilter.fill('')
  await grove.list.filter.fill('lock file')
  await expect(grove.list.rows).toHaveCount(1)
  await expect(grove.list.row('Explain the lock file protocol')).toBeVisible()
  await grove.list.filter.fill('nothing at all is called this')
  await expect(grove.list.region).toContainText('No session matches')
  await grove.list.region.getByText('Clear filter').click()
  await expect(grove.list.rows.first()).toBeVisible()
})

test('starred sessions and drafts have places of their own', async ({ grove, library }) => {
  await grove.sidebar.go('Starred')
  await expect(grove.list.rows).toHaveCount(library.manifest.stars.length)
  await expect(grove.list.row('Fix the flaky upload test')).toBeVisible()
  await grove.sidebar.go('Drafts')
  const drafts = library.manifest.sessions.filter(session => session.draft !== null)
  await expect(grove.drafts.rows).toHaveCount(drafts.length)
  await grove.drafts.row('Names for the upload states').dblclick()
  await expect(grove.draft.text).toHaveValue(library.session('draft-long').draft?.text ?? '')
})

test('the order of the list follows the chosen sort', async ({ grove, library }) => {
  await grove.sidebar.project('infra').click()
  await grove.list.sortBy('Title')
  const titles = async () => (await grove.list.rows.allTextContents()).map(text => text.slice(0, 8))
  await expect(grove.list.rows).toHaveCount(library.sessionsOf('infra').length)
  const sorted = [...(await titles())].sort((a, b) => a.localeCompare(b, 'en'))
  expect(await titles()).toEqual(sorted)
})

test('the way back and forward leads through the places one was at', async ({ grove, library }) => {
  await grove.sidebar.project('infra').click()
  await grove.list.row('The runner restarts at night').click()
  await expect(grove.session.heading('The runner restarts at night')).toBeVisible()
  await grove.sidebar.go('Trash')
  await expect(grove.trash.region).toContainText('The trash is empty')
  await grove.page.keyboard.press('Alt+ArrowLeft')
  await expect(grove.session.heading('The runner restarts at night')).toBeVisible()
  await expect(grove.list.rows).toHaveCount(library.sessionsOf('infra').length)
  await grove.page.keyboard.press('Alt+ArrowRight')
  await expect(grove.trash.region).toBeVisible()
})

test('who is somewhere before the first screen is whole stays there', async ({ launch, library }) => {
  const grove = await launch()
  await grove.list.filter.click()
  await grove.waitUntilRead(library.sessionCount)
  await expect(grove.list.rows.first()).toBeVisible()
  await expect(grove.list.filter).toBeFocused()
})
