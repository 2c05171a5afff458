/** The transcript tab. */
import type { Locator, Page } from 'playwright'

export class Transcript {
  readonly region: Locator
  readonly feed: Locator
  readonly rows: Locator
  /** Leads to the end; says how much is new there. */
  readonly pill: Locator
  readonly prompts: Locator

  constructor(page: Page) {
    this.region = page.getByRole('tabpanel', { name: /^Transcript/ })
    this.feed = page.getByRole('feed', { name: 'Transcript' })
    this.rows = this.feed.getByRole('article')
    this.pill = this.region.getByRole('button', {
      name: /^(To the end|New output|(More than )?\d+ new messages?)$/,
    })
    this.prompts = this.region.getByRole('complementary', { name: 'Prompts' })
  }

  /** Rows that show this text. */
  row(text: string | RegExp): Locator {
    return this.rows.filter({ hasText: text })
  }

  /** Switchers at forks; the name says which continuation is shown, as in `2 of 3 continuations`. */
  fork(name: RegExp = /^\d+ of \d+ continuations$/): Locator {
    return this.feed.getByRole('group', { name })
  }

  /** The way to a prompt, at the side. */
  prompt(text: string | RegExp): Locator {
    return this.prompts.getByRole('button', { name: text })
  }
}
