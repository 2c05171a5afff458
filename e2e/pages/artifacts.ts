/** The artifacts tab. */
import type { Locator, Page } from 'playwright'
import { escaped } from './names'

export class Artifacts {
  private readonly page: Page
  readonly region: Locator
  readonly files: Locator
  readonly subagents: Locator
  readonly pictures: Locator

  constructor(page: Page) {
    this.page = page
    this.region = page.getByRole('region', { name: 'Artifacts', exact: true })
    this.files = this.region.getByRole('treegrid', { name: 'Files' })
    this.subagents = this.region.getByRole('treegrid', { name: 'Subagents' })
    this.pictures = this.region.getByRole('list', { name: 'Pictures' })
  }

  /** Shows Files, Subagents or Pictures; the choice is a set of radio buttons drawn as segments. */
  async part(name: 'Files' | 'Subagents' | 'Pictures'): Promise<void> {
    await this.region.getByText(new RegExp(`^${name} \\d+$`)).click()
  }

  file(name: string): Locator {
    return this.files.getByRole('row', { name: new RegExp(`^${escaped(name)}`) })
  }

  subagent(name: string): Locator {
    return this.subagents.getByRole('row', { name: new RegExp(`^${escaped(name)} `) })
  }

  preview(name: string): Locator {
    return this.page.getByRole('region', { name: `Preview of ${name}` })
  }
}
