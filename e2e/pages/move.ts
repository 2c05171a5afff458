/** The move dialog, from the question to the report. */
import type { Locator, Page } from 'playwright'
import { escaped } from './names'

export class MoveDialog {
  readonly dialog: Locator
  readonly chooseFolder: Locator
  readonly filter: Locator
  readonly maybe: Locator
  readonly done: Locator
  readonly undo: Locator

  constructor(page: Page) {
    this.dialog = page.getByRole('dialog', { name: /^(Move|Moved|Nothing was moved)/ })
    this.chooseFolder = this.dialog.getByRole('button', { name: 'Choose folder…' })
    this.filter = this.dialog.getByRole('textbox', { name: 'Filter folders' })
    this.maybe = this.dialog.getByRole('checkbox', { name: /I closed/ })
    this.done = this.dialog.getByRole('button', { name: 'Done' })
    this.undo = this.dialog.getByRole('button', { name: 'Undo' })
  }

  folder(name: string): Locator {
    return this.choice('To which folder?', name)
  }

  root(name: string): Locator {
    return this.choice('To which agent directory?', name)
  }

  private choice(group: string, name: string): Locator {
    return this.dialog
      .getByRole('group', { name: group })
      .getByRole('radio', { name: new RegExp(`^${escaped(name)}`) })
  }

  /** The button that does it, with the number of sessions it would move. */
  confirm(sessions: string): Locator {
    return this.dialog.getByRole('button', { name: `Move ${sessions}`, exact: true })
  }
}
