/** Changes to files: their dialogs, the trash, recent changes, and the toasts that tell of them. */
import type { Locator, Page } from 'playwright'
import { escaped } from './names'

/** The re-root dialog, from the question to the report. */
export class RerootDialog {
  readonly dialog: Locator
  readonly chooseFolder: Locator
  readonly done: Locator
  readonly undo: Locator

  constructor(page: Page) {
    this.dialog = page.getByRole('dialog', { name: /root/ })
    this.chooseFolder = this.dialog.getByRole('button', { name: 'Choose folder…' })
    this.done = this.dialog.getByRole('button', { name: 'Done' })
    this.undo = this.dialog.getByRole('button', { name: 'Undo' })
  }

  /** A suggested or chosen folder. */
  candidate(folder: string): Locator {
    return this.dialog.getByRole('radio', { name: new RegExp(`^${escaped(folder)}`) })
  }

  get candidates(): Locator {
    return this.dialog.getByRole('group', { name: /^Where/ }).getByRole('radio')
  }

  /** The choice of what moved: this project, or everything below a folder. */
  scope(name: string | RegExp): Locator {
    return this.dialog.getByRole('group', { name: 'What moved?' }).getByRole('radio', { name })
  }

  /** The button that does it, with the number of sessions it would move. */
  confirm(sessions: string): Locator {
    return this.dialog.getByRole('button', { name: `Re-root ${sessions}`, exact: true })
  }

  /** One of the numbers, by its text. */
  fact(name: string | RegExp): Locator {
    return factOf(this.dialog, name)
  }
}

/** The question before sessions are moved to the trash. */
export class DeleteDialog {
  readonly dialog: Locator
  readonly cancel: Locator
  readonly close: Locator
  readonly maybe: Locator

  constructor(page: Page) {
    this.dialog = page.getByRole('dialog', { name: /trash\?$|^Nothing can be deleted now$/ })
    this.cancel = this.dialog.getByRole('button', { name: 'Cancel' })
    this.close = this.dialog.getByRole('button', { name: 'Close' })
    this.maybe = this.dialog.getByRole('checkbox', { name: /I closed/ })
  }

  confirm(sessions: string): Locator {
    return this.dialog.getByRole('button', { name: `Move ${sessions} to trash`, exact: true })
  }
}

export class TrashPage {
  readonly region: Locator
  readonly items: Locator
  readonly dialog: Locator

  constructor(page: Page) {
    this.region = page.getByRole('region', { name: 'Trash', exact: true })
    this.items = this.region.getByRole('listitem')
    this.dialog = page.getByRole('dialog', { name: /for good\?|trash\?/ })
  }

  restore(title: string): Locator {
    return this.region.getByRole('button', { name: `Restore ${title}`, exact: true })
  }

  get emptyButton(): Locator {
    return this.region.getByRole('button', { name: 'Empty trash…' })
  }

  get confirmEmpty(): Locator {
    return this.dialog.getByRole('button', { name: 'Empty trash' })
  }

  /** One of the numbers of the question before emptying. */
  fact(name: string | RegExp): Locator {
    return factOf(this.dialog, name)
  }
}

export class ChangesPage {
  readonly region: Locator
  readonly items: Locator

  constructor(page: Page) {
    this.region = page.getByRole('region', { name: 'Recent changes', exact: true })
    this.items = this.region.getByRole('listitem')
  }

  /** The undo buttons, newest change first. */
  get undo(): Locator {
    return this.region.getByRole('button', { name: /^Undo/ })
  }
}

export class Toasts {
  readonly region: Locator
  readonly undo: Locator

  constructor(page: Page) {
    this.region = page.getByRole('status', { name: 'Messages' })
    this.undo = this.region.getByRole('button', { name: 'Undo' })
  }
}

/** The number that a text stands below or above, in a list of numbers. */
export function factOf(dialog: Locator, name: string | RegExp): Locator {
  // A term and its number are one group of the description list.
  return dialog.getByRole('term').filter({ hasText: name }).locator('xpath=..').getByRole('definition')
}
