/** Drafts: the tab of one session, and the list of those of all sessions. */
import type { Locator, Page } from 'playwright'
import { escaped } from './names'

export class DraftTab {
  readonly region: Locator
  readonly text: Locator
  /** What is shown of a draft that is too long to be edited. */
  readonly beginning: Locator
  readonly write: Locator
  readonly discard: Locator
  readonly copy: Locator
  /** The bar that tells what stands in the way. */
  readonly alert: Locator

  constructor(page: Page) {
    const panel = page.getByRole('tabpanel', { name: /^Draft/ })
    this.region = page.getByRole('region', { name: 'Draft', exact: true })
    this.text = panel.getByRole('textbox', { name: 'Text of the draft' })
    this.beginning = panel.getByRole('textbox', { name: 'Beginning of the draft' })
    this.write = panel.getByRole('button', { name: 'Write a draft' })
    this.discard = panel.getByRole('button', { name: 'Discard' })
    this.copy = panel.getByRole('button', { name: /^(Copy|Copied)$/ })
    this.alert = panel.getByRole('alert')
  }

  /** Something that can be done about what stands in the way. */
  act(name: string): Locator {
    return this.region.getByRole('button', { name, exact: true })
  }
}

export class DraftsPage {
  private readonly page: Page
  readonly region: Locator
  readonly listbox: Locator
  readonly rows: Locator
  readonly filter: Locator

  constructor(page: Page) {
    this.page = page
    this.region = page.getByRole('region', { name: 'Drafts', exact: true })
    this.listbox = this.region.getByRole('listbox', { name: 'Drafts' })
    this.rows = this.region.getByRole('option')
    this.filter = this.region.getByRole('textbox', { name: 'Filter drafts' })
  }

  row(title: string): Locator {
    return this.region.getByRole('option', { name: new RegExp(`^${escaped(title)}`) })
  }

  /** A button above the list, for the chosen drafts. */
  act(name: string | RegExp): Locator {
    return this.region.getByRole('toolbar', { name: 'Chosen draft' }).getByRole('button', { name })
  }

  async menu(title: string, item: string): Promise<void> {
    await this.row(title).click({ button: 'right' })
    await this.page.getByRole('menuitem', { name: new RegExp(`^${escaped(item)}`) }).click()
  }
}
