/** Steps that scenes share: places of the window by role and name, as a user finds them. */

export const nav = ({ page }, name) =>
  page
    .getByRole('navigation', { name: 'Library' })
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .first()

export const list = ({ page }) => page.getByRole('region', { name: 'Sessions', exact: true })

export const row = (stage, title) =>
  list(stage)
    .getByRole('option', { name: new RegExp(`^(starred )?${title}`) })
    .first()

export async function open(stage, title) {
  await nav(stage, 'All sessions').click()
  const filter = stage.page.getByRole('textbox', { name: 'Filter sessions' })
  await filter.fill(title)
  await row(stage, title).waitFor()
  await filter.fill('')
  await row(stage, title).click()
  await stage.page.getByRole('heading', { level: 2, name: title, exact: true }).waitFor()
}

export const tab = async ({ page }, name) => {
  await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
}

export const closeDialog = async ({ page }) => {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

export async function projectMenu(stage, project, item) {
  await nav(stage, project).click({ button: 'right' })
  await stage.page.getByRole('menuitem', { name: item }).click()
}

export const button = ({ page }, name) => page.getByRole('button', { name, exact: true })
