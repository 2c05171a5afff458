/** The one box, the search view, and finding in a session. */
import type { Locator, Page } from 'playwright'
import { escaped } from './names'

/** Options of a list that the keyboard stays outside of: the field names the active one. */
const active = (list: Locator) => list.getByRole('option', { selected: true })

export class SearchBox {
  /** In the top bar; opens the box. */
  readonly button: Locator
  readonly dialog: Locator
  readonly field: Locator
  readonly options: Locator
  readonly active: Locator

  constructor(page: Page) {
    this.button = page.getByRole('banner').getByRole('button', { name: /^Search sessions and messages/ })
    this.dialog = page.getByRole('dialog', { name: /^(Search|Go to a session)$/ })
    this.field = this.dialog.getByRole('combobox')
    this.options = this.dialog.getByRole('option')
    this.active = active(this.dialog)
  }

  /** Sessions, Projects, Messages, Commands, Recent searches. */
  group(name: RegExp): Locator {
    return this.dialog.getByRole('group', { name })
  }

  option(name: string | RegExp): Locator {
    return this.dialog.getByRole('option', { name })
  }
}

export class SearchPage {
  readonly region: Locator
  readonly field: Locator
  readonly results: Locator
  readonly options: Locator
  readonly active: Locator

  constructor(page: Page) {
    this.region = page.getByRole('region', { name: 'Search', exact: true })
    this.field = this.region.getByRole('combobox', { name: 'Search for' })
    this.results = this.region.getByRole('listbox', { name: 'Results' })
    this.options = this.results.getByRole('option')
    this.active = active(this.results)
  }

  /** Words, Exact or Regex. */
  async mode(name: string): Promise<void> {
    await this.region
      .getByRole('group', { name: 'How the text is meant' })
      .getByText(name, { exact: true })
      .click()
  }

  filter(name: string): Locator {
    return this.region.getByRole('group', { name: 'Filters' }).getByLabel(name, { exact: true })
  }

  act(name: string | RegExp): Locator {
    return this.region.getByRole('button', { name })
  }

  option(text: string | RegExp): Locator {
    return this.options.filter({ hasText: text })
  }
}

export class FindBar {
  private readonly bar: Locator
  readonly field: Locator
  /** `3 of 214`. */
  readonly count: Locator

  constructor(page: Page) {
    this.field = page.getByRole('textbox', { name: 'Find in session' })
    this.bar = page.getByRole('search').filter({ has: this.field })
    this.count = this.bar.getByRole('status')
  }

  act(name: string): Locator {
    return this.bar.getByRole('button', { name: new RegExp(`^${escaped(name)}`) })
  }
}
