/** One session of an odd file, in the list and open, and what a user sees of it. */
import path from 'node:path'
import type { Locator } from 'playwright'
import type { Library, SampleOdd } from '../fixtures/sample-library'
import { expect } from '../fixtures/test'
import type { Grove } from './grove'
import { escaped } from './names'

/** A damaged piece as Details lists it. */
export type Damage = { line: number; reason: string; bytes?: number }

export class OddSession {
  readonly grove: Grove
  readonly library: Library
  readonly odd: SampleOdd

  constructor(grove: Grove, library: Library, odd: SampleOdd) {
    this.grove = grove
    this.library = library
    this.odd = odd
  }

  get file(): string {
    return this.library.at(this.odd.file)
  }

  /** Its only row: the list is filtered to the id, which is in the file or at least in its name. */
  get row(): Locator {
    return this.grove.list.rows
  }

  /** Filters the list of all sessions down to this one, and chooses it. A draft without its session is in no such list. */
  async open(): Promise<void> {
    if (!this.file.endsWith('.jsonl')) return
    const { id, expect: known, kind } = this.odd
    const inName = /_([0-9a-f-]{36})\.jsonl$/.exec(path.basename(this.file))?.[1]
    const title = typeof known.title === 'string' ? known.title : null
    await this.grove.list.filterBy(id ?? title ?? inName ?? kind)
    await expect(this.row).toHaveCount(1)
    await this.row.click()
  }

  /** What the row says, read aloud or seen, in any order. */
  async rowSays(...texts: (string | RegExp)[]): Promise<void> {
    for (const text of texts) await expect(this.row).toContainText(text)
  }

  /** The word of the row's mark and of the one beside the title. */
  async status(word: string): Promise<void> {
    await expect(this.row).toContainText(word)
    await expect(this.grove.session.status(word)).toBeVisible()
  }

  /** The rows of the transcript, without the settings with which most samples begin. */
  get said(): Locator {
    return this.grove.transcript.rows.filter({ hasNotText: /^(Model |Thinking level )/ })
  }

  /** All of these rows, each by a part of its text. */
  async transcript(rows: readonly (string | RegExp)[]): Promise<void> {
    await this.grove.session.show('Transcript')
    const texts = rows.map(row => (typeof row === 'string' ? new RegExp(escaped(row)) : row))
    await expect(this.said).toHaveText(texts)
  }

  /** The health of the file: these sentences, these damaged lines, and nothing else. */
  async health(problems: readonly string[], damaged: readonly Damage[] = []): Promise<void> {
    const { details, session } = this.grove
    await session.show('Details')
    if (problems.length === 0 && damaged.length === 0) {
      await expect(details.region).toContainText('Every line of this file can be read')
      await expect(details.health).toHaveCount(0)
      return
    }
    await expect(details.problems).toHaveText([...problems])
    await expect(details.damagedLines).toHaveText(
      damaged.map(({ line, reason, bytes }) => {
        const size = bytes === undefined ? '[\\d.]+ (bytes?|B|KB|MB)' : escaped(`${bytes} `)
        return new RegExp(`^Line ${line}at byte [\\d,]+, ${size}.*${escaped(reason)}`)
      }),
    )
  }

  /** Opens the raw bytes of a damaged line with the keyboard, and answers their place. */
  async raw(line: number): Promise<Locator> {
    const { details, session } = this.grove
    await session.show('Details')
    await details.damagedLine(line).first().getByRole('button', { name: 'View raw' }).press('Enter')
    return details.rawBytes(line).first()
  }
}
