/** What is done to sessions and entries: menus, the field for a title, labels, forks, the question about use. */
import type { Locator, Page } from 'playwright'
import { factOf } from './changes'
import { escaped } from './names'

/** The menu that is open. */
export class ContextMenu {
  readonly menu: Locator
  readonly items: Locator

  constructor(page: Page) {
    this.menu = page.getByRole('menu')
    this.items = this.menu.getByRole('menuitem')
  }

  /** An item by the start of its text; its key stands behind. */
  item(text: string): Locator {
    return this.menu.getByRole('menuitem', { name: new RegExp(`^${escaped(text)}`) })
  }

  async choose(text: string): Promise<void> {
    await this.item(text).click()
  }
}

/** The title of a session while it is a field, in its row or in the head. */
export class RenameField {
  readonly field: Locator

  constructor(page: Page) {
    this.field = page.getByRole('textbox', { name: /^New title of / })
  }
}

export class LabelDialog {
  readonly dialog: Locator
  readonly field: Locator
  readonly set: Locator
  readonly clear: Locator

  constructor(page: Page) {
    this.dialog = page.getByRole('dialog', { name: /label/i })
    this.field = this.dialog.getByRole('textbox', { name: 'Label' })
    this.set = this.dialog.getByRole('button', { name: 'Set label' })
    this.clear = this.dialog.getByRole('button', { name: 'Clear label' })
  }
}

/** The fork's question, and what it became. */
export class ForkDialog {
  readonly question: Locator
  readonly artifacts: Locator
  readonly confirm: Locator
  readonly result: Locator
  readonly done: Locator
  readonly undo: Locator
  readonly copy: Locator

  constructor(page: Page) {
    this.question = page.getByRole('dialog', { name: /^Fork (this session|from this entry)$/ })
    this.artifacts = this.question.getByRole('checkbox', { name: /^Copy artifacts/ })
    this.confirm = this.question.getByRole('button', { name: 'Fork', exact: true })
    this.result = page.getByRole('dialog', { name: 'Forked', exact: true })
    this.done = this.result.getByRole('button', { name: 'Done' })
    this.undo = this.result.getByRole('button', { name: 'Undo' })
    this.copy = this.result.getByRole('button', { name: 'Copy' })
  }

  /** One of the numbers of the question. */
  fact(name: string | RegExp): Locator {
    return factOf(this.question, name)
  }
}

/** The question before sessions are changed that may be in use. */
export class MaybeDialog {
  readonly dialog: Locator
  readonly confirm: Locator
  readonly cancel: Locator

  constructor(page: Page) {
    this.dialog = page.getByRole('dialog', { name: /^(This session|These sessions) may be in use$/ })
    this.confirm = this.dialog.getByRole('button', { name: /all the same$/ })
    this.cancel = this.dialog.getByRole('button', { name: 'Cancel' })
  }
}
