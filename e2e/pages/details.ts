/** The details tab. */
import type { Locator, Page } from 'playwright'

export class Details {
  readonly region: Locator
  readonly health: Locator

  constructor(page: Page) {
    this.region = page.getByRole('region', { name: 'Details', exact: true })
    this.health = this.region.getByRole('region', { name: 'Health' })
  }

  part(name: 'Identity' | 'Counts' | 'Tokens and cost' | 'What takes the room'): Locator {
    return this.region.getByRole('region', { name, exact: true })
  }

  /** A damaged line by its number. */
  damagedLine(line: number): Locator {
    return this.health.getByRole('listitem').filter({ hasText: new RegExp(`Line ${line}(?!\\d)`) })
  }

  rawBytes(line: number): Locator {
    return this.health.getByRole('region', { name: `Raw bytes of line ${line}` })
  }
}
