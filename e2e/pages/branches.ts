/** The branches tab. */
import type { Locator, Page } from 'playwright'

export class Branches {
  readonly region: Locator
  readonly graph: Locator
  readonly rows: Locator
  readonly tips: Locator
  readonly chosen: Locator
  readonly find: Locator

  constructor(page: Page) {
    this.region = page.getByRole('region', { name: 'Branches', exact: true })
    this.graph = this.region.getByRole('treegrid', { name: 'Branches' })
    this.rows = this.graph.getByRole('row')
    this.tips = this.region.getByRole('complementary', { name: 'Tips of the branches' }).getByRole('button')
    this.chosen = this.region.getByRole('region', { name: 'Chosen entry' })
    this.find = this.region.getByRole('textbox', { name: 'Find in branches' })
  }

  /** Shows Default, No tools, Prompts, Labelled or All; radio buttons that are drawn as segments. */
  async mode(name: string): Promise<void> {
    await this.region.getByRole('group', { name: 'Entries shown' }).getByText(name, { exact: true }).click()
  }

  /** The row that the keyboard is on. */
  get current(): Locator {
    return this.graph.getByRole('row', { selected: true })
  }
}
