/** The details tab. */
import type { Locator, Page } from 'playwright'
import { escaped } from './names'

export class Details {
  readonly region: Locator
  readonly health: Locator
  /** The lines of the family. */
  readonly relatives: Locator

  constructor(page: Page) {
    this.region = page.getByRole('region', { name: 'Details', exact: true })
    this.relatives = this.region.getByRole('region', { name: 'Family' }).getByRole('listitem')
    this.health = this.region.getByRole('region', { name: 'Health' })
  }

  part(name: 'Identity' | 'Counts' | 'Tokens and cost' | 'What takes the room'): Locator {
    return this.region.getByRole('region', { name, exact: true })
  }

  /** The way to a relative: its kind, and the start of its title. */
  relative(kind: string, title: string): Locator {
    return this.relatives.getByRole('button', { name: new RegExp(`^${kind} ?${escaped(title)}`) })
  }

  /** What is wrong with the file, one sentence each. */
  get problems(): Locator {
    return this.health.getByRole('list').first().getByRole('listitem')
  }

  /** Every damaged piece, in the order of the file. */
  get damagedLines(): Locator {
    return this.health.getByRole('list').nth(1).getByRole('listitem')
  }

  /** A damaged line by its number. */
  damagedLine(line: number): Locator {
    return this.health.getByRole('listitem').filter({ hasText: new RegExp(`Line ${line}(?!\\d)`) })
  }

  rawBytes(line: number): Locator {
    return this.health.getByRole('region', { name: `Raw bytes of line ${line}` })
  }
}
