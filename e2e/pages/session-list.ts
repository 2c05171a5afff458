/** The session list and the bar above it. */
import type { Locator, Page } from 'playwright'
import { expect } from 'playwright/test'
import { escaped } from './names'

export class SessionList {
  private readonly page: Page
  readonly region: Locator
  readonly rows: Locator
  readonly listbox: Locator
  readonly filter: Locator
  readonly selectionBar: Locator
  readonly heading: Locator

  constructor(page: Page) {
    this.page = page
    this.region = page.getByRole('region', { name: 'Sessions', exact: true })
    this.listbox = this.region.getByRole('listbox')
    this.rows = this.region.getByRole('option')
    this.filter = page.getByRole('textbox', { name: 'Filter sessions' })
    this.selectionBar = this.region.getByRole('toolbar', { name: 'Selected sessions' })
    this.heading = this.region.getByRole('heading')
  }

  /** The row of a session that is on screen. A star comes before the title. */
  row(title: string): Locator {
    return this.region.getByRole('option', { name: new RegExp(`^(starred )?${escaped(title)}`) })
  }

  /** Opens a session by its title, wherever in the list it is. */
  async open(title: string): Promise<void> {
    await this.filterBy(title)
    await this.row(title).first().click()
  }

  /** Filters to rows of which there are some, and waits for them: rows that still move slip away under a click. */
  async filterBy(text: string): Promise<void> {
    if (!(await this.filter.isVisible())) await this.goToFilter()
    await this.filter.fill(text)
    await expect(this.listbox).toHaveAttribute('aria-busy', 'false')
  }

  /** Shows the list where something else is on screen. */
  private async goToFilter(): Promise<void> {
    await this.page.keyboard.press('Control+k')
    const box = this.page.getByRole('dialog').getByRole('combobox')
    await box.fill('>Filter sessions')
    await box.press('Enter')
    await expect(this.filter).toBeFocused()
  }

  async clearFilter(): Promise<void> {
    await this.filterBy('')
  }

  async sortBy(name: string): Promise<void> {
    await this.region.getByRole('button', { name: /^Sort: / }).click()
    await this.page.getByRole('menuitemcheckbox', { name }).click()
  }

  /** Selects these sessions, which are on screen, and no others. */
  async select(titles: readonly string[]): Promise<void> {
    for (const [index, title] of titles.entries()) {
      await this.row(title).click(index === 0 ? {} : { modifiers: ['Control'] })
    }
  }

  /** Moves the selection to the trash with the Delete key. */
  async pressDelete(): Promise<void> {
    await this.listbox.press('Delete')
  }
}
