import { expect, test } from '../fixtures/test'

const FIRST = 'Fix the flaky upload test'
const SECOND = 'Migrate the config loader'

test('Alt+Left and Alt+Right go back and forward, with the tab and the branch that were shown', async ({
  grove,
}) => {
  test.slow()
  const { page } = grove
  const back = page.getByRole('button', { name: 'Back', exact: true })
  const forward = page.getByRole('button', { name: 'Forward', exact: true })
  await expect(back).toBeDisabled()
  await expect(forward).toBeDisabled()
  await grove.list.open(FIRST)
  await grove.transcript.prompt(/^The upload test still/).click()
  await grove.transcript.fork().getByRole('button', { name: 'Previous continuation' }).last().click()
  await expect(grove.transcript.region).toContainText('You are reading another branch.')
  await grove.list.open(SECOND)
  await expect(grove.session.heading(SECOND)).toBeVisible()
  await grove.session.show('Details')

  await page.keyboard.press('Alt+ArrowLeft')
  await expect(grove.session.heading(FIRST)).toBeVisible()
  await expect(grove.transcript.region).toContainText('You are reading another branch.')
  await page.keyboard.press('Alt+ArrowRight')
  await expect(grove.session.heading(SECOND)).toBeVisible()
  await expect(grove.session.tab('Details')).toHaveAttribute('aria-selected', 'true')
  await expect(forward).toBeDisabled()

  // The buttons in the bar, and those at the side of a mouse.
  await back.click()
  await expect(grove.session.heading(FIRST)).toBeVisible()
  await forward.click()
  await expect(grove.session.heading(SECOND)).toBeVisible()
  await grove.sidebar.go('Trash')
  await expect(grove.trash.region).toBeVisible()
  await page.dispatchEvent('body', 'mouseup', { button: 3, bubbles: true })
  await expect(grove.session.heading(SECOND)).toBeVisible()
  await page.dispatchEvent('body', 'mouseup', { button: 4, bubbles: true })
  await expect(grove.trash.region).toBeVisible()
})

test('out of a subagent and into it again', async ({ grove }) => {
  const { page } = grove
  await grove.list.open(FIRST)
  await grove.session.show('Artifacts')
  await grove.artifacts.part('Subagents')
  await grove.artifacts.subagents.getByRole('row').first().dblclick()
  await expect(grove.session.back(FIRST)).toBeVisible()
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(grove.session.heading(FIRST)).toBeVisible()
  await expect(grove.session.tab('Artifacts')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Alt+ArrowRight')
  await expect(grove.session.back(FIRST)).toBeVisible()
})
