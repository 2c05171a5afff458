/** The right pane: the open session and its five tabs. */
import type { Locator, Page } from 'playwright'
import { escaped } from './names'

export type Tab = 'Transcript' | 'Branches' | 'Artifacts' | 'Draft' | 'Details'

export const TABS: readonly Tab[] = ['Transcript', 'Branches', 'Artifacts', 'Draft', 'Details']

export class SessionPane {
  private readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  tab(name: Tab): Locator {
    return this.page.getByRole('tab', { name: new RegExp(`^${name}`) })
  }

  async show(name: Tab): Promise<void> {
    await this.tab(name).click()
  }

  /** The heading of the session with this title. */
  heading(title: string): Locator {
    return this.page.getByRole('heading', { level: 2, name: title, exact: true })
  }

  /** The word beside the title that says how the session stands. */
  status(word: string): Locator {
    return this.page.getByRole('main').getByText(word, { exact: true }).first()
  }

  /** Who has the session, below the title. */
  get use(): Locator {
    return this.page.getByRole('main').getByRole('note', { name: 'In use' })
  }

  /** The line above the title that leads to where the session came from. */
  origin(text: string): Locator {
    return this.page.getByRole('button', { name: text, exact: true })
  }

  /** The way back to where one came from. */
  back(title: string): Locator {
    return this.page.getByRole('button', { name: `Back to ${title}` })
  }

  damagedButton(count: string): Locator {
    return this.page.getByRole('button', { name: `${count} damaged line` })
  }

  async menu(item: string): Promise<void> {
    await this.page.getByRole('button', { name: 'More about this session' }).click()
    await this.page.getByRole('menuitem', { name: new RegExp(`^${escaped(item)}`) }).click()
  }
}
