/** The sidebar: places of the library, projects, roots. */
import type { Locator, Page } from 'playwright'
import { escaped } from './names'

export class Sidebar {
  private readonly page: Page
  readonly region: Locator
  readonly roots: Locator
  readonly projectFilter: Locator

  constructor(page: Page) {
    this.page = page
    this.region = page.getByRole('navigation', { name: 'Library' })
    this.roots = page.getByRole('list', { name: 'Session folders' })
    this.projectFilter = page.getByRole('textbox', { name: 'Filter projects' })
  }

  /** All sessions, Starred, Drafts, Trash or Recent changes. */
  place(name: string): Locator {
    return this.region.getByRole('button', { name: new RegExp(`^${escaped(name)}`) })
  }

  /** A project by the name of its folder; `state` is the word it is marked with. */
  project(name: string, state = ''): Locator {
    const marked = state === '' ? '' : `.*${escaped(state)}`
    return this.region.getByRole('button', { name: new RegExp(`^${escaped(name)}${marked}`) }).first()
  }

  async go(name: string): Promise<void> {
    await this.place(name).click()
  }

  /** An item of a project's context menu. */
  async projectMenu(name: string, item: string): Promise<void> {
    await this.project(name).click({ button: 'right' })
    await this.page.getByRole('menuitem', { name: item }).click()
  }
}
